import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { newGatewayKeys } from "../../../deploy/lib/gateway-keys.ts";
import {
  type Config,
  ConfigError,
  loadConfig,
  type ProcessName,
  SERVICE_NAMES,
  SETTINGS,
} from "../../../shared/config/config.ts";
import { isWeakKey, productionProblems } from "../../../shared/config/production.rules.ts";
import { RISKS } from "../../../shared/config/settings.ts";

const KEY_BYTES = createHash("sha256").update("a key").digest();
const KEY = KEY_BYTES.toString("base64");
const { privateKey, publicKey } = newGatewayKeys();
const RSA_KEY = generateKeyPairSync("rsa", { modulusLength: 2_048 })
  .privateKey.export({ format: "der", type: "pkcs8" })
  .toString("base64");

/** Everything that a process in production needs, and nothing else. */
const production = {
  PBO_NATS_URL: "tls://nats:4222",
  PBO_NATS_USER: "user",
  PBO_NATS_PASSWORD: "sesame",
  PBO_NATS_STREAMS_USER: "user-streams",
  PBO_NATS_STREAMS_PASSWORD: "sesame too",
  PBO_MONGODB_URI: "mongodb://user:sesame@a:27017,b:27017/?replicaSet=rs0&tls=true",
  PBO_GATEWAY_PUBLIC_KEYS: publicKey,
  PBO_BASE_URL: "https://onboarding.example",
  PBO_S3_BUCKET: "documents",
  PBO_SCANNER_ADDRESS: "clamav:3310",
};

type Env = Record<string, string | undefined>;

const KEY_SETS: Partial<Record<ProcessName, Env>> = {
  gateway: { PBO_GATEWAY_PRIVATE_KEY: privateKey },
  "auth-token": { PBO_TOKEN_KEYS: `k1:${KEY}` },
  profile: { PBO_IDENTITY_KEYS: `k1:${KEY}` },
  "webhook-registry": { PBO_WEBHOOK_KEYS: `k1:${KEY}` },
  delivery: { PBO_WEBHOOK_KEYS: `k1:${KEY}` },
};
const productionOf = (process: ProcessName): Env => ({ ...production, ...KEY_SETS[process] });

function problemsOf(process: ProcessName, env: Env): readonly string[] {
  try {
    loadConfig(process, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const problemsWith = (change: Env, process: ProcessName = "profile") =>
  problemsOf(process, { ...productionOf(process), ...change });

/** A process that reads the setting. */
function readerOf(name: string): ProcessName {
  const usedBy = Object.values(SETTINGS).find(({ env }) => env === name)?.usedBy;
  return (typeof usedBy === "object" && usedBy[0]) || "gateway";
}

const PROCESSES: ProcessName[] = ["gateway", ...SERVICE_NAMES, "admin"];

describe("loadConfig", () => {
  test.each(PROCESSES)(
    "of %s with the settings of a production: no problem, and production is the default",
    (name) => {
      const config = loadConfig(name, productionOf(name));
      expect(config.env).toBe("production");
      expect(config.process).toBe(name);
    },
  );

  test("with nothing at all: names every required setting of the process at once", () => {
    expect(problemsOf("profile", {})).toEqual([
      expect.stringMatching(/^PBO_NATS_URL is required/),
      expect.stringMatching(/^PBO_GATEWAY_PUBLIC_KEYS is required/),
      expect.stringMatching(/^PBO_IDENTITY_KEYS is required/),
      expect.stringMatching(/^PBO_MONGODB_URI is required, or PBO_MONGODB_HOSTS/),
      expect.stringMatching(/^PBO_NATS_USER and PBO_NATS_PASSWORD are required in production/),
      expect.stringMatching(
        /^PBO_NATS_STREAMS_USER and PBO_NATS_STREAMS_PASSWORD are required in production/,
      ),
    ]);
  });

  test("a setting that another process needs: not asked for", () => {
    expect(
      problemsOf("gateway", {
        PBO_NATS_URL: "tls://n:4222",
        PBO_NATS_USER: "gateway",
        PBO_NATS_PASSWORD: "sesame",
        PBO_BASE_URL: "https://x.example",
        PBO_GATEWAY_PRIVATE_KEY: privateKey,
      }),
    ).toEqual([]);
  });

  test.each([
    ["PBO_GATEWAY_PRIVATE_KEY", publicKey],
    ["PBO_GATEWAY_PRIVATE_KEY", RSA_KEY],
    ["PBO_GATEWAY_PRIVATE_KEY", "x"],
    ["PBO_SCANNER_ADDRESS", "clamav"],
    ["PBO_SCANNER_ADDRESS", "clamav:0"],
    ["PBO_SCANNER_ADDRESS", "clamav:99999"],
    ["PBO_SCANNER_ADDRESS", "tcp://clamav:3310"],
    ["PBO_SCANNER_ADDRESS", "a b:1"],
    ["PBO_SCANNER_ADDRESS", ":3310"],
    ["PBO_SCANNER_ADDRESS", "None"],
    ["PBO_ENV", "staging"],
    ["PBO_NAMESPACE", "Not-Allowed"],
    ["PBO_LOG_LEVEL", "INFO"],
    ["PBO_ACCEPTED_RISKS", "everything"],
    ["PBO_ACCEPTED_RISKS", "no-second-factor,all"],
    ["PBO_NATS_URL", "localhost:4222"],
    ["PBO_NATS_URL", "nats//x"],
    ["PBO_MONGODB_URI", "postgres://x"],
    ["PBO_MONGODB_HOSTS", "a:1,user@b"],
    ["PBO_MONGODB_HOSTS", "mongodb://a"],
    ["PBO_PORT", "-1"],
    ["PBO_PORT", "3000.5"],
    ["PBO_PORT", "0x10"],
    ["PBO_START_DEADLINE_MS", "999"],
    ["PBO_S3_PATH_STYLE", "yes"],
    ["PBO_IDENTITY_KEYS", "k1"],
    ["PBO_IDENTITY_KEYS", "k1:c2hvcnQ="],
    ["PBO_IDENTITY_KEYS", `k1:${KEY}:more`],
    ["PBO_IDENTITY_KEYS", `bad id:${KEY}`],
    ["PBO_IDENTITY_KEYS", `k1:${KEY},k1:${KEY}`],
    ["PBO_IDENTITY_KEYS", ","],
    ["PBO_GATEWAY_PUBLIC_KEYS", "c2hvcnQ="],
    ["PBO_GATEWAY_PUBLIC_KEYS", privateKey],
    ["PBO_GATEWAY_PUBLIC_KEYS", `${publicKey},x`],
    ["PBO_DELIVERY_RETRY_SCHEDULE", "0,30,300"],
    ["PBO_DELIVERY_RETRY_SCHEDULE", "0,30,,1800,10800,36000,79200,129600"],
    ["PBO_DELIVERY_RETRY_SCHEDULE", "0,30,-1,1800,10800,36000,79200,129600"],
    ["PBO_DELIVERY_RETRY_SCHEDULE", "0,30,Infinity,1800,10800,36000,79200,129600"],
  ])("%s=%s: refused by name, and nothing else is", (name, value) => {
    const problems = problemsWith({ [name]: value }, readerOf(name));
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
  });

  test.each([
    ["PBO_NATS_URL", "tls://a:4222,tls://b:4222"],
    ["PBO_MONGODB_URI", "mongodb+srv://u:p@cluster.example/?w=majority"],
    ["PBO_MONGODB_URI", "mongodb://user:p%40ss@a:1,b:2,c:3/db?replicaSet=r&tls=true"],
    ["PBO_NAMESPACE", "blue2"],
    ["PBO_DELIVERY_RETRY_SCHEDULE", "0,0.5,1,1,1,1,1,1"],
    ["PBO_IDENTITY_KEYS", `new:${KEY},old:${KEY}`],
    ["PBO_GATEWAY_PUBLIC_KEYS", `${publicKey}, ${newGatewayKeys().publicKey}`],
    ["PBO_MONGODB_URI", "mongodb://a/?tls=true&authMechanism=MONGODB-X509"],
    ["PBO_MONGODB_URI", "mongodb+srv://a/?authSource=$external&authMechanism=MONGODB-AWS"],
    ["PBO_WEBHOOK_ALLOW_LOOPBACK", "false"],
    ["PBO_TRUSTED_PROXIES", "10.1.0.0/16,192.0.2.7"],
    ["PBO_TRUSTED_PROXIES", "2001:db8::/32,2001:db8::1"],
    ["PBO_SCANNER_ADDRESS", "none"],
    ["PBO_SCANNER_ADDRESS", "clamd.clamav.svc.cluster.local:3310"],
    ["PBO_SCANNER_ADDRESS", "[::1]:3310"],
  ])("%s=%s: accepted", (name, value) => {
    expect(problemsWith({ [name]: value }, readerOf(name))).toEqual([]);
  });

  test("the gateway's private key in a service: refused in production", () => {
    expect(problemsWith({ PBO_GATEWAY_PRIVATE_KEY: privateKey })).toEqual([
      "PBO_GATEWAY_PRIVATE_KEY is for gateway only",
    ]);
  });

  test.each(PROCESSES)("%s given a set of field keys that it does not use: refused in production", (name) => {
    const sets = ["PBO_IDENTITY_KEYS", "PBO_TOKEN_KEYS", "PBO_WEBHOOK_KEYS"];
    for (const set of sets.filter((each) => KEY_SETS[name]?.[each] === undefined)) {
      expect(problemsWith({ [set]: `k1:${KEY}` }, name)).toEqual([
        expect.stringMatching(new RegExp(`^${set} is for .+ only$`)),
      ]);
      expect(problemsWith({ [set]: `k1:${KEY}`, PBO_ENV: "local" }, name)).toEqual([]);
    }
  });

  test("every default of the table is a value that its own check accepts", () => {
    for (const row of Object.values(SETTINGS))
      if (row.default !== null)
        expect([row.env, row.parse(row.default)]).toEqual([row.env, { value: expect.anything() }]);
  });

  test("values are typed", () => {
    const config: Config = loadConfig("delivery", {
      ...productionOf("delivery"),
      PBO_PORT: "8080",
      PBO_S3_PATH_STYLE: "true",
      PBO_TRUSTED_PROXIES: "10.0.0.0/16, 192.168.0.1",
      PBO_BASE_URL: "https://onboarding.example/",
    });
    expect(config).toMatchObject({
      port: 8_080,
      s3PathStyle: true,
      trustedProxies: ["10.0.0.0/16", "192.168.0.1"],
      baseUrl: "https://onboarding.example",
      webhookKeys: [{ id: "k1", key: KEY_BYTES }],
      retrySchedule: [0, 30, 300, 1_800, 10_800, 36_000, 79_200, 129_600],
    });
  });
});

describe("loadConfig in production", () => {
  const localOnly = Object.values(SETTINGS).filter((row) => row.localOnly);

  test("there are exceptions to refuse", () => {
    expect(localOnly.map((row) => row.env)).toEqual(
      expect.arrayContaining(["PBO_WEBHOOK_ALLOW_LOOPBACK", "PBO_WEBHOOK_CA_FILE"]),
    );
  });

  test.each(localOnly.map((row) => [row.env, "value" in row.parse("true") ? "true" : "64"] as const))(
    "%s=%s: refused",
    (name, value) => {
      expect(problemsWith({ [name]: value })).toEqual([`${name} is for PBO_ENV=local only`]);
      expect(problemsWith({ [name]: value, PBO_ENV: "production" })).toEqual([
        `${name} is for PBO_ENV=local only`,
      ]);
      expect(problemsWith({ [name]: value, PBO_ENV: "local" })).toEqual([]);
    },
  );

  test.each([
    ["PBO_SECOND_FACTOR", "none", "no-second-factor", / must not be none/],
    ["PBO_FRESH_SIGN_IN_MINUTES", "0", "no-fresh-sign-in", / must be from 1 to 60/],
    ["PBO_FRESH_SIGN_IN_MINUTES", "720", "no-fresh-sign-in", / must be from 1 to 60/],
    ["PBO_MONGODB_URI", "mongodb://a,b/?tls=true&appName=x@y", "no-mongodb-user", / must name a user/],
    ["PBO_LIMIT_WRITES", "100000000", "high-limits", / must be at most \d+ in/],
    ["PBO_LIMIT_LOGINS_PER_ADDRESS", "1000000", "high-limits", / must be at most 6000 in/],
  ])("%s=%s: refused unless the operator names the risk; accepted locally", (name, value, risk, problem) => {
    const problems = (more: Env = {}) => problemsWith({ [name]: value, ...more }, readerOf(name));
    expect(problems()).toEqual([expect.stringMatching(problem)]);
    expect(problems()[0]).toMatch(new RegExp(`^${name} .*PBO_ACCEPTED_RISKS names ${risk}$`));
    const others = RISKS.filter((each) => each !== risk).join(",");
    expect(problems({ PBO_ACCEPTED_RISKS: others })).toHaveLength(1);
    expect(problems({ PBO_ACCEPTED_RISKS: risk })).toEqual([]);
    expect(problems({ PBO_ENV: "local" })).toEqual([]);
  });

  test.each(["silent", "fatal", "error"])(
    "a log level of %s: refused, and no risk is accepted for it; the command line may be silent",
    (level) => {
      const accepted = { PBO_LOG_LEVEL: level, PBO_ACCEPTED_RISKS: RISKS.join(",") };
      for (const process of ["gateway", "profile"] as const)
        expect(problemsWith(accepted, process)).toEqual([
          expect.stringMatching(/^PBO_LOG_LEVEL must be warn/),
        ]);
      expect(problemsWith(accepted, "admin")).toEqual([]);
    },
  );

  test("an unknown PBO_ENV does not open the exceptions", () => {
    expect(problemsWith({ PBO_ENV: "prod", PBO_WEBHOOK_ALLOW_LOOPBACK: "true" })).toEqual([
      expect.stringMatching(/^PBO_ENV must be/),
      "PBO_WEBHOOK_ALLOW_LOOPBACK is for PBO_ENV=local only",
    ]);
  });

  const keyOf = (bytes: Buffer): string => `k1:${bytes.toString("base64")}`;
  const counted = Buffer.from(Array.from({ length: 32 }, (_, index) => 3 * index));
  const zeroSeed = createPrivateKey({
    key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32)]),
    format: "der",
    type: "pkcs8",
  });
  const der = (key: KeyObject, type: "pkcs8" | "spki") =>
    key.export({ format: "der", type } as never).toString("base64");
  const noKey = createPublicKey({
    key: Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), Buffer.alloc(32)]),
    format: "der",
    type: "spki",
  });
  test.each([
    ["PBO_NATS_URL", "nats://a:4222", / must begin with tls:.+give NATS/],
    ["PBO_NATS_URL", "tls://a:4222,nats://b:4222", / must begin with tls:/],
    ["PBO_NATS_USER", "", / and PBO_NATS_PASSWORD are .+admin -- secrets new/],
    ["PBO_NATS_PASSWORD", "", /^PBO_NATS_USER and /],
    ["PBO_NATS_STREAMS_USER", "", / and PBO_NATS_STREAMS_PASSWORD are /],
    ["PBO_NATS_STREAMS_PASSWORD", "", /^PBO_NATS_STREAMS_USER and /],
    ["PBO_MONGODB_URI", "mongodb://u:p@a/?replicaSet=r", / must have tls=true/],
    ["PBO_MONGODB_URI", "mongodb+srv://u:p@a/?TLS=false", / must have tls=true/],
    [
      "PBO_MONGODB_URI",
      "mongodb://u:p@a/?tls=true&tlsAllowInvalidCertificates=true",
      / must not have tlsall/,
    ],
    ["PBO_MONGODB_URI", "mongodb://u:p@a/?ssl=true&tlsAllowInvalidHostnames=1", / must not have /],
    ["PBO_MONGODB_URI", "mongodb+srv://u:p@a/?tlsInsecure=true", / must not have /],
    ["PBO_BASE_URL", "http://x.example", / must be https in production/],
    ["PBO_S3_ENDPOINT", "http://minio:9000", / must be https in production: give/],
    ["PBO_S3_PUBLIC_ENDPOINT", "http://files.example", / must be https/],
    ["PBO_OTLP_ENDPOINT", "http://collector:4318", / must be https/],
    ["PBO_IDENTITY_KEYS", keyOf(Buffer.alloc(32)), /: the key k1 is not random: make one with openssl/],
    ["PBO_IDENTITY_KEYS", `new:${KEY},${keyOf(Buffer.alloc(32))}`, /: the key k1/],
    ["PBO_TOKEN_KEYS", keyOf(Buffer.alloc(32, "0123456789abcdef")), /: the key k1/],
    ["PBO_WEBHOOK_KEYS", keyOf(counted), /: the key k1/],
    ["PBO_WEBHOOK_KEYS", keyOf(Buffer.from("Sphinx of quartz, judge my vow!!")), /: the key k1/],
    ["PBO_GATEWAY_PRIVATE_KEY", der(zeroSeed, "pkcs8"), / is not random: make a pair/],
    ["PBO_GATEWAY_PUBLIC_KEYS", der(noKey, "spki"), / holds a key that is none/],
    ["PBO_TRUSTED_PROXIES", "192.0.2.1,10.0.0.0/8", /: 10\.0\.0\.0\/8 is wider than/],
    ["PBO_TRUSTED_PROXIES", "::/0", /: ::\/0 is wider/],
    ["PBO_SCANNER_ADDRESS", "", / must be the address of clamd or none in production/],
  ])("%s=%s: refused with the remedy, and accepted locally", (name, value, problem) => {
    const process = readerOf(name);
    const [found, ...others] = problemsWith({ [name]: value }, process);
    expect([found, others]).toEqual([expect.stringMatching(problem), []]);
    expect(found).toContain(name);
    expect(problemsWith({ [name]: value, PBO_ENV: "local" }, process)).toEqual([]);
  });

  test("a key that a random generator made is never called weak", () => {
    for (let made = 0; made < 2_000; made += 1) expect(isWeakKey(randomBytes(32))).toBe(false);
  });

  test.each([
    ["counted in steps", (index: number) => (100 + 7 * index) & 0xff, true],
    ["19 different values", (index: number) => ((index % 19) * 11) & 0xff, true],
    ["20 different values", (index: number) => ((index % 20) * 11) & 0xff, false],
    ["characters of a text", (index: number) => 0x20 + ((index * 29) % 95), true],
    ["with one that is none", (index: number) => (index === 9 ? 0x7f : 0x20 + ((index * 29) % 95)), false],
  ])("a key of 32 bytes, %s", (_, byteAt, isWeak) => {
    expect(isWeakKey(Uint8Array.from({ length: 32 }, (_byte, index) => byteAt(index)))).toBe(isWeak);
  });
});

describe("loadConfig and secrets", () => {
  let dir: string;
  const file = (name: string, content: string) => {
    const path = join(dir, name);
    writeFileSync(path, content);
    return path;
  };
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "pbo-config-"));
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  test("from a file: taken, without the line feed at its end", () => {
    const config = loadConfig("profile", {
      ...production,
      PBO_IDENTITY_KEYS: undefined,
      PBO_IDENTITY_KEYS_FILE: file("keys", `k9:${KEY}\n`),
    });
    expect(config.identityKeys).toEqual([{ id: "k9", key: KEY_BYTES }]);
  });

  test("as value and as file: refused, because one of them is not what its owner thinks", () => {
    expect(problemsWith({ PBO_IDENTITY_KEYS_FILE: file("both", `k9:${KEY}`) })).toEqual([
      "PBO_IDENTITY_KEYS and PBO_IDENTITY_KEYS_FILE are both set; keep one",
    ]);
  });

  test("from a file that cannot be read, or that is empty: named once", () => {
    const missing = { PBO_MONGODB_URI: undefined, PBO_MONGODB_URI_FILE: join(dir, "none") };
    expect(problemsWith(missing)).toEqual(["PBO_MONGODB_URI_FILE names a file that cannot be read"]);
    const empty = { PBO_MONGODB_URI: undefined, PBO_MONGODB_URI_FILE: file("empty", "\n") };
    expect(problemsWith(empty)).toEqual([expect.stringMatching(/^PBO_MONGODB_URI is required/)]);
  });

  test("MongoDB by hosts, user and password from files: one address, with what the files hold", () => {
    const parts = {
      PBO_MONGODB_URI: undefined,
      PBO_MONGODB_HOSTS: "a:27017, b:27017",
      PBO_MONGODB_USER_FILE: file("user", "profile\n"),
      PBO_MONGODB_PASSWORD_FILE: file("password", "a/b@c\n"),
    };
    expect(problemsWith(parts)).toEqual([]);
    expect(problemsWith({ ...parts, PBO_MONGODB_PASSWORD_FILE: undefined })).toEqual([
      "PBO_MONGODB_USER and PBO_MONGODB_PASSWORD are required with PBO_MONGODB_HOSTS",
    ]);
  });

  test("a file for a setting that is no secret: an unknown variable", () => {
    expect(problemsWith({ PBO_PORT_FILE: "/x" })).toEqual(["PBO_PORT_FILE is not a setting of this service"]);
  });
});

describe("loadConfig and foreign variables", () => {
  test("a misspelt PBO_ name: refused", () => {
    expect(problemsWith({ PBO_NATS_URI: "nats://x" })).toEqual([
      "PBO_NATS_URI is not a setting of this service",
    ]);
  });

  test("other variables and those of the test harness: ignored", () => {
    expect(problemsWith({ PATH: "/bin", NAMESPACE: "x", PBO_TEST_NATS_URL: "x" })).toEqual([]);
  });
});

test("in production a value that is missing is not judged as well", () => {
  const judged = productionProblems("delivery", {}, {});
  expect(judged.map((problem) => problem.split(" ")[0])).toEqual(["PBO_NATS_USER", "PBO_NATS_STREAMS_USER"]);
});

test("in production a migration needs a safe database and no user of NATS, a gateway no database", () => {
  const judged = (process: ProcessName) => productionProblems(process, { mongodbUri: "mongodb://u:p@a" }, {});
  expect(judged("migration")).toEqual([expect.stringContaining("PBO_MONGODB_URI")]);
  expect(judged("gateway")).toEqual([expect.stringContaining("PBO_NATS_USER")]);
});
