/** Where the link of an invitation leads: a password of one's own, then the sign-in. */
import { useEffect, useState } from "preact/hooks";
import { useAction } from "../core/read.ts";
import { acceptInvitation } from "../core/session.ts";
import { Button, onSubmit, TextField } from "../ui/field.tsx";
import { Failure, Notice } from "../ui/page.tsx";
import { Entry, SignInForm } from "./sign-in.tsx";

export function InvitationPage({ token, onSignedIn }: { token: string; onSignedIn: () => void }) {
  const [email, setEmail] = useState<string | null>(null);
  // Gone from the address at once.
  useEffect(() => history.replaceState(null, "", location.pathname), []);
  const accept = useAction(async (password: string) => setEmail(await acceptInvitation(token, password)));
  if (email)
    return (
      <Entry title="Welcome">
        <Notice tone="good">
          <p>Your password is set. Sign in with it.</p>
        </Notice>
        <SignInForm email={email} onSignedIn={onSignedIn} />
      </Entry>
    );
  return (
    <Entry title="You are invited">
      <p>Choose a password; afterwards you sign in with it.</p>
      <form class="stack" onSubmit={onSubmit(({ password = "" }) => void accept.run(password))}>
        <TextField
          label="New password"
          name="password"
          type="password"
          autocomplete="new-password"
          minLength={8}
          hint="At least eight characters; common ones are refused."
          failure={accept.failure}
          required
          autofocus
        />
        <Failure failure={accept.failure} />
        <Button submit kind="primary" isBusy={accept.isBusy}>
          Set the password
        </Button>
      </form>
    </Entry>
  );
}
