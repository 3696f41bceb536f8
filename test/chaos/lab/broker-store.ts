/** Faults of a broker's files: lost, damaged, or rolled back. */
import { cpSync, globSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StreamAPI } from "nats";
import { removal, wipeJetStreamStore } from "../../support/servers/jetstream-store.ts";
import { withNats } from "../../support/servers/with-client.ts";
import type { Random } from "../seeded-random.ts";
import type { LabStage } from "./stage.ts";

/** The last of those that stop the broker of a stage: one that came while another waits for its start would take that for its own. */
const turns = new WeakMap<LabStage, Promise<void>>();

/** Stops the broker, makes the change and starts it again. Changes run one after the other. */
export function whileStopped(stage: LabStage, change: () => unknown): Promise<void> {
  const mine = (turns.get(stage) ?? Promise.resolve())
    .catch(() => undefined)
    .then(async () => {
      await stage.process("nats").stop();
      await change();
      await stage.process("nats").start();
    });
  turns.set(stage, mine);
  return mine;
}

export const wipe = (stage: LabStage): Promise<void> =>
  whileStopped(stage, () => wipeJetStreamStore(stage.paths));

export const deleteStream = (stage: LabStage, stream: string): Promise<void> =>
  withStreams(stage, async (streams) => void (await removal(streams.delete(stream))));

/** Its messages are gone one by one: unlike a purge, this leaves what the server knows of their ids. */
export const loseMessages = (stage: LabStage, stream: string): Promise<void> =>
  withStreams(stage, async (streams) => {
    const { state } = await streams.info(stream);
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1)
      await streams.deleteMessage(stream, seq).catch(() => undefined);
  });

const withStreams = (stage: LabStage, change: (streams: StreamAPI) => Promise<void>): Promise<void> =>
  withNats(stage.addresses.natsUrl, async (nats) => change((await nats.jetstreamManager()).streams));

export const truncate = (stage: LabStage): Promise<void> =>
  whileStopped(stage, () => {
    for (const file of blocks(stage)) truncateSync(file, Math.floor(statSync(file).size / 2));
  });

const FLIPS_PER_BLOCK = 8;

export const flipBits = (stage: LabStage, random: Random): Promise<void> =>
  whileStopped(stage, () => {
    for (const file of blocks(stage)) {
      const bytes = readFileSync(file);
      for (let i = 0; i < FLIPS_PER_BLOCK; i += 1) {
        const at = random.between(0, bytes.length - 1);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random.between(0, 7));
      }
      writeFileSync(file, bytes);
    }
  });

/** Copied while it runs, as a snapshot of a disk is; what is returned puts the copy in place of the store. */
export function copyStore(stage: LabStage): () => Promise<void> {
  const copy = join(stage.paths.root, "nats-copy");
  copyInUse(stage.paths.natsDir, copy);
  return () =>
    whileStopped(stage, () => {
      wipeJetStreamStore(stage.paths);
      cpSync(copy, stage.paths.natsDir, { recursive: true });
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

const blocks = (stage: LabStage): string[] =>
  globSync("**/*.blk", { cwd: stage.paths.natsDir })
    .sort()
    .map((file) => join(stage.paths.natsDir, file))
    .filter((file) => statSync(file).size > 0);
