/** Colleagues who were invited and have not come yet; a link is shown once. */
import { useState } from "preact/hooks";
import type { InvitationView } from "../../../shared/contract/answers/team.ts";
import { api } from "../core/api.ts";
import { useAction } from "../core/read.ts";
import { CopyButton, Time } from "../ui/bits.tsx";
import { AskButton, Dialog, DialogFoot } from "../ui/dialog.tsx";
import { Button, onSubmit, SelectField, TextField } from "../ui/field.tsx";
import { Card, Failure } from "../ui/page.tsx";
import { Table } from "../ui/table.tsx";

export const ROLES = ["Owner", "Developer", "Viewer"] as const;

type Props = { invitations: readonly InvitationView[]; reload: () => Promise<void> };

export function Invitations({ invitations, reload }: Props) {
  const [link, setLink] = useState<string | null>(null);
  const invite = useAction(async (body: Record<string, string>) => {
    setLink((await api.invite({ body })).link);
  });
  return (
    <Card title="Invite a colleague">
      <form class="stack" onSubmit={onSubmit((values) => void invite.run(values))}>
        <div class="filters">
          <TextField
            label="Email"
            name="email"
            type="email"
            autocomplete="off"
            failure={invite.failure}
            required
          />
          <SelectField
            label="Role"
            name="role"
            value="Developer"
            options={ROLES.map((role) => [role, role])}
          />
          <div>
            <Button submit kind="primary" isBusy={invite.isBusy}>
              Make a link
            </Button>
          </div>
        </div>
        <Failure failure={invite.failure} />
      </form>
      {invitations.length > 0 && (
        <Table
          caption="Invited, not yet here"
          rows={invitations}
          keyOf={({ invitationId }) => invitationId}
          columns={[
            { label: "Invited", cell: ({ email }) => email },
            { label: "Role", cell: ({ role }) => role },
            { label: "By", cell: ({ invitedBy }) => invitedBy },
            { label: "Until", cell: ({ expiresAt }) => <Time at={expiresAt} /> },
            {
              label: "Change",
              cell: ({ invitationId, email }) => (
                <AskButton
                  button="Withdraw…"
                  label={`Withdraw the invitation of ${email}`}
                  title={`Withdraw the invitation of ${email}?`}
                  yes="Withdraw"
                  kind="danger"
                  run={async () => {
                    await api.withdrawInvitation(invitationId)();
                    await reload();
                  }}
                >
                  <p>The link stops working.</p>
                </AskButton>
              ),
            },
          ]}
        />
      )}
      {link && (
        <Dialog title="The invitation">
          <p>Send this link to your colleague. It works once, for 24 hours, and is not shown again.</p>
          <pre>
            <code>{link}</code>
          </pre>
          <DialogFoot>
            <CopyButton text={link} label="Copy the link" />
            <Button
              kind="primary"
              onClick={() => {
                setLink(null);
                void reload();
              }}
            >
              I have sent it
            </Button>
          </DialogFoot>
        </Dialog>
      )}
    </Card>
  );
}
