/** The operator's command line against a real service, as a process of its own. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { COMMANDS } from "../../../deploy/admin/commands.ts";
import { createDemoAccounts } from "../../../deploy/demo/accounts.ts";
import { childEnv } from "../../../deploy/lib/child-env.ts";
import { projectDir } from "../../../deploy/lib/paths.ts";
import { makePartnerKeys } from "../../../deploy/local/secrets/partner-certificate.ts";
import { tokenForm } from "../../support/builders/assertions.ts";
import { type AdminResult, adminCommand } from "../../support/clients/admin-command.ts";
import { testServers } from "../../support/servers/servers.ts";
import { startAuthStage } from "../../support/stage/auth-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const stage = stageOfFile(startAuthStage);
const dir = mkdtempSync(join(tmpdir(), "pbo-admin-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

type Options = { stdin?: string; env?: Record<string, string> };

/** As a process, the way an operator runs it. */
function adminProcess(args: string[], options: Options = {}): Promise<AdminResult> {
  const env = childEnv({
    PBO_ENV: "local",
    PBO_NATS_URL: testServers().natsUrl,
    PBO_NAMESPACE: stage.namespace,
    ...options.env,
  });
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(projectDir, "deploy/admin/main.ts"), ...args, "--operator", "tester"],
      { env, cwd: dir },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
    child.stdin?.end(options.stdin ?? "");
  });
}

const admin = (args: string[], { stdin = "" }: Options = {}): Promise<AdminResult> =>
  adminCommand(stage.call, args, stdin);

async function json(args: string[], stdin = "", run = admin): Promise<Record<string, unknown>> {
  const { code, out, err } = await run([...args, "--json"], { stdin });
  if (code !== 0) throw new Error(`exit ${code}: ${err}`);
  return JSON.parse(out);
}

test("as a process: creates, reads a password from standard input, and tells errors by its exit code", async () => {
  const name = "Initech Services SA";
  const partner = await json(["partner", "create", "--name", name], "", adminProcess);
  expect(partner).toMatchObject({ name, active: true, onboardingApproved: false });
  const login = { email: "peter@initech.test", password: "a password of my own" };
  const of = ["--partner", String(partner.partnerId), "--email", login.email];
  const args = ["user", "create", ...of, "--role", "Viewer"];
  const user = await json([...args, "--password-stdin"], `${login.password}\n`, adminProcess);
  expect(user).not.toHaveProperty("password");
  expect((await stage.login(login)).status).toBe(200);
  expect(await adminProcess(args)).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("User.Exists"),
  });
});

test("a whole partner: created, approved, with a certificate and a person who signs in", async () => {
  const partner = await json(["partner", "create", "--name", "Umbrella Logistics BV"]);
  expect(partner).toMatchObject({ active: true, onboardingApproved: false });
  const id = String(partner.partnerId);
  expect(await json(["partner", "approve", "--id", id])).toMatchObject({ onboardingApproved: true });

  const file = join(dir, "certificate.pem");
  const keys = await makePartnerKeys({ commonName: "Umbrella" });
  writeFileSync(file, keys.certificatePem);
  const credential = await json(["certificate", "register", "--partner", id, "--file", file]);
  expect(credential).toMatchObject({ clientId: partner.clientId, status: "Active" });
  const who = { ...keys, partnerId: id, clientId: String(partner.clientId), name: "Umbrella" };
  expect((await stage.tokenRequest(tokenForm(stage.assertion(who)))).status).toBe(200);

  const email = "ada@umbrella.test";
  const user = await json(["user", "create", "--partner", id, "--email", email, "--role", "Owner"]);
  const login = { email, password: String(user.password) };
  expect((await stage.login(login)).status).toBe(200);

  const reset = ["user", "reset-password", "--email", email, "--password-stdin"];
  expect(await json(reset, "a password of my own\n")).not.toHaveProperty("password");
  expect((await stage.login(login)).status).toBe(401);
  expect((await stage.login({ ...login, password: "a password of my own" })).status).toBe(200);

  expect(await json(["partner", "scopes", "--id", id, "--scopes", "partner.read"])).toMatchObject({
    scopes: ["partner.read"],
  });
  expect((await stage.tokenRequest(tokenForm(stage.assertion(who)))).body.scope).toBe("partner.read");

  expect(await json(["partner", "deactivate", "--id", id])).toMatchObject({ active: false });
  expect((await stage.tokenRequest(tokenForm(stage.assertion(who)))).status).toBe(401);
  expect(await json(["partner", "activate", "--id", id])).toMatchObject({ active: true });
});

test("an analyst and a key", async () => {
  const analyst = await json(["analyst", "create", "--email", "grace@operator.test"]);
  const answer = await stage.login({ email: "grace@operator.test", password: String(analyst.password) });
  expect(answer.body.value).toMatchObject({ user: { role: "Analyst" }, partner: null });
  const { out } = await admin(["user", "list", "--json"]);
  expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ id: analyst.id }));
  const key = await json(["key", "rotate"]);
  const { body } = await stage.request("/oauth2/jwks");
  expect((body.keys as { kid: string }[]).map(({ kid }) => kid)).toContain(key.kid);
});

test("a table for people: aligned columns, and no control character of a name reaches the terminal", async () => {
  await stage.call("auth-token.createPartner", { name: "Evil\u001b[31m Ltd" });
  await stage.call("auth-token.createPartner", { name: "=Formula\u202e Ltd" });
  const { out, code } = await admin(["partner", "list"]);
  expect(code).toBe(0);
  expect(out).toMatch(/^partnerId +name +clientId +active +onboardingApproved +scopes +createdAt\n/);
  expect(out).toContain("Evil?[31m Ltd");
  expect(out).toContain("'=Formula? Ltd");
  expect(out.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\u202e/u);
  const asJson = (await admin(["partner", "list", "--json"])).out;
  expect(asJson.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\u202e/u);
});

describe("refused commands", () => {
  const nobody = "00000000-0000-4000-8000-000000000000";
  const A_USER = ["user", "create", "--partner", nobody, "--email", "a@b.test", "--role"];
  const WEAK = ["analyst", "create", "--email", "x@operator.test", "--password-stdin"];
  test.each([
    ["an unknown partner", ["partner", "approve", "--id", nobody], 1, "Partner.NotFound"],
    ["a user of an unknown partner", [...A_USER, "Owner"], 1, "Partner.NotFound"],
    ["a bad role", [...A_USER, "King"], 1, "ValidationControl.Error"],
    ["an unknown user", ["user", "reset-password", "--email", "nobody@b.test"], 1, "User.NotFound"],
    ["people of a partner without an id", ["user", "list", "--partner", ""], 1, "Partner.NotFound"],
    [
      "a file that is not there",
      ["certificate", "register", "--partner", nobody, "--file", "nowhere.pem"],
      2,
      "Usage",
    ],
    ["an unknown command", ["partner", "destroy"], 2, "Usage"],
    ["a missing option", ["partner", "create"], 2, "Usage"],
    ["an unknown option", ["partner", "list", "--colour"], 2, "Usage"],
    ["a change by nobody", ["partner", "create", "--name", "Nobody Ltd", "--operator", ""], 2, "Usage"],
  ])("%s: told, with its exit code", async (_name, args, code, word) => {
    const plain = await admin(args);
    expect([plain.code, plain.out]).toEqual([code, ""]);
    expect(plain.err).toMatch(new RegExp(`^error: .+ \\(${word}\\)\\n$`));
    const asJson = await admin([...args, "--json"]);
    expect(JSON.parse(asJson.err)).toMatchObject({ error: { code: word, message: expect.any(String) } });
  });

  test("a weak password: refused with the reason", async () => {
    const { code, err } = await admin(WEAK, { stdin: "password1" });
    expect([code, err]).toEqual([1, expect.stringContaining("most common")]);
  });

  test("no message bus: exit 3 within seconds", async () => {
    const { code, err } = await adminProcess(["partner", "list"], {
      env: { PBO_NATS_URL: "nats://127.0.0.1:9", PBO_START_DEADLINE_MS: "1000" },
    });
    expect([code, err]).toEqual([3, expect.stringContaining("PBO_NATS_URL")]);
  });

  test("no platform and no setting: exit 3 and what to do", async () => {
    const { code, err } = await adminProcess(["partner", "list"], { env: { PBO_NATS_URL: "" } });
    expect([code, err]).toEqual([3, expect.stringContaining("npm start")]);
  });
});

test("--help lists every command, and each command its options", async () => {
  const { out, code } = await admin(["--help"]);
  expect(code).toBe(0);
  for (const { name } of COMMANDS) expect(out).toContain(name);
  const help = await admin(["user", "create", "--help"]);
  expect(help.out).toMatch(/--partner <partner id>.*\(required\)/);
});

describe("demo data", () => {
  test("made once, and found again at every start with the same ids, files and passwords", async () => {
    const first = await createDemoAccounts({ call: stage.call, dir, earlier: null });
    const second = await createDemoAccounts({ call: stage.call, dir, earlier: first });
    expect(second).toEqual(first);
    expect(first.partners.map(({ users }) => users.map(({ role }) => role))).toEqual(
      Array(2).fill(["Owner", "Developer", "Viewer"]),
    );
    expect(new Set(first.analysts.map(({ email }) => email)).size).toBe(2);
    for (const { email, password } of [...first.partners.flatMap(({ users }) => users), ...first.analysts])
      expect((await stage.login({ email, password })).status).toBe(200);
  });

  test("a set-up whose file was lost gets new passwords that work", async () => {
    const { analysts } = await createDemoAccounts({ call: stage.call, dir, earlier: null });
    expect((await stage.login(analysts[0] as { email: string; password: string })).status).toBe(200);
  });
});
