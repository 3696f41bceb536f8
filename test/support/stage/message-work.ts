/** How many messages the processes of a namespace send over NATS, whatever the server carries for others. */
import { connect } from "nats";
import { testServers } from "../servers/servers.ts";

export type MessageCount = Awaited<ReturnType<typeof countMessages>>;

export async function countMessages(namespace: string) {
  const nats = await connect({ servers: testServers().natsUrl });
  const bySubject = new Map<string, number>();
  nats.subscribe(">", {
    callback(_error, { subject }) {
      if (subject.toLowerCase().includes(namespace))
        bySubject.set(subject, (bySubject.get(subject) ?? 0) + 1);
    },
  });
  await nats.flush();
  return {
    /** So far, of subjects that match; every subject of ours has the namespace in it. */
    async of(pattern: RegExp): Promise<number> {
      await nats.flush();
      const meant = [...bySubject].filter(([subject]) => pattern.test(subject));
      return meant.reduce((sum, [, count]) => sum + count, 0);
    },
    close: () => nats.close(),
  };
}
