/** The Owner's colleagues: who may sign in, and as what. */
import type { TeamMember } from "../../../shared/action-types/auth-token.ts";
import { api } from "../core/api.ts";
import { useAction, useRead } from "../core/read.ts";
import { useSession } from "../core/session.ts";
import { Badge, Dotted, Time } from "../ui/bits.tsx";
import { Button, SelectField } from "../ui/field.tsx";
import { Failure, Loaded, Page } from "../ui/page.tsx";
import { Table } from "../ui/table.tsx";
import { Invitations, ROLES } from "./invitations.tsx";

export function TeamPage() {
  const team = useRead("team", () => api.team());
  const me = useSession().user.email;
  const change = useAction(async (step: () => Promise<unknown>) => {
    await step();
    await team.reload();
  });
  const run = (step: () => Promise<unknown>) => () => void change.run(step);
  return (
    <Page
      title="Team"
      intro="Owners may do everything, Developers everything but the team, Viewers only look."
    >
      <Failure failure={change.failure} />
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
                {
                  label: "State",
                  cell: ({ disabledAt }) =>
                    disabledAt ? <Badge tone="bad">Disabled</Badge> : <Badge tone="good">May sign in</Badge>,
                },
                { label: "Since", cell: ({ createdAt }) => <Time at={createdAt} /> },
                {
                  label: "Role",
                  cell: (member) => (
                    <Role
                      member={member}
                      onChange={(role) => run(() => api.changeRole(member.userId)({ body: { role } }))()}
                    />
                  ),
                },
                {
                  label: "Change",
                  cell: (member) =>
                    member.email === me ? (
                      <span class="soft">–</span>
                    ) : (
                      <div class="row">
                        <Button
                          isBusy={change.isBusy}
                          label={`End sessions of ${member.email}`}
                          onClick={run(() => api.endSessions(member.userId)())}
                        >
                          End sessions
                        </Button>
                        {member.disabledAt ? (
                          <Button
                            isBusy={change.isBusy}
                            label={`Enable ${member.email}`}
                            onClick={run(() => api.enableMember(member.userId)())}
                          >
                            Enable
                          </Button>
                        ) : (
                          <Button
                            kind="danger"
                            isBusy={change.isBusy}
                            label={`Disable ${member.email}`}
                            onClick={run(() => api.disableMember(member.userId)())}
                          >
                            Disable
                          </Button>
                        )}
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

function Role({ member, onChange }: { member: TeamMember; onChange: (role: string) => void }) {
  return (
    <SelectField
      label={`Role of ${member.email}`}
      isLabelHidden
      name="role"
      value={member.role}
      options={ROLES.map((role) => [role, role])}
      onChange={onChange}
    />
  );
}
