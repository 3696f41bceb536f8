/** Starts the dashboard. The session decides the pages: the sign-in, a partner's or an analyst's. */
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { keepFocus } from "./core/focus.ts";
import { sessionState } from "./core/http.ts";
import { useAction } from "./core/read.ts";
import { href, matchPath, navigate, startRouter, usePath } from "./core/router.ts";
import { findSession, watchOtherWindows } from "./core/session.ts";
import { useStore } from "./core/store.ts";
import { HinderedPage } from "./pages/hindered.tsx";
import { HOME, PAGES, roleOf } from "./pages/pages.tsx";
import { Shell } from "./pages/shell.tsx";
import { InvitationPage, SignInAgain, SignInPage } from "./pages/sign-in.tsx";
import { Boundary } from "./ui/boundary.tsx";
import { Empty, Failure, Page } from "./ui/page.tsx";

const INVITATION = "/invitation";
const ACCOUNT = "/account";

function App() {
  const state = useStore(sessionState);
  const path = usePath();
  // After the hash, so that no server and no log has it.
  const [invitation, setInvitation] = useState(() => (path === INVITATION ? location.hash.slice(1) : ""));
  const { run: find, failure } = useAction(findSession);
  useEffect(() => void find(), []);
  if (invitation)
    return (
      <InvitationPage
        token={invitation}
        onSignedIn={() => {
          setInvitation("");
          navigate(href("/"), { replace: true });
        }}
      />
    );
  if (failure)
    return (
      <main class="entry">
        <Failure failure={failure} retry={() => void find()} />
      </main>
    );
  if (state.kind === "signedOut") return <SignInPage />;
  if (!("session" in state)) return null;
  const { session } = state;
  const hindrance = path === ACCOUNT ? undefined : state.hindrance;
  const isEnded = state.kind === "again" && state.reason === "ended";
  return (
    <>
      <Shell session={session} isEnded={isEnded}>
        <Boundary place={hindrance ?? path}>
          {hindrance ? <HinderedPage hindrance={hindrance} /> : <CurrentPage kind={roleOf(session)} />}
        </Boundary>
      </Shell>
      {state.kind === "again" && <SignInAgain reason={state.reason} email={session.user.email} />}
    </>
  );
}

function CurrentPage({ kind }: { kind: keyof typeof HOME }) {
  const path = usePath();
  const isHome = path === "/" || path === INVITATION;
  useEffect(() => {
    if (isHome) navigate(HOME[kind], { replace: true });
  }, [isHome, kind]);
  if (isHome) return null;
  for (const { pattern, kinds, View } of PAGES) {
    const params = kinds.includes(kind) ? matchPath(pattern, path) : null;
    // The same view stays, so that a list keeps its rows while one of them is opened beside it.
    if (params) return <View key={PAGES.findIndex((row) => row.View === View)} params={params} />;
  }
  const ofOwners = PAGES.find(({ pattern, kinds }) => kinds.join() === "owner" && matchPath(pattern, path));
  const label = kind === "user" && ofOwners?.label;
  return (
    <Page title={label || "Page not found"}>
      <Empty
        title={label ? `${label} is for Owners.` : "This page does not exist, or your role cannot open it."}
      >
        {label && <p>Ask an Owner of your organisation to make the change, or to give you the role.</p>}
        <a href={HOME[kind]}>Go to the start page</a>
      </Empty>
    </Page>
  );
}

const root = document.getElementById("app");
if (root) {
  startRouter();
  watchOtherWindows();
  keepFocus();
  render(<App />, root);
}
