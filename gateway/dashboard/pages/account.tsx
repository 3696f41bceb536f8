/** The account of the signed-in person: password, second factor, sessions, and the theme of this browser. */
import { useState } from "preact/hooks";
import { api } from "../core/api.ts";
import { useAction, useRead } from "../core/read.ts";
import { useSession } from "../core/session.ts";
import { Badge, Time } from "../ui/bits.tsx";
import {
  Button,
  CodeField,
  Form,
  NewPasswordField,
  SelectField,
  TextField,
  type Values,
} from "../ui/field.tsx";
import { Card, Failure, Loaded, Notice, Page } from "../ui/page.tsx";
import { Facts, Table } from "../ui/table.tsx";
import { SecondFactorCard } from "./second-factor.tsx";

export function AccountPage() {
  const { user, partner } = useSession();
  const factor = useRead("factor", api.secondFactor);
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

const THEMES = [
  ["", "System setting"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

/** boot.ts applies it before the first paint. */
function ThemeField() {
  const [theme, setTheme] = useState(localStorage.getItem("theme") ?? "");
  const choose = (next: string) => {
    setTheme(next);
    localStorage.setItem("theme", next);
    document.documentElement.dataset.theme = next;
  };
  return <SelectField label="Theme" name="theme" value={theme} options={THEMES} onChange={choose} />;
}

function PasswordCard({ hasSecondFactor }: { hasSecondFactor: boolean }) {
  const [isDone, setDone] = useState(false);
  const change = useAction(async (body: Values, form: HTMLFormElement) => {
    await api.changePassword({ body });
    form.reset();
    setDone(true);
  });
  return (
    <Card title="Password">
      <Form action={change} submit="Change password">
        <TextField
          label="Current password"
          name="currentPassword"
          type="password"
          autocomplete="current-password"
          required
        />
        <NewPasswordField name="newPassword" />
        {hasSecondFactor && <CodeField />}
        {isDone && !change.failure && (
          <Notice tone="good">The password is changed. Your other sessions have ended.</Notice>
        )}
      </Form>
    </Card>
  );
}

function SessionsCard() {
  const sessions = useRead("sessions", api.sessions);
  const end = useAction(async (step: () => Promise<unknown>) => {
    await step();
    await sessions.reload();
  });
  return (
    <Card
      title="Your sessions"
      actions={
        sessions.value &&
        sessions.value.items.length > 1 && (
          <Button isBusy={end.isBusy} onClick={() => void end.run(api.endOtherSessions)}>
            End all other sessions
          </Button>
        )
      }
    >
      <Failure failure={end.failure} />
      <Loaded read={sessions} lines={2}>
        {({ items }) => (
          <Table
            caption="Your sessions"
            rows={items}
            keyOf={({ sessionId }) => sessionId}
            columns={[
              { label: "Signed in", cell: ({ createdAt }) => <Time at={createdAt} /> },
              { label: "Last used", cell: ({ lastSeenAt }) => <Time at={lastSeenAt} distance /> },
              { label: "Ends", cell: ({ expiresAt }) => <Time at={expiresAt} /> },
              {
                label: "Action",
                cell: ({ sessionId, createdAt, isCurrent }) =>
                  isCurrent ? (
                    <Badge tone="good">This session</Badge>
                  ) : (
                    <Button
                      isBusy={end.isBusy}
                      label={`End the session of ${createdAt}`}
                      onClick={() => void end.run(api.endSession(sessionId))}
                    >
                      End
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}
