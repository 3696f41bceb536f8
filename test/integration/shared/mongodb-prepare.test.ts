/** `admin mongodb prepare` on a member as the overlay dev starts it: with TLS, passwords and nobody but an administrator. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { statePaths } from "../../../deploy/lib/paths.ts";
import { closeHost, openHost } from "../../../deploy/local/processes/host.ts";
import { manageProcess } from "../../../deploy/local/processes/managed-process.ts";
import { mongodSpec } from "../../../deploy/local/servers/mongod.ts";
import { findMongod } from "../../../deploy/local/servers/mongod-binary.ts";
import { databaseName } from "../../../shared/mongo/mongo.ts";
import { adminCommand } from "../../support/clients/admin-command.ts";
import { quietReport } from "../../support/quiet-report.ts";
import { newSecretsDir, type SecretsDir } from "../../support/servers/new-secrets-dir.ts";
import { waitFor } from "../../support/wait-for.ts";

const paths = statePaths(mkdtempSync(join(tmpdir(), "pbo-prepare-")));
const host = openHost(paths, quietReport, { temporary: true });
let secrets: SecretsDir;
let address: string;

const noBus = (): never => {
  throw new Error("mongodb prepare needs no message bus");
};
const connect = (options: mongoose.mongo.MongoClientOptions = {}) =>
  new mongoose.mongo.MongoClient(`mongodb://${address}/?directConnection=true`, options);
const asService = (service: string) =>
  connect({
    tls: true,
    tlsCAFile: join(secrets.dir, "ca/mongodb"),
    auth: { username: service, password: secrets.read(`${service}/mongodb-password`) },
  });
const answers = async (options: mongoose.mongo.MongoClientOptions = {}): Promise<boolean> => {
  const client = connect(options);
  try {
    return Boolean(await client.db("admin").command({ hello: 1 }));
  } finally {
    await client.close();
  }
};

beforeAll(async () => {
  secrets = await newSecretsDir();
  const port = await host.ports.take("mongod");
  address = `127.0.0.1:${port}`;
  const own = (file: string, content: string): string => {
    writeFileSync(join(paths.root, file), content, { mode: 0o600 });
    return join(paths.root, file);
  };
  const usual = mongodSpec(await findMongod(quietReport), port, paths);
  const alone = usual.args.filter((arg, at) => arg !== "--replSet" && usual.args[at - 1] !== "--replSet");
  // As the image of MongoDB does it: the administrator first, without a set and without passwords.
  const first = manageProcess({ ...usual, args: alone, isReady: () => answers() }, host);
  await first.start();
  const client = connect();
  await client.db("admin").command({
    createUser: "administrator",
    pwd: secrets.read("mongodb/administrator-password"),
    roles: ["root"],
  });
  await client.close();
  await first.stop();
  const tls = { tls: true, tlsCAFile: join(secrets.dir, "ca/mongodb") };
  const secured = [
    ...alone,
    ...["--replSet", "rs0", "--keyFile", own("key-file", secrets.read("mongodb/key-file"))],
    ...[
      "--tlsMode",
      "requireTLS",
      "--tlsCertificateKeyFile",
      own("server.pem", secrets.read("tls/mongodb.pem")),
    ],
    ...["--tlsCAFile", tls.tlsCAFile, "--tlsAllowConnectionsWithoutCertificates"],
  ];
  await manageProcess({ ...usual, args: secured, isReady: () => answers(tls) }, host).start();
});
afterAll(() => closeHost(host));

const prepare = (...more: string[]) =>
  adminCommand(noBus, [
    ...["mongodb", "prepare", "--initiate", "--hosts", address, "--replica-set", "rs0"],
    ...["--ca-file", join(secrets.dir, "ca/mongodb"), "--user", "administrator"],
    ...["--password-file", join(secrets.dir, "mongodb/administrator-password"), "--directory", secrets.dir],
    ...more,
  ]);

test("makes the set and users who may use their own database and no other; a second run changes nothing", async () => {
  expect(await prepare()).toMatchObject({ code: 0, err: "" });
  expect(await prepare()).toMatchObject({ code: 0, err: "" });
  const client = asService("profile");
  try {
    const insertInto = (database: string) => client.db(database).collection("trial").insertOne({});
    await waitFor(() => insertInto(databaseName("", "profile")), "a write by profile");
    await insertInto(`${databaseName("", "profile")}_audit`);
    await expect(insertInto(databaseName("", "delivery"))).rejects.toThrow("not authorized");
    const trail = client.db(`${databaseName("", "profile")}_audit`).collection("trial");
    await expect(trail.deleteMany({})).rejects.toThrow("not authorized");
  } finally {
    await client.close();
  }
});

test("has entries of the audit trails expire after five years, or as the command says; a service cannot change it", async () => {
  const administrator = connect({
    tls: true,
    tlsCAFile: join(secrets.dir, "ca/mongodb"),
    auth: { username: "administrator", password: secrets.read("mongodb/administrator-password") },
  });
  const client = asService("delivery");
  const database = `${databaseName("", "delivery")}_audit`;
  const trail = administrator.db(database).collection("audit_entries");
  const expiry = async () => (await trail.indexes()).find(({ key }) => "at" in key)?.expireAfterSeconds;
  try {
    expect(await expiry()).toBe(1_827 * 86_400);
    expect(await prepare("--audit-days", "400")).toMatchObject({ code: 0, err: "" });
    expect(await expiry()).toBe(400 * 86_400);
    expect(await prepare("--audit-days", "1")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--audit-days"),
    });
    const index = { keyPattern: { at: 1 }, expireAfterSeconds: 1 };
    await expect(client.db(database).command({ collMod: "audit_entries", index })).rejects.toThrow(
      "not authorized",
    );
  } finally {
    await Promise.all([client.close(), administrator.close()]);
  }
});

test("a new password counts after the next run", async () => {
  writeFileSync(join(secrets.dir, "document/mongodb-password"), randomBytes(16).toString("hex"));
  const client = asService("document");
  try {
    await expect(client.db("admin").command({ ping: 1 })).rejects.toThrow("Authentication failed");
    expect(await prepare()).toMatchObject({ code: 0 });
  } finally {
    await client.close();
  }
  const again = asService("document");
  await again.db(databaseName("", "document")).collection("trial").findOne({});
  await again.close();
});

test("a wrong administrator: refused, and said so", async () => {
  const { code, err } = await adminCommand(noBus, [
    ...["mongodb", "prepare", "--hosts", address, "--replica-set", "rs0"],
    ...["--ca-file", join(secrets.dir, "ca/mongodb"), "--user", "nobody"],
    ...["--password-file", join(secrets.dir, "mongodb/administrator-password"), "--directory", secrets.dir],
  ]);
  expect([code, err]).toEqual([3, expect.stringContaining("Authentication failed")]);
});
