/** Faults of a broker's files: lost, damaged, or rolled back. */
import { cpSync, globSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { headers, type Msg, type NatsConnection } from "nats";
import { removal } from "../../support/servers/jetstream-store.ts";
import { withNats } from "../../support/servers/with-client.ts";
import type { Random } from "../seeded-random.ts";
import type { LabStage } from "./stage.ts";

/** The last of those that stop the broker of a stage: one that came while another waits for its start would take that for its own. */
const turns = new WeakMap<LabStage, Promise<void>>();

/** Stops the server, makes the change and starts it again. Changes run one after the other. */
export function whileStopped(stage: LabStage, server: string, change: () => unknown): Promise<void> {
  const mine = (turns.get(stage) ?? Promise.resolve())
    .catch(() => undefined)
    .then(async () => {
      await stage.process(server).stop();
      await change();
      await stage.process(server).start();
    });
  turns.set(stage, mine);
  return mine;
}

/** Simulates a lost disk. */
export const wipe = (stage: LabStage, server: string): Promise<void> =>
  whileStopped(stage, server, () => removeStore(stage, server));

/** The folder itself may be a disk. */
const removeStore = (stage: LabStage, server: string): void =>
  rmSync(join(stage.natsDirOf(server), "jetstream"), { recursive: true, force: true });

export const deleteStream = (stage: LabStage, stream: string): Promise<void> =>
  withBroker(stage, async (nats) => {
    const { streams } = await nats.jetstreamManager();
    await removal(streams.delete(stream));
  });

/** Its messages are gone one by one: unlike a purge, this leaves what the server knows of their ids. */
export const loseMessages = (stage: LabStage, stream: string): Promise<void> =>
  withBroker(stage, async (nats) => {
    const { streams } = await nats.jetstreamManager();
    const { state } = await streams.info(stream);
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1)
      await streams.deleteMessage(stream, seq).catch(() => undefined);
  });

const REPEATED = "Lab-Repeated";
const REPEAT_AFTER_MS = [0, 1_500];

/** Each notification of storage arrives three times. */
export const repeatNotifications = (stage: LabStage, forMs: number): Promise<void> =>
  withBroker(stage, async (nats) => {
    const marked = headers();
    marked.set(REPEATED, "true");
    const repeat = async ({ subject, data, headers: found }: Msg) => {
      if (found?.has(REPEATED)) return;
      for (const afterMs of REPEAT_AFTER_MS) {
        await sleep(afterMs);
        if (!nats.isClosed()) nats.publish(subject, data, { headers: marked });
      }
    };
    nats.subscribe("storage.>", { callback: (_, message) => void repeat(message) });
    await sleep(forMs);
  });

const withBroker = (stage: LabStage, change: (nats: NatsConnection) => Promise<void>): Promise<void> =>
  withNats(stage.addresses.natsUrl, change);

export const truncate = (stage: LabStage, server: string): Promise<void> =>
  whileStopped(stage, server, () => {
    for (const file of blocks(stage, server)) truncateSync(file, Math.floor(statSync(file).size / 2));
  });

const FLIPS_PER_BLOCK = 8;

export const flipBits = (stage: LabStage, server: string, random: Random): Promise<void> =>
  whileStopped(stage, server, () => {
    for (const file of blocks(stage, server)) {
      const bytes = readFileSync(file);
      for (let i = 0; i < FLIPS_PER_BLOCK; i += 1) {
        const at = random.between(0, bytes.length - 1);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random.between(0, 7));
      }
      writeFileSync(file, bytes);
    }
  });

/** EVENTS lets no client delete a message: so their records are taken out of its blocks, and its index is made again. */
export const loseEvents = (stage: LabStage, server: string, random: Random): Promise<void> =>
  whileStopped(stage, server, () => {
    for (const file of blocks(stage, server).filter((path) => path.includes("/EVENTS/msgs/"))) {
      const kept = recordsOf(readFileSync(file)).filter(
        (_, at, all) => at === all.length - 1 || random.next() > LOST_SHARE,
      );
      writeFileSync(file, Buffer.concat(kept));
      rmSync(join(dirname(file), "index.db"), { force: true });
    }
  });

const LOST_SHARE = 0.3;
/** A record begins with its length, of which the highest bit says that it has headers. */
const LENGTH_MASK = 0x7fffffff;

function recordsOf(block: Buffer): Buffer[] {
  const records: Buffer[] = [];
  for (let at = 0, length = 0; at + 4 < block.length; at += length) {
    length = block.readUInt32LE(at) & LENGTH_MASK;
    if (length === 0) break;
    records.push(block.subarray(at, at + length));
  }
  return records;
}

/** Copied while it runs, as a snapshot of a disk is; what is returned puts the copy in place of the store. */
export function copyStore(stage: LabStage, server: string): () => Promise<void> {
  const copy = join(stage.paths.root, "nats-copy");
  copyInUse(stage.natsDirOf(server), copy);
  return () =>
    whileStopped(stage, server, () => {
      removeStore(stage, server);
      cpSync(copy, stage.natsDirOf(server), { recursive: true });
    });
}

const COPIES = 10;

/** The server replaces files while they are copied: then all of it is copied again. */
function copyInUse(from: string, to: string, copies = COPIES): void {
  rmSync(to, { recursive: true, force: true });
  try {
    cpSync(from, to, { recursive: true });
  } catch (error) {
    if (copies === 1) throw error;
    copyInUse(from, to, copies - 1);
  }
}

const blocks = (stage: LabStage, server: string): string[] =>
  globSync("**/*.blk", { cwd: stage.natsDirOf(server) })
    .sort()
    .map((file) => join(stage.natsDirOf(server), file))
    .filter((file) => statSync(file).size > 0);
