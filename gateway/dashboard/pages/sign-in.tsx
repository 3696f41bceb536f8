/** Signing in: as a page, and over a page whose session has ended. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ApiFailure } from "../core/http.ts";
import { useAction } from "../core/read.ts";
import { signIn } from "../core/session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Button, onSubmit, TextField } from "../ui/field.tsx";
import { Notice } from "../ui/page.tsx";
import { Logo } from "./shell.tsx";

export const SignInPage = () => (
  <Entry title="Sign in">
    <SignInForm />
  </Entry>
);

/** A page for people who are not signed in. */
export function Entry({ title, children }: { title: string; children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · Partner onboarding`;
  }, [title]);
  return (
    <main class="entry">
      <div class="stack">
        <div class="brand">
          <Logo /> Partner onboarding
        </div>
        <section class="card">
          <h1>{title}</h1>
          {children}
        </section>
      </div>
    </main>
  );
}

const REASONS = {
  ended: "Your session has ended. What you have written is still here.",
  fresh: "This needs a fresh sign-in. Afterwards it is done at once.",
};

export function SignInAgain({ reason, email }: { reason: keyof typeof REASONS; email: string }) {
  return (
    <Dialog title="Sign in again">
      <p>{REASONS[reason]}</p>
      <SignInForm email={email} />
    </Dialog>
  );
}

export function SignInForm({ email = "" }: { email?: string }) {
  const [needsCode, setNeedsCode] = useState(false);
  const attempt = useAction(async ({ email: person = "", password = "", code }: Record<string, string>) =>
    signIn({ email: person, password, ...(code ? { code } : {}) }),
  );
  const { failure } = attempt;
  useEffect(() => {
    if (failure?.code === "Session.SecondFactorRequired") setNeedsCode(true);
  }, [failure]);
  return (
    <form class="stack" onSubmit={onSubmit((values) => void attempt.run(values))}>
      <TextField
        label="Email"
        name="email"
        type="email"
        autocomplete="username"
        defaultValue={email}
        required
      />
      <TextField label="Password" name="password" type="password" autocomplete="current-password" required />
      {needsCode && (
        <TextField
          label="Code"
          name="code"
          inputMode="numeric"
          autocomplete="one-time-code"
          hint="From your authenticator, or one of your recovery codes."
          required
          autofocus
        />
      )}
      <SignInFailure failure={failure} isFirstCode={failure?.code === "Session.SecondFactorRequired"} />
      <Button kind="primary" submit isBusy={attempt.isBusy}>
        Sign in
      </Button>
    </form>
  );
}

function SignInFailure({ failure, isFirstCode }: { failure: ApiFailure | null; isFirstCode: boolean }) {
  if (!failure || isFirstCode) return null;
  if (failure.status === 429)
    return <Countdown key={failure.requestId} seconds={failure.retryAfterSeconds} />;
  return (
    <Notice tone="bad">
      <p>{failure.message}</p>
      <p class="small soft">
        Request <code>{failure.requestId}</code>
      </p>
    </Notice>
  );
}

function Countdown({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Notice tone="warn">
      <p>Too many tries. {left > 0 ? `Try again in ${left} s.` : "You can try again now."}</p>
    </Notice>
  );
}
