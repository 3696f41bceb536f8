/** Signing in: as a page, and over a page whose session has ended. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { ApiFailure } from "../core/http.ts";
import { useAction } from "../core/read.ts";
import { type Credentials, cancelSignIn, leaveForSignIn, signIn } from "../core/session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Button, CodeField, onSubmit, TextField } from "../ui/field.tsx";
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
  ended: "Your session has ended. The page is hidden; your entries are kept until you sign in.",
  fresh: "This step needs a fresh sign-in. It is done as soon as you have signed in.",
};

export function SignInAgain({ reason, email }: { reason: keyof typeof REASONS; email: string }) {
  const isFresh = reason === "fresh";
  useLayoutEffect(() => {
    if (isFresh) return;
    // A title can name a customer.
    const { title } = document;
    document.title = "Sign in again · Partner onboarding";
    return () => {
      document.title = title;
    };
  }, [isFresh]);
  return (
    <Dialog title="Sign in again" {...(isFresh ? { onClose: cancelSignIn } : {})}>
      <p>{REASONS[reason]}</p>
      <SignInForm
        email={email}
        besides={
          isFresh ? (
            <Button onClick={cancelSignIn}>Cancel</Button>
          ) : (
            <Button onClick={leaveForSignIn}>Sign in as another person</Button>
          )
        }
      />
    </Dialog>
  );
}

type FormProps = {
  /** Known email, for which the form does not ask. */
  email?: string;
  /** Next to the button that signs in. */
  besides?: ComponentChildren;
  onSignedIn?: () => void;
};

/** Password first; the code is a step of its own, for those who have a second factor. */
export function SignInForm({ email, besides, onSignedIn }: FormProps) {
  const [proven, setProven] = useState<Credentials | null>(null);
  const attempt = useAction(async (credentials: Credentials) => {
    try {
      await signIn(credentials);
    } catch (failure) {
      const wantsCode = failure instanceof ApiFailure && failure.code === "Session.SecondFactorRequired";
      if (wantsCode && !credentials.code) return setProven(credentials);
      throw failure;
    }
    onSignedIn?.();
  });
  const submit = ({ email: person = "", password = "", code = "" }: Record<string, string>) =>
    void attempt.run(proven ? { ...proven, code: code.replace(/\s/g, "") } : { email: person, password });
  return (
    <form class="stack" onSubmit={onSubmit(submit)}>
      {proven ? (
        <CodeField isFirst />
      ) : (
        <>
          {email === undefined ? (
            <TextField label="Email" name="email" type="email" autocomplete="username" required autofocus />
          ) : (
            <p>
              Signing in as <strong>{email}</strong>
              {/* Password managers look for it. */}
              <input type="email" name="email" autocomplete="username" value={email} readOnly hidden />
            </p>
          )}
          <TextField
            label="Password"
            name="password"
            type="password"
            autocomplete="current-password"
            autofocus={email !== undefined}
            required
          />
        </>
      )}
      <SignInFailure failure={attempt.failure} />
      <div class="row spread">
        <Button kind="primary" submit isBusy={attempt.isBusy}>
          Sign in
        </Button>
        {proven && !besides && <Button onClick={() => setProven(null)}>Back</Button>}
        {besides}
      </div>
    </form>
  );
}

function SignInFailure({ failure }: { failure: ApiFailure | null }) {
  if (!failure) return null;
  if (failure.status === 429)
    return <Countdown key={failure.requestId} seconds={failure.retryAfterSeconds} />;
  return (
    <Notice tone="bad">
      <p>{failure.message}</p>
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
