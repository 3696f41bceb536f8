/** Every setting of every process, including the parts in settings-mongodb.ts and settings-webhook.ts. */
import { type ProcessName, SERVICE_NAMES } from "./process-names.ts";
import { RISKS } from "./production.rules.ts";
import {
  address,
  fieldKeys,
  flag,
  integer,
  list,
  oneOf,
  setting,
  signingKey,
  someOf,
  text,
  url,
  verifyingKeys,
} from "./setting-kinds.ts";
import { MONGODB_SETTINGS } from "./settings-mongodb.ts";
import { WEBHOOK_SETTINGS } from "./settings-webhook.ts";

const STORES: ProcessName[] = [...SERVICE_NAMES];
const STREAMS: ProcessName[] = ["profile", "document", "delivery"];
const GATEWAY: ProcessName[] = ["gateway"];
const DOCUMENT: ProcessName[] = ["document"];

/** A test compares .env.example and deploy/docs/settings.md with these rows. */
export const SETTINGS = {
  env: oneOf("PBO_ENV", ["production", "local"], "`local` allows the exceptions of the embedded platform", {
    default: "production",
  }),
  namespace: setting<string>(
    "PBO_NAMESPACE",
    "prefix of databases, streams, subjects and nodes, to share servers between installations",
    (value) =>
      /^[a-z0-9]{0,20}$/.test(value)
        ? { value }
        : { problem: "must be at most 20 lower-case letters and digits" },
    { default: "" },
  ),
  acceptedRisks: someOf("PBO_ACCEPTED_RISKS", RISKS, "protections that production runs without", {
    default: "",
  }),
  logLevel: oneOf(
    "PBO_LOG_LEVEL",
    ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
    "lowest level that is logged",
    { default: "info" },
  ),

  natsUrl: url("PBO_NATS_URL", ["nats:", "tls:"], "NATS servers, separated by commas"),
  natsUser: text("PBO_NATS_USER", "NATS user for calls", { default: "", secret: true }),
  natsPassword: text("PBO_NATS_PASSWORD", "password of the NATS user for calls", {
    default: "",
    secret: true,
  }),
  natsStreamsUser: text("PBO_NATS_STREAMS_USER", "NATS user for streams", {
    usedBy: [...STREAMS, "migration"],
    default: "",
    secret: true,
  }),
  natsStreamsPassword: text("PBO_NATS_STREAMS_PASSWORD", "password of the NATS user for streams", {
    usedBy: [...STREAMS, "migration"],
    default: "",
    secret: true,
  }),
  natsCaFile: text("PBO_NATS_CA_FILE", "CA of the NATS servers", { default: "" }),
  streamReplicas: integer("PBO_STREAM_REPLICAS", 1, 5, "copies of each stream", {
    usedBy: [...STREAMS, "migration"],
    default: "1",
  }),

  ...MONGODB_SETTINGS,
  identityKeys: fieldKeys(
    "PBO_IDENTITY_KEYS",
    ["profile"],
    "field keys of identities, `<id>:<base64 of 32 bytes>` separated by commas; the first seals",
  ),
  tokenKeys: fieldKeys("PBO_TOKEN_KEYS", ["auth-token"], "field keys of token signing keys"),
  webhookKeys: fieldKeys(
    "PBO_WEBHOOK_KEYS",
    ["webhook-registry", "delivery"],
    "field keys of webhook secrets and receivers' answers",
  ),

  gatewayPrivateKey: signingKey(
    "PBO_GATEWAY_PRIVATE_KEY",
    "key that signs who is calling: Ed25519, PKCS #8, DER, base64",
    { usedBy: GATEWAY, secret: true, ownersOnly: true },
  ),
  gatewayPublicKeys: verifyingKeys(
    "PBO_GATEWAY_PUBLIC_KEYS",
    "keys that check this signature: Ed25519, SPKI, DER, base64, separated by commas",
    { usedBy: STORES, secret: true },
  ),

  opsHost: text("PBO_OPS_HOST", "address of the operations port", { default: "0.0.0.0" }),
  opsPort: integer("PBO_OPS_PORT", 0, 65_535, "port of /healthz, /readyz and /metrics; 0 takes a free one", {
    default: "9100",
  }),
  startDeadlineMs: integer(
    "PBO_START_DEADLINE_MS",
    1_000,
    600_000,
    "a process that is not ready by then exits with 1",
    {
      default: "30000",
    },
  ),
  stopDelayMs: integer(
    "PBO_STOP_DELAY_MS",
    0,
    60_000,
    "pause between readiness false and the closed listener",
    {
      default: "1000",
    },
  ),
  stopDeadlineMs: integer("PBO_STOP_DEADLINE_MS", 1_000, 120_000, "longest wait for running work at a stop", {
    default: "20000",
  }),
  requestTimeoutMs: integer("PBO_REQUEST_TIMEOUT_MS", 100, 60_000, "deadline of a call between processes", {
    default: "5000",
  }),

  host: text("PBO_HOST", "listening address", { usedBy: GATEWAY, default: "0.0.0.0" }),
  port: integer("PBO_PORT", 0, 65_535, "listening port", { usedBy: GATEWAY, default: "3000" }),
  baseUrl: url("PBO_BASE_URL", ["https:", "http:"], "public address of the gateway and issuer of tokens", {
    usedBy: ["gateway", "auth-token"],
  }),
  trustedProxies: list("PBO_TRUSTED_PROXIES", "addresses or CIDR ranges whose X-Forwarded-For is trusted", {
    usedBy: GATEWAY,
    default: "",
  }),
  readsPerMinute: integer("PBO_LIMIT_READS", 1, 100_000_000, "reads per client and minute", {
    usedBy: GATEWAY,
    default: "600",
  }),
  writesPerMinute: integer("PBO_LIMIT_WRITES", 1, 100_000_000, "writes per client and minute", {
    usedBy: GATEWAY,
    default: "120",
  }),
  tokensPerMinute: integer("PBO_LIMIT_TOKENS", 1, 100_000_000, "token requests per client and minute", {
    usedBy: ["auth-token"],
    default: "30",
  }),
  tokensPerAddress: integer(
    "PBO_LIMIT_TOKENS_PER_ADDRESS",
    1,
    100_000_000,
    "token requests per address and minute",
    { usedBy: GATEWAY, default: "300" },
  ),
  loginsPerAddress: integer(
    "PBO_LIMIT_LOGINS_PER_ADDRESS",
    1,
    100_000_000,
    "sign-in attempts per address and minute",
    { usedBy: GATEWAY, default: "60" },
  ),
  failuresPerAddress: integer(
    "PBO_LIMIT_FAILURES_PER_ADDRESS",
    1,
    100_000_000,
    "requests per address and minute that are refused as unauthenticated or forbidden",
    { usedBy: GATEWAY, default: "120" },
  ),
  pagesPerAddress: integer(
    "PBO_LIMIT_PAGES_PER_ADDRESS",
    1,
    100_000_000,
    "pages and API documents per address, minute and gateway",
    { usedBy: GATEWAY, default: "600" },
  ),
  passwordMemoryKib: integer("PBO_PASSWORD_MEMORY_KIB", 64, 1_048_576, "memory of a password hash", {
    usedBy: ["auth-token"],
    default: "19456",
    localOnly: true,
  }),
  secondFactorFor: oneOf(
    "PBO_SECOND_FACTOR",
    ["none", "analysts", "analysts-and-owners"],
    "roles that must set up a second factor first: none, analysts, analysts-and-owners",
    { usedBy: ["auth-token"], default: "analysts" },
  ),
  freshSignInMinutes: integer(
    "PBO_FRESH_SIGN_IN_MINUTES",
    0,
    720,
    "age of a sign-in up to which webhooks, secrets, certificates and teams may be changed; 0 means any",
    { usedBy: GATEWAY, default: "10" },
  ),
  signingKeyDays: integer("PBO_SIGNING_KEY_DAYS", 1, 365, "age at which the token signing key is replaced", {
    usedBy: ["auth-token"],
    default: "30",
  }),

  otlpEndpoint: url("PBO_OTLP_ENDPOINT", ["https:", "http:"], "OpenTelemetry collector (OTLP over HTTP)", {
    default: "",
  }),
  otlpSamplePercent: integer("PBO_OTLP_SAMPLE_PERCENT", 0, 100, "share of traces that is exported", {
    default: "100",
  }),

  outboxSweepMs: integer("PBO_OUTBOX_SWEEP_MS", 50, 600_000, "interval of the sweep for unpublished events", {
    usedBy: ["profile"],
    default: "2000",
  }),
  outboxReconcileMs: integer(
    "PBO_OUTBOX_RECONCILE_MS",
    100,
    3_600_000,
    "wait before an unconfirmed event is published a third time; it doubles",
    { usedBy: ["profile"], default: "120000" },
  ),

  retentionRejectedDays: integer(
    "PBO_RETENTION_REJECTED_DAYS",
    0,
    36_500,
    "a rejected customer unchanged for this long is erased; 0 keeps it",
    { usedBy: ["profile"], default: "0" },
  ),
  retentionApprovedDays: integer(
    "PBO_RETENTION_APPROVED_DAYS",
    0,
    36_500,
    "an approved customer unchanged for this long is erased; 0 keeps it",
    { usedBy: ["profile"], default: "0" },
  ),
  retentionRemovedPersonDays: integer(
    "PBO_RETENTION_REMOVED_PERSON_DAYS",
    0,
    36_500,
    "a removed person is emptied after this long; 0 keeps the person",
    { usedBy: ["profile"], default: "1827" },
  ),
  auditRetentionDays: integer("PBO_AUDIT_RETENTION_DAYS", 30, 20_000, "age at which audit entries expire", {
    usedBy: ["auth-token", "profile", "webhook-registry", "delivery"],
    default: "1827",
  }),
  sandboxDecisionMs: integer(
    "PBO_SANDBOX_DECISION_MS",
    0,
    86_400_000,
    "delay before a sandbox customer with a magic name is decided",
    { usedBy: ["profile"], default: "5000" },
  ),
  erasureSweepMs: integer(
    "PBO_ERASURE_SWEEP_MS",
    50,
    86_400_000,
    "interval of the sweep for retention and unfinished erasures",
    { usedBy: ["profile"], default: "60000" },
  ),

  s3Endpoint: url(
    "PBO_S3_ENDPOINT",
    ["https:", "http:"],
    "S3 API for the document service; empty means AWS",
    {
      usedBy: DOCUMENT,
      default: "",
    },
  ),
  s3PublicEndpoint: url(
    "PBO_S3_PUBLIC_ENDPOINT",
    ["https:", "http:"],
    "S3 API in links; empty means PBO_S3_ENDPOINT",
    { usedBy: DOCUMENT, default: "" },
  ),
  noticeSecret: setting<string>(
    "PBO_STORAGE_NOTICE_SECRET",
    "secret of storage at /storage/notices; empty refuses notifications",
    (value) =>
      value === "" || value.length >= 32 ? { value } : { problem: "must have at least 32 characters" },
    { usedBy: GATEWAY, default: "", secret: true },
  ),
  storageOrigin: url(
    "PBO_STORAGE_ORIGIN",
    ["https:", "http:"],
    "origin of document links, for the dashboard's policy; empty shows no pictures",
    { usedBy: ["gateway"], default: "" },
  ),
  s3Region: text("PBO_S3_REGION", "region of the bucket", { usedBy: DOCUMENT, default: "us-east-1" }),
  s3Bucket: text("PBO_S3_BUCKET", "bucket of the documents", { usedBy: DOCUMENT }),
  s3AccessKeyId: text("PBO_S3_ACCESS_KEY_ID", "access key; empty uses the SDK's credential chain", {
    usedBy: DOCUMENT,
    default: "",
    secret: true,
  }),
  s3SecretAccessKey: text("PBO_S3_SECRET_ACCESS_KEY", "secret of the access key", {
    usedBy: DOCUMENT,
    default: "",
    secret: true,
  }),
  s3PathStyle: flag("PBO_S3_PATH_STYLE", "bucket in the path instead of the host name", {
    usedBy: DOCUMENT,
  }),
  scannerAddress: address("PBO_SCANNER_ADDRESS", "clamd as host:port; `none` confirms files unscanned", {
    usedBy: DOCUMENT,
    default: "",
  }),
  documentSweepMs: integer("PBO_DOCUMENT_SWEEP_MS", 50, 600_000, "interval of the document sweep", {
    usedBy: DOCUMENT,
    default: "2000",
  }),
  documentFirstLookMs: integer(
    "PBO_DOCUMENT_FIRST_LOOK_MS",
    100,
    600_000,
    "age at which an open link is first checked in storage",
    { usedBy: DOCUMENT, default: "20000" },
  ),
  documentLookMs: integer(
    "PBO_DOCUMENT_LOOK_MS",
    100,
    600_000,
    "interval of further checks of an open link",
    { usedBy: DOCUMENT, default: "300000" },
  ),

  ...WEBHOOK_SETTINGS,
} as const;
