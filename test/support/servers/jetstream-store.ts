/** Streams of a nats-server that are lost. */
import { rmSync } from "node:fs";
import type { StatePaths } from "../../../deploy/lib/paths.ts";

/** Simulates a lost disk of NATS. Only while the server is stopped. */
export const wipeJetStreamStore = ({ natsDir }: StatePaths): void =>
  rmSync(natsDir, { recursive: true, force: true });

/** nats-server 2.9 says "directory not empty" when a file comes in while it removes one; the stream is gone all the same. */
export const removal = (asked: Promise<boolean>): Promise<boolean> =>
  asked.catch((error: unknown) => {
    if (!String(error).includes("directory not empty")) throw error;
    return true;
  });
