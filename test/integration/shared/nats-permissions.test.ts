/** The message bus as it is shipped: three servers on the manifests' nats.conf, each process with the least privilege. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import { connect, type NatsConnection } from "nats";
import {
  accountsConfig,
  MIGRATION_USER,
  OPERATOR_USER,
  PROCESSES,
  STORAGE_USER,
  STREAM_PROCESSES,
  secondUser,
  streamsUser,
} from "../../../deploy/nats/permissions.ts";
import { STREAM_RIGHTS } from "../../../deploy/nats/rights.ts";
import authTokenService from "../../../services/auth-token/auth-token.service.ts";
import deliveryService from "../../../services/delivery/delivery.service.ts";
import documentService from "../../../services/document/document.service.ts";
import profileService from "../../../services/profile/profile.service.ts";
import registryService from "../../../services/webhook-registry/webhook-registry.service.ts";
import { type ProcessName, SERVICE_NAMES } from "../../../shared/config/config.ts";
import {
  CONSUMERS,
  STREAMS,
  type StreamName,
  storageSubject,
  streamName,
  subjectName,
} from "../../../shared/jetstream/streams.ts";
import { runtimeOf } from "../../../shared/moleculer/runtime.ts";
import { serviceRuntimeOf } from "../../../shared/moleculer/service.ts";
import { continueTrace } from "../../../shared/telemetry/trace.ts";
import { aSmallProfile } from "../../support/builders/profile-builders.ts";
import { createTestBucket } from "../../support/servers/servers.ts";
import { isRefused, startPermissionStage } from "../../support/stage/permission-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

type Hears = { eventHandler(packet: { event: string }): unknown };

const stage = stageOfFile(startPermissionStage);
const brokers = new Map<ProcessName, ServiceBroker>();
const broker = (name: ProcessName): ServiceBroker => {
  const found = brokers.get(name);
  if (!found) throw new Error(`${name} does not run`);
  return found;
};

beforeAll(async () => {
  await createTestBucket(stage.namespace);
  const services: Partial<Record<ProcessName, unknown>> = {
    "auth-token": authTokenService,
    profile: profileService,
    document: documentService,
    "webhook-registry": registryService,
    delivery: deliveryService,
  };
  const names: ProcessName[] = [...SERVICE_NAMES, "gateway", "admin"];
  await Promise.all(
    names.map(async (name) => brokers.set(name, await stage.start(name, services[name] as never))),
  );
  await stage.untilMet();
});

const partnerId = randomUUID();
const partnerMeta = () => ({
  requestId: randomUUID(),
  callId: randomUUID(),
  traceparent: continueTrace(null),
  caller: { kind: "partner", partnerId, clientId: "client", scopes: ["partner.read", "partner.write"] },
});
const request = (body?: unknown) => ({ params: {}, query: {}, body, headers: { ifMatch: null } });

describe("each process can do its work", () => {
  test("the gateway calls every service", async () => {
    for (const name of SERVICE_NAMES)
      expect(await broker("gateway").call(`${name}.ping`)).toEqual({ pong: true });
  });

  test("the operator calls what is the operator's", async () => {
    expect(await broker("admin").call("auth-token.listPartners", {})).toBeDefined();
  });

  test("a create becomes an event that delivery records and confirms to the profile service", async () => {
    const create = { params: request(aSmallProfile()), meta: partnerMeta() };
    await broker("gateway").call("profile.create", { requests: [create] });
    const recorded = serviceRuntimeOf(broker("delivery")).mongo.connection.collection("events");
    await waitFor(() => recorded.countDocuments({ partnerId }), "the event is recorded");
    const profiles = serviceRuntimeOf(broker("profile")).mongo.connection.collection("business_profiles");
    await waitFor(async () => (await profiles.countDocuments({ partnerId, outbox: { $size: 0 } })) === 1, {
      what: "the outbox is empty",
    });
    for (const name of ["profile", "delivery"] as const)
      expect(
        await runtimeOf(broker(name)).jetstream.numbers("EVENTS", [CONSUMERS.deliveryRecord]),
      ).not.toBeNull();
  });

  test("storage tells of a file, and the document service acknowledges it", async () => {
    const connection = await stage.connect(STORAGE_USER);
    const answer = await connection
      .jetstream()
      .publish(storageSubject(stage.namespace), JSON.stringify({ Records: [] }));
    expect(answer.seq).toBeGreaterThan(0);
    const { jetstream } = runtimeOf(broker("document"));
    await waitFor(async () => {
      const numbers = await jetstream.numbers("STORAGE", [CONSUMERS.documentArrival]);
      return numbers?.consumers.every(({ pending, ackPending }) => pending + ackPending === 0);
    }, "the notice is acknowledged");
  });

  test("the registry tells delivery that an endpoint changed", async () => {
    const { eventHandler } = broker("delivery").transit as unknown as Hears;
    const heard = new Promise<string>((resolve) => {
      (broker("delivery").transit as unknown as Hears).eventHandler = function (packet) {
        resolve(packet.event);
        return eventHandler.call(this, packet);
      };
    });
    await broker("webhook-registry").broadcast("webhook-endpoint.changed", { partnerId });
    expect(await heard).toBe("webhook-endpoint.changed");
  });

  test("and the server had nothing to refuse", () => {
    expect(
      stage
        .log()
        .split("\n")
        .filter((line) => /violation/i.test(line)),
    ).toEqual([]);
  });
});

describe("the cluster of the manifests", () => {
  test("forms: each server has routes to the others, secured by the certificates of the secrets", async () => {
    // From 2.10 on several connections make one route.
    for (const routes of await stage.nats.routes()) expect(routes).toBeGreaterThanOrEqual(2);
  });

  test("keeps three copies of every stream", async () => {
    const connection = await stage.connect(OPERATOR_USER);
    const manager = await connection.jetstreamManager();
    for (const name of Object.keys(STREAMS) as StreamName[]) {
      const { config, cluster } = await manager.streams.info(streamName(stage.namespace, name));
      expect([name, config.num_replicas, cluster?.replicas?.length]).toEqual([name, 3, 2]);
    }
  });

  test("is not believed by a client that has not its CA", async () => {
    const login = { user: "admin", pass: stage.passwords.get("admin") ?? "" };
    await expect(connect({ servers: stage.servers, ...login })).rejects.toThrow();
  });
});

describe("no process can do another's", () => {
  const raw = new Map<string, NatsConnection>();
  const as = async (user: string) => {
    const connection = raw.get(user) ?? (await stage.connect(user));
    raw.set(user, connection);
    return connection;
  };
  const publishing = async (user: string, subject: string) =>
    isRefused(await as(user), (connection) =>
      connection.publish(subject, "{}", { reply: `_INBOX_${user}.x` }),
    );
  const subscribing = async (user: string, subject: string) =>
    isRefused(
      await as(user),
      (connection) => void connection.subscribe(subject, { callback: () => undefined }),
    );
  /** In parallel: each user has a connection of its own, which shows one refusal at a time. */
  const eachOf = async <T>(all: readonly T[], check: (one: T) => Promise<void>) => {
    await Promise.all(all.map(check));
  };
  const ofStreams = new Map<string, ProcessName>(STREAM_PROCESSES.map((name) => [streamsUser(name), name]));
  const users = [...PROCESSES, ...ofStreams.keys(), MIGRATION_USER, STORAGE_USER];
  const rightsOf = (user: string) => {
    const process = ofStreams.get(user);
    return process ? STREAM_RIGHTS[process] : null;
  };
  const subject = (name: string) => subjectName(stage.namespace, name);
  const mol = () => `MOL-${stage.namespace}`;

  test("events: only the profile service publishes them; a permitted one is not refused", () =>
    eachOf(users, async (user) => {
      const isRefused = await publishing(user, subject(`events.${partnerId}.business.profile.created`));
      expect([user, isRefused]).toEqual([user, user !== streamsUser("profile")]);
    }));

  test("arrivals: only storage publishes them", () =>
    eachOf(users, async (user) => {
      expect([user, await publishing(user, subject("storage.arrivals"))]).toEqual([
        user,
        user !== STORAGE_USER,
      ]);
    }));

  test("inboxes: no user reads another user's, nor everything", () =>
    eachOf(users, async (user) => {
      const inboxes = PROCESSES.filter((name) => name !== user).map((name) => `_INBOX_${name}.>`);
      for (const inbox of [...inboxes, ">", subject("events.>")])
        expect([user, inbox, await subscribing(user, inbox)]).toEqual([user, inbox, true]);
    }));

  test("calls: no process reads another's requests and answers, or calls other actions than its own", async () => {
    await eachOf(PROCESSES, async (user) => {
      const others = SERVICE_NAMES.filter((name) => name !== user);
      for (const packets of others.flatMap((other) => [`REQ.*.*.*.${other}.>`, `RES.*.${other}.>`]))
        expect([user, packets, await subscribing(user, `${mol()}.${packets}`)]).toEqual([
          user,
          packets,
          true,
        ]);
      for (const packets of ["REQ.>", "RES.>"])
        expect([user, packets, await subscribing(user, `${mol()}.${packets}`)]).toEqual([
          user,
          packets,
          true,
        ]);
    });
    const request = (from: string, action: string, to: string) =>
      publishing("document", `${mol()}.REQ.${from}.${action}.${to}.x`);
    expect(await request("document", "profile.recordDocument", "profile")).toBe(false);
    expect(await request("document", "profile.approveCase", "profile")).toBe(true);
    expect(await request("document", "profile.recordDocument", "auth-token")).toBe(true);
    expect(await request("gateway", "profile.approveCase", "profile")).toBe(true);
    expect(await request("document", "delivery.countSkipped", "delivery")).toBe(true);
  });

  test("streams: no user purges them, the migration changes them, their consumer's owner recreates them", () =>
    eachOf(users, async (user) => {
      const isMigration = user === MIGRATION_USER;
      const rights = rightsOf(user);
      for (const name of Object.keys(STREAMS) as StreamName[]) {
        const isAllowed = {
          "STREAM.PURGE": false,
          "STREAM.MSG.DELETE": false,
          "STREAM.MSG.GET": false,
          "STREAM.RESTORE": false,
          "STREAM.SNAPSHOT": false,
          "STREAM.UPDATE": isMigration,
          "STREAM.CREATE": isMigration || Boolean(rights?.streams.includes(name)),
          "STREAM.DELETE": Boolean(rights?.consumers.some((consumer) => consumer.stream === name)),
        };
        for (const [verb, allowed] of Object.entries(isAllowed)) {
          // The owner would delete it.
          if (verb === "STREAM.DELETE" && allowed) continue;
          const isRefused = await publishing(user, `$JS.API.${verb}.${streamName(stage.namespace, name)}`);
          expect([user, name, verb, isRefused]).toEqual([user, name, verb, !allowed]);
        }
      }
    }));

  test("consumers: no user deletes one, and only its owner takes from it or acknowledges for it", () =>
    eachOf(users, async (user) => {
      for (const spec of Object.values(CONSUMERS)) {
        const at = `${streamName(stage.namespace, spec.stream)}.${spec.name}`;
        const isOwner = rightsOf(user)?.consumers.some(({ name }) => name === spec.name);
        const ofOwner = [`$JS.API.CONSUMER.MSG.NEXT.${at}`, `$JS.ACK.${at}.1.1.1.1.0`];
        for (const to of [`$JS.API.CONSUMER.DELETE.${at}`, ...(isOwner ? [] : ofOwner)])
          expect([user, to, await publishing(user, to)]).toEqual([user, to, true]);
      }
    }));

  test("the streams hold what they held", async () => {
    const info = await runtimeOf(broker("profile")).jetstream.numbers("EVENTS", []);
    expect(info?.lastSequence).toBeGreaterThan(0);
  });

  test("the server wrote down what it refused", () => {
    expect(stage.log()).toMatch(/violation/i);
  });

  test("a wrong password does not get in, nor does the hash that the servers have", async () => {
    await expect(stage.connect("nobody")).rejects.toThrow(/authorization/i);
    const [, hash = ""] = /"user":"gateway","password":"([^"]+)"/.exec(stage.nats.accounts()) ?? [];
    expect(hash).toMatch(/^\$2a\$08\$/);
    await expect(stage.connect("gateway", { password: hash })).rejects.toThrow(/authorization/i);
  });

  test("the file of the servers has no password in the clear, and each user signs in with its own", async () => {
    for (const [user, password] of stage.passwords) {
      expect([user, stage.nats.accounts().includes(password)]).toEqual([user, false]);
      const connection = await stage.connect(user);
      await connection.flush();
      await connection.close();
    }
    expect(stage.log()).not.toMatch(/plaintext passwords/i);
  });
});

describe("a password is changed", () => {
  const change = async (passwords: ReadonlyMap<string, string>) =>
    stage.nats.changeAccounts(await accountsConfig(passwords, stage.namespace));
  /** Each server reads the accounts at its own time. */
  const onEveryServer = (user: string, password: string, isLetIn: boolean) =>
    Promise.all(
      stage.servers.map((server) =>
        waitFor(
          async () =>
            (await stage.connect(user, { server, password }).then(Boolean, () => false)) === isLetIn,
          { what: `${user} to be ${isLetIn ? "let in" : "refused"}` },
        ),
      ),
    );

  test("beside a second user nobody is cut off, and then the first is worth nothing", async () => {
    const users = ["gateway", "admin"];
    const connections = await Promise.all(users.map((user) => stage.connect(user)));
    const ids = () => connections.map((connection) => connection.info?.client_id);
    const before = ids();
    const [first, second] = ["gateway", secondUser("gateway")];
    const withBoth = new Map([...stage.passwords, [second, "another password"]]);
    await change(withBoth);
    await onEveryServer(second, "another password", true);
    await Promise.all(connections.map((connection) => connection.flush()));
    expect(ids()).toEqual(before);
    expect(await broker("gateway").call("profile.ping")).toEqual({ pong: true });

    const after = await stage.connect(second, { password: "another password" });
    const request = (process: string, action: string) =>
      isRefused(after, (connection) =>
        connection.publish(`MOL-${stage.namespace}.REQ.${process}.${action}.${action.split(".")[0]}.x`, "{}"),
      );
    expect(await request("gateway", "profile.get")).toBe(false);
    expect(await request("admin", "auth-token.listPartners")).toBe(true);

    await change(new Map([...withBoth].filter(([user]) => user !== first)));
    await onEveryServer(first, stage.passwords.get(first) ?? "", false);
    await change(stage.passwords);
    await onEveryServer(first, stage.passwords.get(first) ?? "", true);
  });
});
