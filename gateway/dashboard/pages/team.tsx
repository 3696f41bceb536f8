/** The people of the Owner's team, their roles, and invitations. */
import { useState } from "preact/hooks";
import type { InvitationView, TeamMember } from "../../../shared/contract/answers/team.ts";
import { api } from "../core/api.ts";
import { useAction, useRead } from "../core/read.ts";
import { useSession } from "../core/session.ts";
import { Badge, Dotted, Time } from "../ui/bits.tsx";
import { AskButton, OnceDialog } from "../ui/dialog.tsx";
import { Form, SelectField, TextField, type Values } from "../ui/field.tsx";
import { Card, Loaded, Notice, Page } from "../ui/page.tsx";
import { Table } from "../ui/table.tsx";

/** Changes one thing of a member, and says what happened. */
type Change = (step: () => Promise<unknown>, done: string) => Promise<void>;

export function TeamPage() {
  const team = useRead("team", api.team);
  const me = useSession().user.email;
  const [done, setDone] = useState("");
  const change: Change = async (step, text) => {
    await step();
    await team.reload();
    setDone(text);
  };
  return (
    <Page
      title="Team"
      intro="Owners manage everything. Developers manage everything except the team. Viewers only read."
    >
      <div role="status" class={done ? "" : "visually-hidden"}>
        {done && <p class="notice tone-good">{done}</p>}
      </div>
      <Loaded read={team}>
        {({ items, invitations }) => (
          <>
            <Table
              caption="People of your team"
              rows={items}
              keyOf={({ userId }) => userId}
              columns={[
                {
                  label: "Person",
                  cell: ({ email }) => (
                    <>
                      <Dotted text={email} />
                      {email === me && <span class="soft"> (you)</span>}
                    </>
                  ),
                },
                { label: "Role", cell: ({ role }) => <span class="unbroken">{role}</span> },
                {
                  label: "State",
                  cell: ({ disabledAt }) =>
                    disabledAt ? <Badge tone="bad">Disabled</Badge> : <Badge tone="good">Can sign in</Badge>,
                },
                { label: "Member since", cell: ({ createdAt }) => <Time at={createdAt} /> },
                {
                  label: "Action",
                  cell: (member) => (
                    <div class="row">
                      <ChangeRole member={member} isMe={member.email === me} change={change} />
                      {member.email !== me && <SignIn member={member} change={change} />}
                    </div>
                  ),
                },
              ]}
            />
            <Invitations invitations={invitations} reload={team.reload} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

type Props = { member: TeamMember; change: Change };

const ROLES: Readonly<Record<string, string>> = {
  Owner: "Owners can change everything, including your role and the team.",
  Developer: "Developers can change everything except the team.",
  Viewer: "Viewers can read everything except the team. They cannot change anything.",
};
const ROLE_OPTIONS = Object.keys(ROLES).map((role) => [role, role] as const);

/** Saved by a button: the arrow keys of a select pass roles that are not meant. */
function ChangeRole({ member: { userId, email, role }, isMe, change }: Props & { isMe: boolean }) {
  return (
    <AskButton
      button="Change role…"
      label={`Change role of ${email}`}
      yes="Save"
      run={({ role: next = role }) =>
        change(() => api.changeRole(userId)({ body: { role: next } }), `The role of ${email} is now ${next}.`)
      }
    >
      <RoleField role={role} isMe={isMe} />
    </AskButton>
  );
}

function RoleField({ role, isMe }: { role: string; isMe: boolean }) {
  const [chosen, setChosen] = useState(role);
  const isChange = chosen !== role;
  return (
    <>
      <SelectField label="Role" name="role" value={chosen} options={ROLE_OPTIONS} onChange={setChosen} />
      <Notice tone={isChange && (isMe || chosen === "Owner") ? "warn" : "info"}>
        <p>{ROLES[chosen] ?? `The role is ${chosen}.`}</p>
        {isChange && isMe && <p>This is your own role. You will no longer be able to open this page.</p>}
      </Notice>
    </>
  );
}

function SignIn({ member: { userId, email, disabledAt }, change }: Props) {
  return (
    <>
      <AskButton
        button="End sessions…"
        label={`End sessions of ${email}`}
        run={() => change(api.endSessions(userId), `All sessions of ${email} have ended.`)}
      >
        <p>The person is signed out everywhere within seconds and can sign in again.</p>
      </AskButton>
      {disabledAt ? (
        <AskButton
          button="Enable…"
          label={`Enable ${email}`}
          run={() => change(api.enableMember(userId), `${email} can sign in again.`)}
        >
          <p>The person can sign in again. The password and the role are as before.</p>
        </AskButton>
      ) : (
        <AskButton
          button="Disable…"
          label={`Disable ${email}`}
          kind="danger"
          run={() => change(api.disableMember(userId), `${email} is disabled and signed out.`)}
        >
          <p>The person is signed out within seconds. Signing in fails until an Owner enables the account.</p>
        </AskButton>
      )}
    </>
  );
}

type InvitationsProps = { invitations: readonly InvitationView[]; reload: () => Promise<void> };

function Invitations({ invitations, reload }: InvitationsProps) {
  const [link, setLink] = useState<string | null>(null);
  const invite = useAction(async (body: Values) => setLink((await api.invite({ body })).link));
  return (
    <Card title="Invite a colleague">
      <Form action={invite} submit="Create invitation link" kind="primary">
        <div class="filters">
          <TextField label="Email" name="email" type="email" required />
          <SelectField label="Role" name="role" value="Developer" options={ROLE_OPTIONS} />
        </div>
      </Form>
      {invitations.length > 0 && (
        <Table
          caption="Open invitations"
          rows={invitations}
          keyOf={({ invitationId }) => invitationId}
          columns={[
            { label: "Invited", cell: ({ email }) => email },
            { label: "Role", cell: ({ role }) => role },
            { label: "Invited by", cell: ({ invitedBy }) => invitedBy },
            { label: "Expires", cell: ({ expiresAt }) => <Time at={expiresAt} /> },
            {
              label: "Action",
              cell: ({ invitationId, email }) => (
                <AskButton
                  button="Withdraw…"
                  label={`Withdraw the invitation of ${email}`}
                  kind="danger"
                  run={() =>
                    api
                      .withdrawInvitation(invitationId)()
                      .then(() => reload())
                  }
                >
                  <p>The link stops working.</p>
                </AskButton>
              ),
            },
          ]}
        />
      )}
      {link && (
        <OnceDialog
          title="Invitation link"
          text={link}
          what="link"
          onDone={() => {
            setLink(null);
            void reload();
          }}
        >
          Send this link to your colleague. It works once, within 24 hours, and is not shown again.
        </OnceDialog>
      )}
    </Card>
  );
}
