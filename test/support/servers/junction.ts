/** A TCP proxy that all processes share before a server: the connections of each have a wire of their own. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { newWire, type Wire } from "./link.ts";
import { listen } from "./listen.ts";

type Peer = { name: string; pid(): number | null };
export type Junction = Awaited<ReturnType<typeof startJunction>>;

/** A replica set has one address for each member, so a link for each process is impossible. */
export async function startJunction(serverPort: number, peers: () => readonly Peer[]) {
  const wires = new Map<string, ReturnType<typeof newWire>>();
  const wireOf = (peer: string) => {
    const wire = wires.get(peer) ?? newWire({ host: "127.0.0.1", port: serverPort });
    wires.set(peer, wire);
    return wire;
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const peer = peerOf(client, peers());
    if (peer === null) client.resetAndDestroy();
    else wireOf(peer).take(client);
  });
  const { port, close } = await listen(server);
  return { port, wire: (peer: string): Wire => wireOf(peer), close };
}

const LOOPBACK = "0100007F";
const INODE = 9;
const hex = (port = 0) => port.toString(16).toUpperCase().padStart(4, "0");

/** The process that opened the connection: its socket in the tables of Linux. Null: it is closed again. */
function peerOf({ remotePort, localPort }: Socket, peers: readonly Peer[]): string | null {
  const wanted = `${LOOPBACK}:${hex(remotePort)} ${LOOPBACK}:${hex(localPort)}`;
  const table = readFileSync("/proc/net/tcp", "latin1");
  const at = table.indexOf(wanted);
  if (at < 0) return null;
  const line = table.slice(table.lastIndexOf("\n", at) + 1, table.indexOf("\n", at));
  const socket = `socket:[${line.trim().split(/\s+/)[INODE]}]`;
  return peers.find(({ pid }) => openFiles(pid()).some((file) => linkOf(file) === socket))?.name ?? null;
}

/** The youngest first. */
function openFiles(pid: number | null): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`)
      .reverse()
      .map((file) => `/proc/${pid}/fd/${file}`);
  } catch {
    return [];
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return "";
  }
}
