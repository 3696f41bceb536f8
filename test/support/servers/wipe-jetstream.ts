/** Simulates a lost disk of NATS. Only while the server is stopped. */
import { rmSync } from "node:fs";
import type { StatePaths } from "../../../deploy/lib/paths.ts";

export function wipeJetStreamStore(paths: StatePaths): void {
  rmSync(paths.natsDir, { recursive: true, force: true });
}
