/** The layer rules catch what they are there for; `npm run check` holds the code itself to them. */
import { execFile } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "@jest/globals";

const root = resolve(import.meta.dirname, "../..");
const SOURCES = ["services", "gateway", "shared", "moleculer.config.ts"];

type Violation = { from: string; to: string; rule: { name: string } };

function violationsIn(folder: string): Promise<Violation[]> {
  const cli = join(root, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  const args = [cli, "--config", ".dependency-cruiser.js", "--output-type", "json", ...SOURCES];
  return new Promise((done, fail) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 64 << 20 }, (error, stdout) => {
      if (!stdout) return fail(error);
      const { summary } = JSON.parse(stdout);
      if (summary.totalCruised < 50) return fail(new Error(`only ${summary.totalCruised} modules were read`));
      done(summary.violations);
    });
  });
}

const shortly = (violations: Violation[]) => violations.map((v) => `${v.rule.name}: ${v.from} → ${v.to}`);

describe("a wrong import is found", () => {
  const cases = [
    ["services-apart", "services/profile/wrong.ts", "../delivery/delivery.service.ts"],
    ["services-know-no-gateway", "services/profile/wrong.ts", "../../gateway/routes.ts"],
    ["gateway-knows-only-schemas", "gateway/wrong.ts", "../services/profile/profile.service.ts"],
    ["dashboard-knows-types-only", "gateway/dashboard/core/wrong.ts", "../../../shared/errors.ts"],
    ["nobody-uses-the-dashboard", "gateway/wrong.ts", "./dashboard/core/format.ts"],
    ["docs-are-built", "gateway/wrong.ts", "./openapi/pages/site.ts"],
    ["gateway-admit", "gateway/admit/wrong.ts", "../http/errors.ts"],
    ["gateway-http", "gateway/http/wrong.ts", "../admit/trust.ts"],
    ["gateway-openapi", "gateway/openapi/wrong.ts", "../serve-route.ts"],
    ["gateway-table-is-data", "gateway/row-builders.ts", "./http/etag.ts"],
    ["schemas-in-the-api-document", "gateway/http/wrong.ts", "../../services/document/document.schemas.ts"],
    ["rooms-of-shared", "shared/wrong.ts", "./telemetry/logger.ts"],
    ["rooms-of-shared", "shared/jetstream/wrong.ts", "../outbox/outbox.ts"],
    ["shared-holds-no-domain", "shared/wrong.ts", "../services/profile/profile.service.ts"],
    ["rules-are-pure", "services/profile/wrong.rules.ts", "mongoose"],
    ["nats-in-one-place", "services/profile/wrong.ts", "nats"],
    ["mongoose-in-models", "services/profile/wrong.ts", "mongoose"],
    ["undici-in-the-sender", "gateway/wrong.ts", "undici"],
    ["s3-in-one-place", "services/profile/wrong.ts", "@aws-sdk/client-s3"],
    ["tests-stay-outside", "shared/wrong.ts", "fast-check"],
    ["rooms-of-profile", "services/profile/record/wrong.ts", "../read/get-profile.ts"],
    ["rooms-of-profile", "services/profile/record/wrong-deps.ts", "../deps.ts"],
    ["rooms-of-profile", "services/profile/country/wrong.ts", "../input/people.rules.ts"],
    ["rooms-of-profile", "services/profile/input/wrong.ts", "../read/get-profile.ts"],
    ["rooms-of-profile", "services/profile/read/wrong.ts", "../change/update-own.ts"],
    ["rooms-of-profile", "services/profile/change/wrong.ts", "../review/case.view.ts"],
    ["rooms-of-profile", "services/profile/review/wrong.ts", "../country/countries.rules.ts"],
    ["rooms-of-profile", "services/profile/unnamed/wrong.ts", "../record/text.rules.ts"],
    ["rooms-of-auth-token", "services/auth-token/account/wrong.ts", "../session/login.ts"],
    ["rooms-of-auth-token", "services/auth-token/credential/wrong.ts", "../token/scope.rules.ts"],
    ["rooms-of-auth-token", "services/auth-token/session/wrong.ts", "../credential/certificate.rules.ts"],
    ["rooms-of-auth-token", "services/auth-token/token/wrong.ts", "../session/login.ts"],
    ["rooms-of-delivery", "services/delivery/records/wrong.ts", "../endpoint/endpoint-queues.ts"],
    ["rooms-of-delivery", "services/delivery/send/wrong.ts", "../delivery-engine.ts"],
    ["rooms-of-delivery", "services/delivery/unnamed/wrong.ts", "../records/delivery.rules.ts"],
  ] as const;

  test("each rule catches its own, and nothing else is wrong", async () => {
    const copy = mkdtempSync(join(tmpdir(), "layers-"));
    try {
      for (const source of [...SOURCES, ".dependency-cruiser.js", "package.json", "tsconfig.json"])
        cpSync(join(root, source), join(copy, source), { recursive: true });
      symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
      const imports = Map.groupBy(cases, ([, file]) => file);
      for (const [file, rows] of imports) {
        mkdirSync(dirname(join(copy, file)), { recursive: true });
        writeFileSync(
          join(copy, file),
          rows.map(([, , to], i) => `import * as w${i} from "${to}";\nvoid w${i};\n`).join(""),
        );
      }
      const found = shortly(await violationsIn(copy));
      for (const [rule, file] of cases)
        expect(found).toContainEqual(expect.stringContaining(`${rule}: ${file}`));
      const planted = cases.map(([, file]) => file as string);
      expect(found.filter((line) => !planted.some((file) => line.includes(`: ${file} `)))).toEqual([]);
    } finally {
      rmSync(copy, { recursive: true });
    }
  });
});

test("process.env is read in shared/config/config.ts only", () => {
  const readers = globSync("{services,gateway,shared}/**/*.ts", { cwd: root }).filter((file) =>
    /process\.env\b/.test(readFileSync(join(root, file), "utf8")),
  );
  expect(readers).toEqual(["shared/config/config.ts"]);
});
