/** Every setting of every process. The only file that reads process.env. */
import { readFileSync } from "node:fs";

export const SERVICE_NAMES = ["auth-token", "profile", "document", "webhook-registry", "delivery"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];
export type ProcessName = ServiceName | "gateway" | "admin";

export type Environment = "production" | "local";

type Parsed<T> = { value: T } | { problem: string };

export type Setting<T> = {
  env: string;
  description: string;
  /** Shown in documents; what an unset variable means. */
  default: string | null;
  /** A null default is an error only for these processes. */
  usedBy: readonly ProcessName[] | "all";
  /** Secrets can also be given as a file by <name>_FILE and are never printed. */
  secret: boolean;
  /** True for an exception that only the local platform may use. */
  localOnly: boolean;
  parse(text: string): Parsed<T>;
};

type Options = Partial<Pick<Setting<unknown>, "usedBy" | "secret" | "localOnly">> & { default?: string };

function setting<T>(
  env: string,
  description: string,
  parse: (text: string) => Parsed<T>,
  options: Options = {},
): Setting<T> {
  return {
    env,
    description,
    parse,
    default: options.default ?? null,
    usedBy: options.usedBy ?? "all",
    secret: options.secret ?? false,
    localOnly: options.localOnly ?? false,
  };
}

const text = (env: string, description: string, options?: Options) =>
  setting<string>(env, description, (value) => ({ value }), options);

const oneOf = <const T extends readonly string[]>(
  env: string,
  values: T,
  description: string,
  options?: Options,
) =>
  setting<T[number]>(
    env,
    description,
    (value) => (values.includes(value) ? { value } : { problem: `must be one of ${values.join(", ")}` }),
    options,
  );

const integer = (env: string, min: number, max: number, description: string, options?: Options) =>
  setting<number>(
    env,
    description,
    (raw) => {
      const value = Number(raw);
      return /^\d+$/.test(raw) && value >= min && value <= max
        ? { value }
        : { problem: `must be a whole number from ${min} to ${max}` };
    },
    options,
  );

const flag = (env: string, description: string, options?: Options) =>
  setting<boolean>(
    env,
    description,
    (raw) =>
      raw === "true" || raw === "false" ? { value: raw === "true" } : { problem: "must be true or false" },
    { default: "false", ...options },
  );

const url = (env: string, protocols: readonly string[], description: string, options?: Options) =>
  setting<string>(
    env,
    description,
    (value) => {
      // A MongoDB or NATS address may list several hosts, which URL does not accept.
      const firstHost = value.replace(/,[^/?]*/, "");
      if (value === "" || (URL.canParse(firstHost) && protocols.includes(new URL(firstHost).protocol)))
        return { value: value.replace(/\/+$/, "") };
      return { problem: `must be a URL starting with ${protocols.map((p) => `${p}//`).join(" or ")}` };
    },
    options,
  );

const list = (env: string, description: string, options?: Options) =>
  setting<string[]>(
    env,
    description,
    (raw) => ({
      value: raw
        .split(",")
        .map((item) => item.trim())
        .filter(Boolean),
    }),
    options,
  );

export type FieldKey = { id: string; key: Buffer };

const fieldKeys = (env: string, description: string, options?: Options) =>
  setting<FieldKey[]>(
    env,
    description,
    (raw) => {
      const keys: FieldKey[] = [];
      for (const part of raw.split(",").filter(Boolean)) {
        const [id, encoded, ...rest] = part.trim().split(":");
        const key = Buffer.from(encoded ?? "", "base64");
        if (!id || !/^[a-zA-Z0-9_-]{1,32}$/.test(id) || rest.length > 0 || key.length !== 32)
          return { problem: "must be <id>:<base64 of 32 bytes>, several separated by commas" };
        keys.push({ id, key });
      }
      if (new Set(keys.map((k) => k.id)).size < keys.length) return { problem: "holds one key id twice" };
      return keys.length > 0 || raw === "" ? { value: keys } : { problem: "holds no key" };
    },
    options,
  );

const seconds = (env: string, count: number, description: string, options?: Options) =>
  setting<number[]>(
    env,
    description,
    (raw) => {
      const parts = raw.split(",").map((part) => part.trim());
      return parts.length === count && parts.every((part) => /^\d+(\.\d+)?$/.test(part))
        ? { value: parts.map(Number) }
        : { problem: `must be ${count} numbers of seconds separated by commas` };
    },
    options,
  );

const STORES: ProcessName[] = [...SERVICE_NAMES];
const ENCRYPTS: ProcessName[] = ["auth-token", "profile", "webhook-registry", "delivery"];

/** One row a setting; .env.example and the README's table are compared with it by a test. */
export const SETTINGS = {
  env: oneOf(
    "PBO_ENV",
    ["production", "local"],
    "local permits the exceptions of the embedded platform; production refuses them",
    {
      default: "production",
    },
  ),
  namespace: setting<string>(
    "PBO_NAMESPACE",
    "keeps several installations apart on the same servers: prefix of databases, streams, subjects and nodes",
    (value) =>
      /^[a-z0-9]{0,20}$/.test(value)
        ? { value }
        : { problem: "must be at most 20 lower-case letters and digits" },
    { default: "" },
  ),
  logLevel: oneOf(
    "PBO_LOG_LEVEL",
    ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
    "least level that is logged",
    { default: "info" },
  ),

  natsUrl: url("PBO_NATS_URL", ["nats:", "tls:"], "NATS servers, separated by commas"),
  natsUser: text("PBO_NATS_USER", "NATS user of this process", { default: "" }),
  natsPassword: text("PBO_NATS_PASSWORD", "password of the NATS user", { default: "", secret: true }),
  natsCaFile: text("PBO_NATS_CA_FILE", "CA that signed the NATS servers' certificates", { default: "" }),
  streamReplicas: integer("PBO_STREAM_REPLICAS", 1, 5, "copies of each JetStream stream", { default: "1" }),

  mongodbUri: url("PBO_MONGODB_URI", ["mongodb:", "mongodb+srv:"], "MongoDB replica set", {
    usedBy: STORES,
    secret: true,
  }),
  mongodbPoolSize: integer("PBO_MONGODB_POOL_SIZE", 1, 500, "connections a process keeps to MongoDB", {
    default: "50",
  }),
  fieldKeys: fieldKeys(
    "PBO_FIELD_KEYS",
    "keys for fields encrypted at rest, <id>:<base64 of 32 bytes>, newest first",
    {
      usedBy: ENCRYPTS,
      secret: true,
    },
  ),

  opsHost: text("PBO_OPS_HOST", "address of the operations port", { default: "0.0.0.0" }),
  opsPort: integer(
    "PBO_OPS_PORT",
    0,
    65_535,
    "operations port: /healthz, /readyz, /metrics; 0 takes a free one",
    {
      default: "9100",
    },
  ),
  prepareOnly: flag(
    "PBO_PREPARE_ONLY",
    "a service creates its indexes and streams and exits, before a rollout",
  ),
  startDeadlineMs: integer(
    "PBO_START_DEADLINE_MS",
    1_000,
    600_000,
    "a process that is not up by then exits with 1",
    {
      default: "30000",
    },
  ),
  stopDelayMs: integer(
    "PBO_STOP_DELAY_MS",
    0,
    60_000,
    "time between readiness going false and the listener closing",
    {
      default: "1000",
    },
  ),
  stopDeadlineMs: integer("PBO_STOP_DEADLINE_MS", 1_000, 120_000, "longest wait for work in hand at a stop", {
    default: "20000",
  }),
  requestTimeoutMs: integer("PBO_REQUEST_TIMEOUT_MS", 100, 60_000, "deadline of one call between processes", {
    default: "5000",
  }),

  host: text("PBO_HOST", "address the gateway listens on", { default: "0.0.0.0" }),
  port: integer("PBO_PORT", 0, 65_535, "port the gateway listens on", { default: "3000" }),
  baseUrl: url("PBO_BASE_URL", ["https:", "http:"], "public address of the gateway; also the token issuer", {
    usedBy: ["gateway", "auth-token"],
  }),
  trustedProxies: list("PBO_TRUSTED_PROXIES", "addresses or CIDR ranges whose X-Forwarded-For is believed", {
    default: "",
  }),
  readsPerMinute: integer("PBO_LIMIT_READS", 1, 100_000_000, "reads per client and minute", {
    default: "600",
  }),
  writesPerMinute: integer("PBO_LIMIT_WRITES", 1, 100_000_000, "writes per client and minute", {
    default: "120",
  }),
  tokensPerMinute: integer("PBO_LIMIT_TOKENS", 1, 100_000_000, "token requests per client and minute", {
    default: "30",
  }),
  tokensPerAddress: integer(
    "PBO_LIMIT_TOKENS_PER_ADDRESS",
    1,
    100_000_000,
    "token requests per network address and minute, good or bad",
    { default: "300" },
  ),
  loginsPerAddress: integer(
    "PBO_LIMIT_LOGINS_PER_ADDRESS",
    1,
    100_000_000,
    "attempts to sign in per network address and minute",
    { default: "60" },
  ),
  failuresPerAddress: integer(
    "PBO_LIMIT_FAILURES_PER_ADDRESS",
    1,
    100_000_000,
    "requests without a valid token or session per network address and minute",
    { default: "120" },
  ),
  signingKeyDays: integer(
    "PBO_SIGNING_KEY_DAYS",
    1,
    365,
    "age at which the key that signs access tokens is replaced",
    { default: "30" },
  ),

  outboxSweepMs: integer(
    "PBO_OUTBOX_SWEEP_MS",
    50,
    600_000,
    "how often outboxes are searched for events not yet sent",
    { default: "2000" },
  ),
  outboxReconcileMs: integer(
    "PBO_OUTBOX_RECONCILE_MS",
    100,
    3_600_000,
    "an event published but not confirmed for this long is published again",
    { default: "120000" },
  ),

  s3Endpoint: url(
    "PBO_S3_ENDPOINT",
    ["https:", "http:"],
    "S3 API as the document service reaches it; empty means AWS",
    {
      default: "",
    },
  ),
  s3PublicEndpoint: url(
    "PBO_S3_PUBLIC_ENDPOINT",
    ["https:", "http:"],
    "S3 API as partners reach it, in upload links; empty means PBO_S3_ENDPOINT",
    { default: "" },
  ),
  s3Region: text("PBO_S3_REGION", "region of the bucket", { default: "us-east-1" }),
  s3Bucket: text("PBO_S3_BUCKET", "bucket of the documents", { usedBy: ["document"] }),
  s3AccessKeyId: text("PBO_S3_ACCESS_KEY_ID", "access key; empty means the SDK's own credential chain", {
    default: "",
    secret: true,
  }),
  s3SecretAccessKey: text("PBO_S3_SECRET_ACCESS_KEY", "secret of the access key", {
    default: "",
    secret: true,
  }),
  s3PathStyle: flag("PBO_S3_PATH_STYLE", "bucket in the path and not in the host name (MinIO)"),
  documentSweepMs: integer(
    "PBO_DOCUMENT_SWEEP_MS",
    50,
    600_000,
    "how often documents are searched for work that is due: lost notices, closed links, files to remove",
    { default: "2000" },
  ),
  documentFirstLookMs: integer(
    "PBO_DOCUMENT_FIRST_LOOK_MS",
    100,
    600_000,
    "a link this old is looked up in storage for the first time, in case the notice of its file was lost",
    { default: "20000" },
  ),

  retrySchedule: seconds(
    "PBO_DELIVERY_RETRY_SCHEDULE",
    8,
    "wait before each of the eight webhook attempts, in seconds after the failure before it",
    { default: "0,30,300,1800,10800,36000,79200,129600" },
  ),
  webhookDegradedAfter: integer(
    "PBO_WEBHOOK_DEGRADED_AFTER_FAILURES",
    1,
    1_000,
    "failed webhook attempts in a row after which an endpoint is Degraded",
    { default: "5" },
  ),
  webhookDisabledAfterMs: integer(
    "PBO_WEBHOOK_DISABLED_AFTER_MS",
    100,
    2_592_000_000,
    "a Degraded endpoint that gave up a delivery is Disabled after this long without success",
    { default: "259200000" },
  ),
  webhookSweepMs: integer(
    "PBO_WEBHOOK_SWEEP_MS",
    50,
    3_600_000,
    "how often endpoints are searched for ended secrets and passed deadlines",
    { default: "60000" },
  ),
  webhookDnsServers: list(
    "PBO_WEBHOOK_DNS_SERVERS",
    "name servers asked for webhook hosts, address or address:port; empty means those of the machine",
    { default: "" },
  ),
  deliveryPollMs: integer(
    "PBO_DELIVERY_POLL_MS",
    20,
    60_000,
    "how often waiting webhook retries are looked at; first attempts do not wait for it",
    { default: "250", usedBy: ["delivery"] },
  ),
  deliveryLeaseMs: integer(
    "PBO_DELIVERY_LEASE_MS",
    1_000,
    3_600_000,
    "an attempt handed to the broker and not heard of for this long is handed over again",
    { default: "60000", usedBy: ["delivery"] },
  ),
  deliveryPerEndpoint: integer(
    "PBO_DELIVERY_PER_ENDPOINT",
    1,
    1_000,
    "most webhook requests a process has under way to one endpoint",
    { default: "16", usedBy: ["delivery"] },
  ),
  deliveryInFlight: integer(
    "PBO_DELIVERY_IN_FLIGHT",
    1,
    10_000,
    "most webhook requests a process has under way in all",
    { default: "512", usedBy: ["delivery"] },
  ),
  webhookDnsTimeoutMs: integer(
    "PBO_WEBHOOK_DNS_TIMEOUT_MS",
    10,
    30_000,
    "longest wait for the name server when a webhook URL is resolved",
    { default: "3000" },
  ),
  webhookConnectTimeoutMs: integer(
    "PBO_WEBHOOK_CONNECT_TIMEOUT_MS",
    10,
    30_000,
    "longest wait for TCP and TLS to a webhook receiver",
    { default: "5000" },
  ),
  webhookTimeoutMs: integer(
    "PBO_WEBHOOK_TIMEOUT_MS",
    50,
    60_000,
    "a webhook attempt without an answer by then has failed",
    { default: "15000" },
  ),
  webhookCaFile: text("PBO_WEBHOOK_CA_FILE", "extra CA trusted for webhook receivers", {
    default: "",
    localOnly: true,
  }),
  webhookAllowLoopback: flag("PBO_WEBHOOK_ALLOW_LOOPBACK", "webhooks may go to 127.0.0.0/8 and ::1", {
    localOnly: true,
  }),
} as const;

type Values<S> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };
export type Config = Values<typeof SETTINGS> & { readonly process: ProcessName };

export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length} problem(s):\n${problems.map((p) => `  - ${p}`).join("\n")}`,
    );
    this.name = "ConfigError";
    this.problems = problems;
  }
}

type Env = Record<string, string | undefined>;

/** Reads and checks every setting; throws one ConfigError that names all that is wrong. */
export function loadConfig(process: ProcessName, env: Env): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = { process };
  for (const [name, row] of Object.entries(SETTINGS) as [string, Setting<unknown>][]) {
    values[name] = readSetting(row, process, env, problems);
  }
  if (values.env !== "local") problems.push(...productionProblems(env, values));
  problems.push(...unknownVariables(env));
  if (problems.length > 0) throw new ConfigError(problems);
  return values as Config;
}

export const processEnv = (): Env => process.env;

function readSetting(row: Setting<unknown>, process: ProcessName, env: Env, problems: string[]): unknown {
  const raw = rawValue(row, env, problems);
  if (raw === null) return emptyValue(row);
  const used = row.usedBy === "all" || row.usedBy.includes(process);
  if (raw === undefined && row.default === null) {
    if (used) problems.push(`${row.env} is required: ${row.description}`);
    return emptyValue(row);
  }
  const parsed = row.parse(raw ?? row.default ?? "");
  if ("value" in parsed) return parsed.value;
  problems.push(`${row.env} ${parsed.problem}`);
  return emptyValue(row);
}

const emptyValue = (row: Setting<unknown>): unknown => {
  const parsed = row.parse("");
  return "value" in parsed ? parsed.value : undefined;
};

/** undefined when it is not set, null when it is set and cannot be read. */
function rawValue(row: Setting<unknown>, env: Env, problems: string[]): string | undefined | null {
  const direct = env[row.env] || undefined;
  const file = env[`${row.env}_FILE`];
  if (!row.secret || !file) return direct;
  if (direct) problems.push(`${row.env} and ${row.env}_FILE are both set; keep one`);
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch {
    problems.push(`${row.env}_FILE names a file that cannot be read`);
    return null;
  }
}

function productionProblems(env: Env, values: Record<string, unknown>): string[] {
  const problems = (Object.values(SETTINGS) as Setting<unknown>[])
    .filter((row) => row.localOnly && env[row.env] && env[row.env] !== "false")
    .map((row) => `${row.env} is for PBO_ENV=local only`);
  const baseUrl = String(values.baseUrl ?? "");
  if (baseUrl.startsWith("http:")) problems.push("PBO_BASE_URL must be https in production");
  return problems;
}

/** A misspelt name must not pass for a default. */
function unknownVariables(env: Env): string[] {
  const rows = Object.values(SETTINGS) as Setting<unknown>[];
  const known = new Set(rows.flatMap((row) => (row.secret ? [row.env, `${row.env}_FILE`] : [row.env])));
  return Object.keys(env)
    .filter((name) => name.startsWith("PBO_") && !name.startsWith("PBO_TEST_") && !known.has(name))
    .map((name) => `${name} is not a setting of this service`);
}
