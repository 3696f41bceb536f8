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

/** One row per setting; .env.example and the table in deploy/README.md are compared with it by a test. */
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
  acceptedRisks: someOf(
    "PBO_ACCEPTED_RISKS",
    RISKS,
    "protections that production runs without, each named; a warning at every start names them again",
    { default: "" },
  ),
  logLevel: oneOf(
    "PBO_LOG_LEVEL",
    ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
    "least level that is logged; production takes warn or lower",
    { default: "info" },
  ),

  natsUrl: url("PBO_NATS_URL", ["nats:", "tls:"], "NATS servers, separated by commas"),
  natsUser: text("PBO_NATS_USER", "NATS user of this process for calls", { default: "", secret: true }),
  natsPassword: text("PBO_NATS_PASSWORD", "password of the NATS user for calls", {
    default: "",
    secret: true,
  }),
  natsStreamsUser: text("PBO_NATS_STREAMS_USER", "NATS user of this process for streams", {
    usedBy: [...STREAMS, "migration"],
    default: "",
    secret: true,
  }),
  natsStreamsPassword: text("PBO_NATS_STREAMS_PASSWORD", "password of the NATS user for streams", {
    usedBy: [...STREAMS, "migration"],
    default: "",
    secret: true,
  }),
  natsCaFile: text("PBO_NATS_CA_FILE", "CA that signed the NATS servers' certificates", { default: "" }),
  streamReplicas: integer("PBO_STREAM_REPLICAS", 1, 5, "copies of each JetStream stream", {
    usedBy: [...STREAMS, "migration"],
    default: "1",
  }),

  ...MONGODB_SETTINGS,
  identityKeys: fieldKeys(
    "PBO_IDENTITY_KEYS",
    ["profile"],
    "field keys of people's identities, <id>:<base64 of 32 bytes>, the one that seals first",
  ),
  tokenKeys: fieldKeys(
    "PBO_TOKEN_KEYS",
    ["auth-token"],
    "field keys of what auth-token seals: the keys that sign access tokens; in the same form",
  ),
  webhookKeys: fieldKeys(
    "PBO_WEBHOOK_KEYS",
    ["webhook-registry", "delivery"],
    "field keys of webhook secrets and of the keys that seal receivers' answers, in the same form",
  ),

  gatewayPrivateKey: signingKey(
    "PBO_GATEWAY_PRIVATE_KEY",
    "key with which the gateway signs who is calling: base64 of an Ed25519 private key (PKCS #8, DER)",
    { usedBy: GATEWAY, secret: true, ownersOnly: true },
  ),
  gatewayPublicKeys: verifyingKeys(
    "PBO_GATEWAY_PUBLIC_KEYS",
    "keys by which services know the gateway's word: base64 of Ed25519 public keys (SPKI, DER), separated by commas; during a rotation the old and the new one",
    { usedBy: STORES, secret: true },
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
  migrationLeaseMs: integer(
    "PBO_MIGRATION_LEASE_MS",
    1_000,
    600_000,
    "so long after a migration was killed the next run takes it up",
    { usedBy: ["migration"], default: "15000" },
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

  host: text("PBO_HOST", "address the gateway listens on", { usedBy: GATEWAY, default: "0.0.0.0" }),
  port: integer("PBO_PORT", 0, 65_535, "port the gateway listens on", { usedBy: GATEWAY, default: "3000" }),
  baseUrl: url("PBO_BASE_URL", ["https:", "http:"], "public address of the gateway; also the token issuer", {
    usedBy: ["gateway", "auth-token"],
  }),
  trustedProxies: list("PBO_TRUSTED_PROXIES", "addresses or CIDR ranges whose X-Forwarded-For is believed", {
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
    "token requests per network address and minute, good or bad",
    { usedBy: GATEWAY, default: "300" },
  ),
  loginsPerAddress: integer(
    "PBO_LIMIT_LOGINS_PER_ADDRESS",
    1,
    100_000_000,
    "attempts to sign in per network address and minute",
    { usedBy: GATEWAY, default: "60" },
  ),
  failuresPerAddress: integer(
    "PBO_LIMIT_FAILURES_PER_ADDRESS",
    1,
    100_000_000,
    "requests that are not let in (no valid token or session, or one that may not do this) per network address and minute",
    { usedBy: GATEWAY, default: "120" },
  ),
  pagesPerAddress: integer(
    "PBO_LIMIT_PAGES_PER_ADDRESS",
    1,
    100_000_000,
    "pages, their files and API documents per network address, minute and gateway",
    { usedBy: GATEWAY, default: "600" },
  ),
  passwordMemoryKib: integer(
    "PBO_PASSWORD_MEMORY_KIB",
    64,
    1_048_576,
    "memory that the hash of a password takes; less makes passwords easier to guess",
    { usedBy: ["auth-token"], default: "19456", localOnly: true },
  ),
  secondFactorFor: oneOf(
    "PBO_SECOND_FACTOR",
    ["none", "analysts", "analysts-and-owners"],
    "who can do nothing but set up a second factor until they have one",
    { usedBy: ["auth-token"], default: "analysts" },
  ),
  freshSignInMinutes: integer(
    "PBO_FRESH_SIGN_IN_MINUTES",
    0,
    720,
    "how long after signing in a person may change the webhook URL, secrets, certificates and the team; 0 means as long as the session",
    { usedBy: GATEWAY, default: "10" },
  ),
  signingKeyDays: integer(
    "PBO_SIGNING_KEY_DAYS",
    1,
    365,
    "age at which the key that signs access tokens is replaced",
    { usedBy: ["auth-token"], default: "30" },
  ),

  otlpEndpoint: url(
    "PBO_OTLP_ENDPOINT",
    ["https:", "http:"],
    "OpenTelemetry collector (OTLP over HTTP) that is told of traces; empty means none",
    { default: "" },
  ),
  otlpSamplePercent: integer("PBO_OTLP_SAMPLE_PERCENT", 0, 100, "share of traces that it is told of", {
    default: "100",
  }),

  outboxSweepMs: integer(
    "PBO_OUTBOX_SWEEP_MS",
    50,
    600_000,
    "how often outboxes are searched for events not yet sent",
    { usedBy: ["profile"], default: "2000" },
  ),
  outboxReconcileMs: integer(
    "PBO_OUTBOX_RECONCILE_MS",
    100,
    3_600_000,
    "an event published but not confirmed for this long is published again",
    { usedBy: ["profile"], default: "120000" },
  ),

  retentionRejectedDays: integer(
    "PBO_RETENTION_REJECTED_DAYS",
    0,
    36_500,
    "a rejected customer that has not changed for so many days is erased; 0 keeps it",
    { usedBy: ["profile"], default: "0" },
  ),
  retentionApprovedDays: integer(
    "PBO_RETENTION_APPROVED_DAYS",
    0,
    36_500,
    "an approved customer that has not changed for so many days is erased; 0 keeps it",
    { usedBy: ["profile"], default: "0" },
  ),
  retentionRemovedPersonDays: integer(
    "PBO_RETENTION_REMOVED_PERSON_DAYS",
    0,
    36_500,
    "a person whom a replacement left out is emptied after so many days, but for id and dates; 0 keeps the person",
    { usedBy: ["profile"], default: "1827" },
  ),
  auditRetentionDays: integer(
    "PBO_AUDIT_RETENTION_DAYS",
    30,
    20_000,
    "days that an entry of the audit trails is kept; set by `admin audit prepare`, read by `admin audit verify`",
    { usedBy: ["auth-token", "profile", "webhook-registry", "delivery"], default: "1827" },
  ),
  sandboxDecisionMs: integer(
    "PBO_SANDBOX_DECISION_MS",
    0,
    86_400_000,
    "how long after it is queued a test customer is decided whose company name says how",
    { usedBy: ["profile"], default: "5000" },
  ),
  erasureSweepMs: integer(
    "PBO_ERASURE_SWEEP_MS",
    50,
    86_400_000,
    "how often customers are searched whose retention has ended or whose erasure was interrupted",
    { usedBy: ["profile"], default: "60000" },
  ),

  s3Endpoint: url(
    "PBO_S3_ENDPOINT",
    ["https:", "http:"],
    "S3 API as the document service reaches it; empty means AWS",
    {
      usedBy: DOCUMENT,
      default: "",
    },
  ),
  s3PublicEndpoint: url(
    "PBO_S3_PUBLIC_ENDPOINT",
    ["https:", "http:"],
    "S3 API as partners reach it, or the bucket's own address there, in links; empty means PBO_S3_ENDPOINT",
    { usedBy: DOCUMENT, default: "" },
  ),
  noticeSecret: setting<string>(
    "PBO_STORAGE_NOTICE_SECRET",
    "what storage proves itself with at /storage/notices, as a bearer token or as the password of basic authentication; empty means that nobody is let in",
    (value) =>
      value === "" || value.length >= 32 ? { value } : { problem: "must have at least 32 characters" },
    { usedBy: GATEWAY, default: "", secret: true },
  ),
  storageOrigin: url(
    "PBO_STORAGE_ORIGIN",
    ["https:", "http:"],
    "where browsers get documents from, as in the links: scheme, host and port; empty: the dashboard shows no pictures of them",
    { usedBy: ["gateway"], default: "" },
  ),
  s3Region: text("PBO_S3_REGION", "region of the bucket", { usedBy: DOCUMENT, default: "us-east-1" }),
  s3Bucket: text("PBO_S3_BUCKET", "bucket of the documents", { usedBy: DOCUMENT }),
  s3AccessKeyId: text("PBO_S3_ACCESS_KEY_ID", "access key; empty means the SDK's own credential chain", {
    usedBy: DOCUMENT,
    default: "",
    secret: true,
  }),
  s3SecretAccessKey: text("PBO_S3_SECRET_ACCESS_KEY", "secret of the access key", {
    usedBy: DOCUMENT,
    default: "",
    secret: true,
  }),
  s3PathStyle: flag(
    "PBO_S3_PATH_STYLE",
    "bucket in the path and not in the host name (most servers of your own)",
    {
      usedBy: DOCUMENT,
    },
  ),
  scannerAddress: address(
    "PBO_SCANNER_ADDRESS",
    "clamd, as host:port, that looks at every file before it is confirmed; none: files are not scanned, which production must say",
    { usedBy: DOCUMENT, default: "" },
  ),
  arrivalsAckPending: integer(
    "PBO_ARRIVALS_ACK_PENDING",
    1,
    1_000_000,
    "most notices of files that all document processes together have taken and not yet dealt with",
    { usedBy: DOCUMENT, default: "500" },
  ),
  arrivalsBatch: integer(
    "PBO_ARRIVALS_BATCH",
    1,
    10_000,
    "most notices of files that a document process deals with together",
    { usedBy: DOCUMENT, default: "50" },
  ),
  documentSweepMs: integer(
    "PBO_DOCUMENT_SWEEP_MS",
    50,
    600_000,
    "how often documents are searched for work that is due: lost notices, closed links, files to remove",
    { usedBy: DOCUMENT, default: "2000" },
  ),
  documentFirstLookMs: integer(
    "PBO_DOCUMENT_FIRST_LOOK_MS",
    100,
    600_000,
    "a link this old is looked up in storage for the first time, in case the notice of its file was lost",
    { usedBy: DOCUMENT, default: "20000" },
  ),
  documentLookMs: integer(
    "PBO_DOCUMENT_LOOK_MS",
    100,
    600_000,
    "an open link is looked up at least this often; without notices of storage this and the first look are how long a file waits",
    { usedBy: DOCUMENT, default: "300000" },
  ),

  ...WEBHOOK_SETTINGS,
} as const;
