/** Where a person is signed in. */
import { api } from "../core/api.ts";
import { useAction, useRead } from "../core/read.ts";
import { Badge, Time } from "../ui/bits.tsx";
import { Button } from "../ui/field.tsx";
import { Card, Failure, Loaded } from "../ui/page.tsx";
import { Table } from "../ui/table.tsx";

export function SessionsCard() {
  const sessions = useRead("sessions", () => api.sessions());
  const end = useAction(async (step: () => Promise<unknown>) => {
    await step();
    await sessions.reload();
  });
  return (
    <Card
      title="Where you are signed in"
      actions={
        sessions.value &&
        sessions.value.items.length > 1 && (
          <Button isBusy={end.isBusy} onClick={() => void end.run(() => api.endOtherSessions())}>
            End all others
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
              { label: "Since", cell: ({ createdAt }) => <Time at={createdAt} /> },
              { label: "Last used", cell: ({ lastSeenAt }) => <Time at={lastSeenAt} distance /> },
              { label: "Ends", cell: ({ expiresAt }) => <Time at={expiresAt} /> },
              {
                label: "Change",
                cell: ({ sessionId, createdAt, isCurrent }) =>
                  isCurrent ? (
                    <Badge tone="good">This one</Badge>
                  ) : (
                    <Button
                      isBusy={end.isBusy}
                      label={`End the session of ${createdAt}`}
                      onClick={() => void end.run(() => api.endSession(sessionId)())}
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
