/** The frame of every page: the menu, the signed-in person, and signing out. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { SessionView } from "../../../shared/contract/answers/session.ts";
import { useAction } from "../core/read.ts";
import { href, usePath } from "../core/router.ts";
import { signOut } from "../core/session.ts";
import { Button } from "../ui/field.tsx";
import { Failure } from "../ui/page.tsx";
import { HOME, PAGES, roleOf } from "./pages.tsx";

type Props = {
  session: SessionView;
  /** Nothing of the page is shown until the person has signed in again. */
  isEnded: boolean;
  children: ComponentChildren;
};

export function Shell({ session, isEnded, children }: Props) {
  const kind = roleOf(session);
  const path = usePath();
  const leave = useAction(signOut);
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="side">
        <a class="brand" href={HOME[kind]}>
          <Logo /> Partner onboarding
        </a>
        <nav aria-label="Main">
          <ul class="menu">
            {PAGES.filter(({ label, kinds }) => label && kinds.includes(kind)).map(({ pattern, label }) => (
              <li key={pattern}>
                <a href={href(pattern)} aria-current={isAt(path, pattern) ? "page" : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="who">
          <div>
            <strong>{session.partner?.name ?? "Compliance"}</strong>
            {!isEnded && <div class="soft">{session.user.email}</div>}
            <div class="soft">{session.user.role}</div>
          </div>
          <div class="row">
            <a href={href("/account")}>My account</a>
            <Button kind="plain" onClick={() => void leave.run()} isBusy={leave.isBusy}>
              Sign out
            </Button>
          </div>
          <Failure failure={leave.failure} />
        </div>
      </header>
      <main class="main" id="content" tabIndex={-1}>
        <Curtain isClosed={isEnded}>{children}</Curtain>
      </main>
    </div>
  );
}

/** Takes the page out of the document and brings it back as it was, with its drafts. */
function Curtain({ isClosed, children }: { isClosed: boolean; children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  // After every drawing: one that happens meanwhile may put it back.
  useLayoutEffect(() => {
    const [outer, inner] = [place.current, content.current];
    if (!outer || !inner) return;
    if (isClosed) inner.remove();
    else if (!inner.isConnected) {
      outer.append(inner);
      // Outside the document a dialog is no longer over the page.
      for (const dialog of inner.querySelectorAll("dialog")) {
        dialog.removeAttribute("open");
        dialog.showModal();
      }
    }
  });
  return (
    <div ref={place}>
      <div ref={content}>{children}</div>
    </div>
  );
}

/** A case belongs to the queue. */
const isAt = (path: string, pattern: string): boolean =>
  path === pattern || path.startsWith(`${pattern}/`) || (pattern === "/queue" && path.startsWith("/cases/"));

export function Logo() {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <rect width="16" height="16" rx="4" fill="var(--accent)" />
      <path d="M4 8.5l2.6 2.6L12 5.4" fill="none" stroke="var(--accent-ink)" stroke-width="2" />
    </svg>
  );
}
