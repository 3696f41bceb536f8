/** The frame of every page: its title, what it is for, its actions; and the states that every page has. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ApiFailure } from "../core/http.ts";
import type { Read } from "../core/read.ts";
import { isNewVisit } from "../core/router.ts";
import type { Tone } from "../core/words.ts";

type PageProps = {
  title: string;
  intro?: ComponentChildren;
  back?: { href: string; label: string };
  actions?: ComponentChildren;
  children: ComponentChildren;
};

export function Page({ title, intro, back, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // A screen reader announces the new page.
  useEffect(() => {
    if (isNewVisit()) scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    document.title = `${title} · Partner onboarding`;
  }, [title]);
  return (
    <div class="page">
      <header class="page-head">
        <div>
          {back && (
            <a class="back" href={back.href}>
              ← {back.label}
            </a>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {intro && <p>{intro}</p>}
        </div>
        {actions && <div class="row">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

type CardProps = { title?: string; actions?: ComponentChildren; children: ComponentChildren };

export function Card({ title, actions, children }: CardProps) {
  return (
    <section class="card">
      {(title || actions) && (
        <div class="row spread">
          {title && <h2>{title}</h2>}
          {actions && <div class="row">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

export function Notice({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <div class={`notice tone-${tone}`} role={tone === "bad" ? "alert" : "status"}>
      {typeof children === "string" ? <p>{children}</p> : children}
    </div>
  );
}

export function Failure({ failure, retry }: { failure: ApiFailure | null; retry?: () => void }) {
  if (!failure) return null;
  return (
    <Notice tone="bad">
      <p>{failure.message}</p>
      {failure.details.length > 0 && (
        <ul class="small">
          {failure.details.map(({ field, message }) => (
            <li key={field + message}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {failure.requestId && (
        <p class="small soft">
          {failure.code} · request <code>{failure.requestId}</code>
        </p>
      )}
      {retry && (
        <p>
          <button type="button" class="button" onClick={retry}>
            Try again
          </button>
        </p>
      )}
    </Notice>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

type LoadedProps<T> = { read: Read<T>; lines?: number; children: (value: T) => ComponentChildren };

/** The data; before it a skeleton, and next to old data the error of the last read. */
export function Loaded<T>({ read, lines = 4, children }: LoadedProps<T>) {
  return (
    <>
      <Failure failure={read.failure} retry={() => void read.reload()} />
      {read.value === null ? (
        read.isLoading && (
          <div class="skeleton" role="status" aria-label="Loading">
            {Array.from({ length: lines }, (_, index) => (
              <span key={index} />
            ))}
          </div>
        )
      ) : (
        <div class={read.isLoading ? "stack is-stale" : "stack"} aria-busy={read.isLoading}>
          {children(read.value)}
        </div>
      )}
    </>
  );
}
