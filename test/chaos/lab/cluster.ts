/**
 * Three members of MongoDB and three servers of NATS, without TLS. Every connection, also between them, takes the wire of
 * the process that opened it.
 */
import { randomBytes } from "node:crypto";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type mongoose from "mongoose";
import { MONGOD_SET } from "../../../deploy/lib/paths.ts";
import { manageProcess, type ProcessHost } from "../../../deploy/local/processes/managed-process.ts";
import { mongodSpec } from "../../../deploy/local/servers/mongod.ts";
import { findMongod } from "../../../deploy/local/servers/mongod-binary.ts";
import { natsSpec, writeNatsConfig } from "../../../deploy/local/servers/nats.ts";
import { findNatsServer } from "../../../deploy/local/servers/nats-binary.ts";
import { type Junction, startJunction } from "../../support/servers/junction.ts";
import type { Wire } from "../../support/servers/link.ts";
import { isHealthy, leaderOf, metaLeaderOf } from "../../support/servers/nats-cluster.ts";
import { withMongo } from "../../support/servers/with-client.ts";
import { mountSmallDisk, unmountDisk } from "../../support/small-disk.ts";
import { waitFor } from "../../support/wait-for.ts";
import type { Random } from "../seeded-random.ts";

const MEMBERS = [0, 1, 2].map((index) => `mongod-${index}`);
const SERVERS = [0, 1, 2].map((index) => `nats-${index}`);
/** With room for what a run stores, and soon full. */
const SMALL_DISK_MIB = { "mongod-2": 1_024, "nats-2": 256 };
const LAB = "lab";
const FIRST_USER = "first";
const READY_WITHIN_MS = 200_000;
/** An election is over by then, also on a busy machine. */
const ROLE = { timeoutMs: 60_000 };
const WRITE_WITHIN_MS = 2_000;

export async function startCluster(host: ProcessHost) {
  const { paths, report } = host;
  const junctions = new Map<string, Junction>();
  const peers = () => [...host.processes, { name: "lab", pid: () => process.pid }];
  const through = async (name: string): Promise<[own: number, shared: number]> => {
    const own = await host.ports.take(name);
    const junction = await startJunction(own, peers);
    junctions.set(name, junction);
    return [own, junction.port];
  };
  const dirOf = (name: string) => join(paths.root, name);
  const mounted = Object.entries(SMALL_DISK_MIB).filter(([name, size]) => mountSmallDisk(dirOf(name), size));

  async function startMembers(): Promise<string> {
    const binary = await findMongod(report);
    const keyFile = join(paths.root, "members-key");
    writeFileSync(keyFile, randomBytes(32).toString("base64"), { mode: 0o600 });
    const ports = await Promise.all(MEMBERS.map(through));
    const start = (name: string, port: number) => {
      mkdirSync(dirOf(name), { recursive: true });
      const spec = mongodSpec(binary, port, { ...paths, mongodDir: dirOf(name) });
      const args = [...spec.args, "--keyFile", keyFile];
      const isReady = () => hasRole(`mongodb://127.0.0.1:${port}/?directConnection=true`);
      return manageProcess({ ...spec, name, args, isReady, readyWithinMs: READY_WITHIN_MS }, host).start();
    };
    await Promise.all(MEMBERS.map((name, index) => start(name, ports[index]?.[0] ?? 0)));
    const hosts = ports.map(([, shared]) => `127.0.0.1:${shared}`);
    const members = hosts.map((member, _id) => ({ _id, host: member }));
    await withMongo(`mongodb://127.0.0.1:${ports[0]?.[0]}/?directConnection=true`, async (client) => {
      await client.db("admin").command({ replSetInitiate: { _id: MONGOD_SET, members } });
    });
    const uri = `mongodb://${hosts.join(",")}/?replicaSet=${MONGOD_SET}`;
    // The first client from this machine may make the first user, once there is a primary.
    const addFirst = () => withMongo(uri, (client) => client.db("admin").command(newUser(LAB)));
    await waitFor(addFirst, "the first user of the set");
    await withMongo(uriOf(uri, LAB), (client) => client.db("admin").command(newUser(FIRST_USER)));
    return uri;
  }

  const usersFile = join(paths.root, "nats-users.conf");
  const allowInNats = (users: readonly string[]) => {
    const each = users.map((user) => `{ user: ${user}, password: ${user} }`);
    writeFileSync(usersFile, `authorization { users: [ ${each.join(", ")} ] }\nno_auth_user: ${LAB}\n`);
  };
  const monitors = new Map<string, number>();
  async function startNatsServers(): Promise<string> {
    const program = await findNatsServer(report);
    allowInNats([LAB, FIRST_USER]);
    const clients = await Promise.all(SERVERS.map(through));
    const routes = await Promise.all(SERVERS.map((name) => through(routesOf(name))));
    const start = async (name: string, index: number) => {
      const monitor = await host.ports.take(`${name} monitor`);
      monitors.set(name, monitor);
      const own = { ...paths, natsDir: dirOf(name), natsConfigFile: `${dirOf(name)}.conf` };
      const others = routes.filter((_, at) => at !== index).map(([, shared]) => `nats://127.0.0.1:${shared}`);
      const [clientPort = 0] = clients[index] ?? [];
      const [listen, advertise] = (routes[index] ?? []).map((port) => `"127.0.0.1:${port}"`);
      writeNatsConfig(clientPort, own);
      appendFileSync(
        own.natsConfigFile,
        `include ${basename(usersFile)}\nserver_name: ${name}\nhttp: "127.0.0.1:${monitor}"\ncluster { name: lab, listen: ${listen}, advertise: ${advertise}, no_advertise: true, routes: ${JSON.stringify(others)} }\n`,
      );
      // A cluster repairs itself from its other servers.
      const { repair: _, ...spec } = natsSpec(program, clientPort, own);
      const isReady = () => isHealthy(monitor);
      await manageProcess({ ...spec, name, isReady, readyWithinMs: READY_WITHIN_MS }, host).start();
    };
    await Promise.all(SERVERS.map(start));
    return clients.map(([, shared]) => `nats://127.0.0.1:${shared}`).join(",");
  }

  const close = async () => {
    await Promise.all([...junctions.values()].map((junction) => junction.close()));
    for (const [name] of mounted) unmountDisk(dirOf(name));
  };
  const [address, natsUrl] = await Promise.all([startMembers(), startNatsServers()]).catch(async (error) => {
    await close();
    throw error;
  });

  const mongodbUri = uriOf(address, LAB);
  const asLab = <T>(work: (admin: mongoose.mongo.Db) => Promise<T>): Promise<T> =>
    withMongo(mongodbUri, (client) => work(client.db("admin")));

  const anyServer = async (ask: (monitor: number) => Promise<string>): Promise<string> =>
    (await Promise.all([...monitors.values()].map((port) => ask(port).catch(() => "")))).find(Boolean) ?? "";
  const primary = () =>
    asLab(async (admin) => {
      const { me } = await admin.command({ hello: 1 });
      return MEMBERS.find((name) => String(me).endsWith(`:${junctions.get(name)?.port}`));
    });
  const others = (name: string) =>
    (MEMBERS.includes(name) ? MEMBERS : SERVERS).filter((other) => other !== name);
  const ROLES: Record<string, (random: Random) => Promise<string[]>> = {
    primary: async () => [await waitFor(primary, { ...ROLE, what: "a primary" })],
    secondary: async (random) => random.shuffle(others((await ROLES.primary?.(random))?.[0] ?? "")).slice(1),
    "two-members": async (random) => random.shuffle(MEMBERS).slice(1),
    "two-servers": async (random) => random.shuffle(SERVERS).slice(1),
    "all-servers": async () => SERVERS,
    "meta-leader": async () => [
      await waitFor(() => anyServer(metaLeaderOf), { ...ROLE, what: "a meta leader" }),
    ],
  };

  return {
    /** As a user of the laboratory's own. */
    mongodbUri,
    natsUrl,
    /** As which the processes come, at first. */
    envOf: (user = FIRST_USER) => ({
      nats: {
        ...{ PBO_NATS_USER: user, PBO_NATS_PASSWORD: user },
        ...{ PBO_NATS_STREAMS_USER: user, PBO_NATS_STREAMS_PASSWORD: user },
      },
      mongod: { PBO_MONGODB_URI: uriOf(address, user) },
    }),
    /** The processes may come as each of these users, and as no other. */
    async allow(server: "nats" | "mongod", users: readonly string[]): Promise<void> {
      if (server === "nats") {
        allowInNats([LAB, ...users]);
        for (const { name, kill } of host.processes) if (SERVERS.includes(name)) kill("SIGHUP");
        return;
      }
      await asLab(async (admin) => {
        const { users: all } = await admin.command({ usersInfo: 1 });
        const found: string[] = all.map(({ user }: { user: string }) => user);
        for (const user of users) if (!found.includes(user)) await admin.command(newUser(user));
        const others = found.filter((user) => ![LAB, ...users].includes(user));
        for (const user of others) await admin.command({ dropUser: user });
      });
    },
    async untilWritable(): Promise<void> {
      const majority = { writeConcern: { w: "majority", wtimeoutMS: WRITE_WITHIN_MS } } as const;
      const write = () => asLab((admin) => admin.collection("lab_beats").insertOne({}, majority));
      await waitFor(write, { ...ROLE, what: "a write that a majority confirms" });
    },
    dirOf,
    /** The processes that have this role now. */
    async inRole(target: string, random: Random): Promise<string[]> {
      const [stream, role] = target.split("-");
      const leader = () => anyServer((port) => leaderOf(port, "$G", stream ?? ""));
      if (role === "leader" && stream !== "meta")
        return [await waitFor(leader, { ...ROLE, what: `a leader of ${stream}` })];
      return (await ROLES[target]?.(random)) ?? [target];
    },
    /** `delivery-1>nats` are those to all three servers, `delivery-1>nats-0` the one. */
    wires(link: string): Wire[] {
      const [peer = "", server = ""] = link.split(">");
      const isMeant = (name: string) => name === server || name.slice(0, -2) === server;
      return [...MEMBERS, ...SERVERS]
        .filter(isMeant)
        .flatMap((name) => junctions.get(name)?.wire(peer) ?? []);
    },
    /** Between the server and its like, in both directions; its clients still reach it. */
    wiresToOthers(name: string): Wire[] {
      const inside = (server: string) => junctions.get(routesOf(server)) ?? junctions.get(server);
      return others(name)
        .flatMap((other) => [inside(name)?.wire(other), inside(other)?.wire(name)])
        .filter(isWire);
    },
    /** Its liveness probe passes. */
    isAlive: (name: string) => isHealthy(monitors.get(name) ?? 0, "js-enabled-only"),
    close,
  };
}

/** The password is the name. */
const newUser = (user: string) => ({ createUser: user, pwd: user, roles: ["root"] });
const uriOf = (address: string, user: string) =>
  `${address.replace("//", `//${user}:${user}@`)}&authSource=admin`;
const routesOf = (name: string) => `${name} routes`;
const isWire = (wire: Wire | undefined): wire is Wire => wire !== undefined;

/** A new member has none before the set is initiated. */
const hasRole = (uri: string): Promise<boolean> =>
  withMongo(
    uri,
    async (client) => {
      const { isWritablePrimary, secondary, isreplicaset } = await client.db("admin").command({ hello: 1 });
      return Boolean(isWritablePrimary || secondary || isreplicaset);
    },
    { serverSelectionTimeoutMS: 2_000 },
  );
