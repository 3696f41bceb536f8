/** The person who is signed in: password, second factor, the theme of this browser. */
import { useState } from "preact/hooks";
import { api } from "../core/api.ts";
import { useAction, useRead } from "../core/read.ts";
import { useSession } from "../core/session.ts";
import { chooseTheme, chosenTheme, type Theme } from "../core/theme.ts";
import { Button, CodeField, onSubmit, SelectField, TextField } from "../ui/field.tsx";
import { Card, Failure, Notice, Page } from "../ui/page.tsx";
import { Facts } from "../ui/table.tsx";
import { SecondFactorCard } from "./second-factor.tsx";
import { SessionsCard } from "./sessions.tsx";

export function AccountPage() {
  const { user, partner } = useSession();
  const factor = useRead("factor", () => api.secondFactor());
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
        <PasswordCard hasSecondFactor={factor.value?.enabled ?? false} />
        <SecondFactorCard factor={factor} />
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

function PasswordCard({ hasSecondFactor }: { hasSecondFactor: boolean }) {
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
        {hasSecondFactor && <CodeField failure={change.failure} />}
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
