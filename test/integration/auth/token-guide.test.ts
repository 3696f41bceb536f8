/** A partner follows the guide "Get a token" to the letter, with a certificate of its own. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { childEnv } from "../../../deploy/lib/child-env.ts";
import { makePartnerKeys } from "../../../deploy/local/secrets/partner-certificate.ts";
import { processEnv } from "../../../shared/config/config.ts";
import { guideSamples, type Language } from "../../support/docs/guide-samples.ts";
import { startAuthStage } from "../../support/stage/auth-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const dir = mkdtempSync(join(tmpdir(), "pbo-readme-"));

const stage = stageOfFile(startAuthStage);
const sample = (language: Language, index = 0): string =>
  guideSamples(stage.issuer).filter((one) => one.guide === "token" && one.language === language)[index]
    ?.text ?? "";

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const shell = (command: string): string =>
  execFileSync("sh", ["-c", command], {
    cwd: dir,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: childEnv({ PATH: `${dirname(process.execPath)}:${processEnv().PATH}` }),
  });

/** Machines without openssl still try the rest. */
async function makeCertificate(command: string): Promise<void> {
  expect(command).toMatch(/^openssl req -x509 .*-keyout key\.pem -out certificate\.pem\n$/);
  if (spawnSync("openssl", ["version"]).status === 0) return void shell(command);
  const { privateKeyPem, certificatePem } = await makePartnerKeys({ commonName: "Acme" });
  writeFileSync(join(dir, "key.pem"), privateKeyPem);
  writeFileSync(join(dir, "certificate.pem"), certificatePem);
}

test("token guide: openssl, registration, the client and curl lead to a token", async () => {
  await makeCertificate(sample("sh"));
  const { partnerId, clientId } = await stage.call("auth-token.createPartner", { name: "Acme Trading Ltd" });
  const certificate = readFileSync(join(dir, "certificate.pem"), "utf8");
  await stage.call("auth-token.registerCertificate", { partnerId, certificate });

  writeFileSync(join(dir, "assertion.mjs"), sample("js"));
  // The servers of this test run in this very process, so curl must not block it.
  const assertion = shell(`node assertion.mjs ${clientId} key.pem`).trim();
  const command = sample("sh", 1);
  const form = new URLSearchParams(
    [...command.matchAll(/-d (\w+)=("[^"]+"|\S+)/g)].map(([, name = "", value = ""]): [string, string] => [
      name,
      value.startsWith('"') ? assertion : value,
    ]),
  );
  expect(command).toContain(`${stage.issuer}/oauth2/token`);
  const answer = await stage.tokenRequest(form);
  expect([answer.status, answer.body.token_type]).toEqual([200, "Bearer"]);
});
