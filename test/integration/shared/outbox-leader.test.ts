/** Three NATS servers as production has them, of which the one that leads the stream of events is lost under load. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { OutboxEntry } from "../../../shared/contract/events.ts";
import { streamName } from "../../../shared/jetstream/streams.ts";
import { repetitions } from "../../support/repetitions.ts";
import { manifestsConf, type NatsCluster, startNatsCluster } from "../../support/servers/nats-cluster.ts";
import { newSecretsDir } from "../../support/servers/new-secrets-dir.ts";
import { aTestNamespace } from "../../support/servers/servers.ts";
import { type EventPath, openEventPath } from "../../support/stage/event-path.ts";
import { waitFor } from "../../support/wait-for.ts";

let nats: NatsCluster;
let path: EventPath;
const namespace = aTestNamespace();

beforeAll(async () => {
  const { dir: secretsDir } = await newSecretsDir();
  nats = await startNatsCluster({ conf: manifestsConf(), secretsDir, accounts: "" });
  path = await openEventPath(namespace, nats.url, { natsCaFile: nats.caFile, streamReplicas: 3 });
});
afterAll(async () => {
  await path.close();
  await nats.end();
});

/** As they are set for production. */
const INTERVALS = { sweepMs: 2_000, reconcileMs: 120_000 };
/** The promise is five seconds; by day other tests share the machine. The figure is printed. */
const LATE_MS = repetitions({ short: 8_000, nightly: 5_000 });

test("the stream leader is killed: what it did not acknowledge is recorded before the sweep finds it late", async () => {
  const stream = streamName(namespace, "EVENTS");
  const source = await path.aSource(INTERVALS);
  await path.aRecorder();
  const leader = await waitFor(() => nats.leaderOf("$G", stream), "a leader");
  const lost = nats.processes.findIndex(({ name }) => name === leader);
  const survivor = (lost + 1) % nats.processes.length;

  const committed: OutboxEntry[] = [];
  let isLoaded = true;
  const load = (async () => {
    while (isLoaded) {
      const entries = await path.commit(2);
      source.outbox.publish(entries);
      committed.push(...entries);
    }
  })();
  await waitFor(() => committed.length > 50, "load");
  await nats.kill(lost);
  const killed = committed.length;
  const newLeader = async () => {
    const name = await nats.leaderOf("$G", stream, survivor);
    return name !== leader && name;
  };
  await waitFor(newLeader, { what: "a new leader", everyMs: 50 });
  const newLeaderAt = Date.now();
  isLoaded = false;
  await load;
  await path.untilConfirmed();

  const recorded = new Map((await path.recorded()).map(({ _id, recordedAt }) => [_id, recordedAt.getTime()]));
  const delays = committed.map(({ eventId }) => (recorded.get(eventId) ?? Number.NaN) - newLeaderAt);
  const slowest = Math.max(...delays);
  process.stdout.write(
    `${committed.length - killed} events after the kill; slowest ${slowest} ms after the new leader\n`,
  );
  expect(committed.length).toBeGreaterThan(killed);
  expect(slowest).toBeLessThan(LATE_MS);
});
