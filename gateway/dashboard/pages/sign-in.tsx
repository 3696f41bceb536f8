/** Signing in: as a page, over a page whose session has ended, and after an invitation. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { ApiFailure } from "../core/http.ts";
import { useAction } from "../core/read.ts";
import { acceptInvitation, type Credentials, cancelSignIn, leaveForSignIn, signIn } from "../core/session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Button, CodeField, Form, NewPasswordField, onSubmit, TextField, type Values } from "../ui/field.tsx";
import { Notice } from "../ui/page.tsx";
import { Logo } from "./shell.tsx";

export const SignInPage = () => (
  <Entry title="Sign in">
    <SignInForm />
  </Entry>
);

/** A page for people who are not signed in. */
function Entry({ title, children }: { title: string; children: ComponentChildren }) {
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

/** Where an invitation link leads: the person chooses a password, then signs in. */
export function InvitationPage({ token, onSignedIn }: { token: string; onSignedIn: () => void }) {
  const [email, setEmail] = useState<string | null>(null);
  // Gone from the address at once.
  useEffect(() => history.replaceState(null, "", location.pathname), []);
  const accept = useAction(async ({ password = "" }: Values) =>
    setEmail(await acceptInvitation(token, password)),
  );
  if (email)
    return (
      <Entry title="Welcome">
        <Notice tone="good">Your password is set. Sign in with it now.</Notice>
        <SignInForm email={email} onSignedIn={onSignedIn} />
      </Entry>
    );
  return (
    <Entry title="Accept your invitation">
      <p>Choose a password for your account.</p>
      <Form action={accept} submit="Set password" kind="primary">
        <NewPasswordField name="password" autofocus />
      </Form>
    </Entry>
  );
}

const REASONS = {
  ended: "Your session has ended. Sign in to see this page again. Your entries are kept.",
  fresh: "Confirm this step with your password. It continues after you sign in.",
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
function SignInForm({ email, besides, onSignedIn }: FormProps) {
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
  const submit = ({ email: person = "", password = "", code = "" }: Values) =>
    void attempt.run(proven ? { ...proven, code } : { email: person, password });
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
  return <Notice tone="bad">{failure.message}</Notice>;
}

function Countdown({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1_000);
    return () => clearInterval(timer);
  }, []);
  const next = left > 0 ? `Try again in ${left} s.` : "You can try again now.";
  return <Notice tone="warn">{`Too many attempts. ${next}`}</Notice>;
}
