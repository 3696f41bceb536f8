/** Whoever is signed in: password, second factor, the theme of this browser. */
import { useState } from "preact/hooks";
import { api } from "../core/api.ts";
import { useAction, useRead } from "../core/read.ts";
import { useSession } from "../core/session.ts";
import { chooseTheme, chosenTheme, type Theme } from "../core/theme.ts";
import { Badge, Copyable } from "../ui/bits.tsx";
import { Button, onSubmit, SelectField, TextField } from "../ui/field.tsx";
import { Card, Failure, Loaded, Notice, Page } from "../ui/page.tsx";
import { Facts } from "../ui/table.tsx";
import { SessionsCard } from "./sessions.tsx";

export function AccountPage() {
  const { user, partner } = useSession();
  return (
    <Page title="My account">
      <div class="grid">
        <Card title="You">
          <Facts
            items={[
              ["Email", user.email],
              ["Role", user.role],
              ["Organisation", partner?.name ?? "Compliance"],
            ]}
          />
          <ThemeField />
        </Card>
        <PasswordCard />
        <SecondFactorCard />
      </div>
      <SessionsCard />
    </Page>
  );
}

function ThemeField() {
  const [theme, setTheme] = useState(chosenTheme());
  return (
    <SelectField
      label="Theme"
      name="theme"
      value={theme}
      options={[
        ["system", "As the system"],
        ["light", "Light"],
        ["dark", "Dark"],
      ]}
      onChange={(value) => {
        const next: Theme = value === "light" || value === "dark" ? value : "system";
        chooseTheme(next);
        setTheme(next);
      }}
    />
  );
}

function PasswordCard() {
  const [isDone, setDone] = useState(false);
  const change = useAction(async (form: HTMLFormElement, body: Record<string, string>) => {
    await api.changePassword({ body });
    form.reset();
    setDone(true);
  });
  return (
    <Card title="Password">
      <form
        class="stack"
        onSubmit={(event) => {
          const form = event.currentTarget;
          onSubmit((values) => void change.run(form, values))(event);
        }}
      >
        <TextField
          label="Current password"
          name="currentPassword"
          type="password"
          autocomplete="current-password"
          failure={change.failure}
          required
        />
        <TextField
          label="New password"
          name="newPassword"
          type="password"
          autocomplete="new-password"
          minLength={8}
          hint="At least eight characters; common ones are refused."
          failure={change.failure}
          required
        />
        <Failure failure={change.failure} />
        {isDone && !change.failure && (
          <Notice tone="good">
            <p>The password is changed. Your other sessions have ended.</p>
          </Notice>
        )}
        <div>
          <Button submit isBusy={change.isBusy}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  );
}

function SecondFactorCard() {
  const factor = useRead("factor", () => api.secondFactor());
  const [secret, setSecret] = useState<string | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const begin = useAction(async () => setSecret((await api.beginSecondFactor()).secret));
  const confirm = useAction(async (body: Record<string, string>) => {
    setCodes((await api.confirmSecondFactor({ body })).recoveryCodes);
    setSecret(null);
    await factor.reload();
  });
  const remove = useAction(async (body: Record<string, string>) => {
    await api.removeSecondFactor({ body });
    await factor.reload();
  });
  return (
    <Card title="Second factor">
      <Loaded read={factor} lines={2}>
        {({ enabled, required, recoveryCodesLeft }) => (
          <>
            <div class="row">
              <Badge tone={enabled ? "good" : required ? "bad" : undefined}>{enabled ? "On" : "Off"}</Badge>
              <span class="soft">
                {enabled
                  ? `${recoveryCodesLeft} recovery codes left`
                  : required
                    ? "Your role needs one."
                    : "Recommended."}
              </span>
            </div>
            {codes && (
              <Notice tone="warn">
                <p>Store these recovery codes now; each works once and they are not shown again.</p>
                <pre>{codes.join("\n")}</pre>
              </Notice>
            )}
            {!enabled && !secret && (
              <div>
                <Button onClick={() => void begin.run()} isBusy={begin.isBusy}>
                  Set up
                </Button>
              </div>
            )}
            {secret && (
              <CodeForm label="Confirm" action={confirm}>
                <p>Type this into your authenticator, then its code here:</p>
                <Copyable text={secret} />
              </CodeForm>
            )}
            {enabled && !codes && <CodeForm label="Remove the second factor" action={remove} />}
          </>
        )}
      </Loaded>
      <Failure failure={begin.failure} />
    </Card>
  );
}

type CodeFormProps = {
  label: string;
  action: ReturnType<typeof useAction<[Record<string, string>]>>;
  children?: preact.ComponentChildren;
};

function CodeForm({ label, action, children }: CodeFormProps) {
  return (
    <form class="stack" onSubmit={onSubmit((values) => void action.run(values))}>
      {children}
      <TextField label="Code" name="code" inputMode="numeric" autocomplete="one-time-code" required />
      <Failure failure={action.failure} />
      <div>
        <Button submit isBusy={action.isBusy}>
          {label}
        </Button>
      </div>
    </form>
  );
}
