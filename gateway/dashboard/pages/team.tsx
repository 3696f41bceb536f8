/** The Owner's colleagues: who may sign in, and as what. */
import { useState } from "preact/hooks";
import type { TeamMember } from "../../../shared/contract/answers/team.ts";
import { api } from "../core/api.ts";
import { useRead } from "../core/read.ts";
import { useSession } from "../core/session.ts";
import { Badge, Dotted, Time } from "../ui/bits.tsx";
import { AskButton } from "../ui/dialog.tsx";
import { SelectField } from "../ui/field.tsx";
import { Loaded, Notice, Page } from "../ui/page.tsx";
import { Table } from "../ui/table.tsx";
import { Invitations, ROLES } from "./invitations.tsx";

/** Changes one thing of a member, and says what happened. */
type Change = (step: () => Promise<unknown>, done: string) => Promise<void>;

export function TeamPage() {
  const team = useRead("team", () => api.team());
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
                    disabledAt ? <Badge tone="bad">Disabled</Badge> : <Badge tone="good">May sign in</Badge>,
                },
                { label: "Since", cell: ({ createdAt }) => <Time at={createdAt} /> },
                {
                  label: "Change",
                  cell: (member) => (
                    <div class="row">
                      <ChangeRole member={member} isMe={member.email === me} change={change} />
                      {member.email !== me && <EndSessions member={member} change={change} />}
                      {member.email !== me && <SignInSwitch member={member} change={change} />}
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

const MAY: Readonly<Record<string, string>> = {
  Owner: "An Owner may change everything, including your role and the team.",
  Developer: "A Developer may change everything but the team.",
  Viewer: "A Viewer sees everything but the team, and changes nothing.",
};

/** Saved by a button: the arrow keys of a select pass roles that are not meant. */
function ChangeRole({ member: { userId, email, role }, isMe, change }: Props & { isMe: boolean }) {
  return (
    <AskButton
      button="Change role…"
      label={`Change role of ${email}`}
      title={`Change the role of ${email}`}
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
      <SelectField
        label="Role"
        name="role"
        value={chosen}
        options={ROLES.map((each) => [each, each])}
        onChange={setChosen}
      />
      <Notice tone={isChange && (isMe || chosen === "Owner") ? "warn" : "info"}>
        <p>{MAY[chosen] ?? `The role is ${chosen}.`}</p>
        {isChange && isMe && <p>This is your own role: you can no longer open this page.</p>}
      </Notice>
    </>
  );
}

function EndSessions({ member: { userId, email }, change }: Props) {
  return (
    <AskButton
      button="End sessions…"
      label={`End sessions of ${email}`}
      title={`End the sessions of ${email}?`}
      yes="End sessions"
      run={() => change(() => api.endSessions(userId)(), `All sessions of ${email} have ended.`)}
    >
      <p>The person is signed out everywhere within seconds, and may sign in again.</p>
    </AskButton>
  );
}

function SignInSwitch({ member: { userId, email, disabledAt }, change }: Props) {
  if (disabledAt)
    return (
      <AskButton
        button="Enable…"
        label={`Enable ${email}`}
        title={`Enable ${email}?`}
        yes="Enable"
        run={() => change(() => api.enableMember(userId)(), `${email} may sign in again.`)}
      >
        <p>The person may sign in again, with the password and the role of before.</p>
      </AskButton>
    );
  return (
    <AskButton
      button="Disable…"
      label={`Disable ${email}`}
      title={`Disable ${email}?`}
      yes="Disable"
      kind="danger"
      run={() => change(() => api.disableMember(userId)(), `${email} is disabled and signed out.`)}
    >
      <p>The person is signed out within seconds and cannot sign in until an Owner enables the account.</p>
    </AskButton>
  );
}
