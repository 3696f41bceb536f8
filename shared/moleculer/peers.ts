/** Other processes by their heartbeats. Deadlines are sent in the clock of the called process: no wait prolongs them. */
import { BoundedMap } from "../bounded-map.ts";

/** Part of every heartbeat. */
export type Heartbeat = { sender: string; clockMs?: number; connection?: number };

type Peer = { clockAheadMs: number; connection: number; at: number };

const MAX_PROCESSES = 1_000;

export function createPeers() {
  const peers = new BoundedMap<string, Peer>(MAX_PROCESSES);
  let ownConnection = 1;
  return {
    heartbeat: () => ({ clockMs: performance.now(), connection: ownConnection }),
    /** True when the sender has lost its connection since its last heartbeat, and with it requests or answers. */
    receive({ sender, clockMs = Number.NaN, connection = 0 }: Heartbeat): boolean {
      const before = peers.get(sender);
      const at = performance.now();
      // A heartbeat arrives after it was written: a deadline can only come early, by the time of its way.
      peers.set(sender, { clockAheadMs: clockMs - at, connection, at });
      return before !== undefined && before.connection !== connection;
    },
    /** Undefined without a heartbeat on this connection: the process may not be connected yet. */
    get: (nodeID: string): Peer | undefined => peers.get(nodeID),
    /** False when the process was not there. */
    remove: (nodeID: string): boolean => peers.delete(nodeID),
    connectionLost(): void {
      peers.clear();
      ownConnection += 1;
    },
  };
}
