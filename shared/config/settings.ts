/** Every setting of every process. A test compares .env.example and deploy/docs/settings.md with these rows. */
import { type ProcessName, SERVICE_NAMES } from "./process-names.ts";
import {
  address,
  fieldKeys,
  flag,
  hosts,
  integer,
  list,
  matching,
  oneOf,
  type Setting,
  seconds,
  signingKey,
  someOf,
  text,
  url,
  verifyingKeys,
} from "./setting-kinds.ts";

/** A protection that production may run without only if the operator names it in PBO_ACCEPTED_RISKS. */
export const RISKS = ["no-second-factor", "no-fresh-sign-in", "no-mongodb-user", "high-limits"] as const;

const SECRET = { secret: true };
const OWNERS_SECRET = { secret: true, ownersOnly: true };
const LOCAL = { localOnly: true };

const web = url("https:", "http:");
const port = integer(0, 65_535);
const perMinute = integer(1, 100_000_000);
const days = integer(0, 36_500);

const usedBy = <S extends Record<string, Setting<unknown>>>(processes: readonly ProcessName[], rows: S): S =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { ...row, usedBy: processes }])) as S;

export const SETTINGS = {
  env: oneOf("production", "local")("PBO_ENV", "production", "`local`: the embedded platform's exceptions"),
  namespace: matching(/^[a-z0-9]{0,20}$/, "must be at most 20 lower-case letters and digits")(
    "PBO_NAMESPACE",
    "",
    "prefix of databases, streams, subjects and nodes, to share servers between installations",
  ),
  acceptedRisks: someOf(...RISKS)("PBO_ACCEPTED_RISKS", "", "protections that production runs without"),
  logLevel: oneOf(
    "fatal",
    "error",
    "warn",
    "info",
    "debug",
    "trace",
    "silent",
  )("PBO_LOG_LEVEL", "info", "lowest level that is logged"),
  natsUrl: url("nats:", "tls:")("PBO_NATS_URL", null, "NATS servers, separated by commas"),
  natsUser: text("PBO_NATS_USER", "", "NATS user for calls", SECRET),
  natsPassword: text("PBO_NATS_PASSWORD", "", "its password", SECRET),
  natsCaFile: text("PBO_NATS_CA_FILE", "", "CA of the NATS servers"),
  opsHost: text("PBO_OPS_HOST", "0.0.0.0", "address of the operations port"),
  opsPort: port("PBO_OPS_PORT", "9100", "port of /healthz, /readyz and /metrics; 0 takes a free one"),
  startDeadlineMs: integer(1_000, 600_000)(
    "PBO_START_DEADLINE_MS",
    "30000",
    "a process that is not ready by then exits with 1",
  ),
  stopDelayMs: integer(0, 60_000)("PBO_STOP_DELAY_MS", "1000", "pause between unready and a closed listener"),
  stopDeadlineMs: integer(1_000, 120_000)(
    "PBO_STOP_DEADLINE_MS",
    "20000",
    "deadline of running work at stop",
  ),
  requestTimeoutMs: integer(100, 60_000)("PBO_REQUEST_TIMEOUT_MS", "5000", "timeout of internal calls"),
  otlpEndpoint: web("PBO_OTLP_ENDPOINT", "", "OpenTelemetry collector (OTLP over HTTP)"),
  otlpSamplePercent: integer(0, 100)("PBO_OTLP_SAMPLE_PERCENT", "100", "share of traces that is exported"),

  ...usedBy(["profile", "document", "delivery", "migration"], {
    natsStreamsUser: text("PBO_NATS_STREAMS_USER", "", "NATS user for streams", SECRET),
    natsStreamsPassword: text("PBO_NATS_STREAMS_PASSWORD", "", "its password", SECRET),
    streamReplicas: integer(1, 5)("PBO_STREAM_REPLICAS", "1", "copies of each stream"),
  }),

  ...usedBy(SERVICE_NAMES, {
    mongodbHosts: hosts("PBO_MONGODB_HOSTS", "", "members or routers, host:port separated by commas"),
    mongodbUser: text("PBO_MONGODB_USER", "", "MongoDB user of this service", SECRET),
    mongodbPassword: text("PBO_MONGODB_PASSWORD", "", "its password, not escaped", SECRET),
    mongodbReplicaSet: text("PBO_MONGODB_REPLICA_SET", "", "name of the replica set; empty behind routers"),
    mongodbCaFile: text("PBO_MONGODB_CA_FILE", "", "CA of MongoDB; empty means a public CA"),
    mongodbUri: url("mongodb:", "mongodb+srv:")(
      "PBO_MONGODB_URI",
      "",
      "one address in place of PBO_MONGODB_HOSTS, user and password",
      SECRET,
    ),
    mongodbPoolSize: integer(1, 500)("PBO_MONGODB_POOL_SIZE", "50", "connections per process"),
    gatewayPublicKeys: verifyingKeys(
      "PBO_GATEWAY_PUBLIC_KEYS",
      null,
      "keys that check this signature: Ed25519, SPKI, DER, base64, separated by commas",
      SECRET,
    ),
  }),

  ...usedBy(["gateway"], {
    gatewayPrivateKey: signingKey(
      "PBO_GATEWAY_PRIVATE_KEY",
      null,
      "key that signs who is calling: Ed25519, PKCS #8, DER, base64",
      OWNERS_SECRET,
    ),
    host: text("PBO_HOST", "0.0.0.0", "listening address"),
    port: port("PBO_PORT", "3000", "listening port"),
    trustedProxies: list("PBO_TRUSTED_PROXIES", "", "addresses or CIDR ranges whose X-Forwarded-For counts"),
    readsPerMinute: perMinute("PBO_LIMIT_READS", "600", "reads per client and minute"),
    writesPerMinute: perMinute("PBO_LIMIT_WRITES", "120", "writes per client and minute"),
    tokensPerAddress: perMinute(
      "PBO_LIMIT_TOKENS_PER_ADDRESS",
      "300",
      "token requests per address and minute",
    ),
    loginsPerAddress: perMinute("PBO_LIMIT_LOGINS_PER_ADDRESS", "60", "sign-ins per address and minute"),
    failuresPerAddress: perMinute(
      "PBO_LIMIT_FAILURES_PER_ADDRESS",
      "120",
      "requests per address and minute that are refused as unauthenticated or forbidden",
    ),
    pagesPerAddress: perMinute(
      "PBO_LIMIT_PAGES_PER_ADDRESS",
      "600",
      "pages and API documents per address, minute and gateway",
    ),
    freshSignInMinutes: integer(0, 720)(
      "PBO_FRESH_SIGN_IN_MINUTES",
      "10",
      "age of a sign-in up to which webhooks, secrets, certificates and teams may be changed; 0 means any",
    ),
    notificationSecret: matching(/^(.{32,})?$/s, "must have at least 32 characters")(
      "PBO_STORAGE_NOTICE_SECRET",
      "",
      "secret of storage at /storage/notices; empty refuses notifications",
      SECRET,
    ),
    storageOrigin: web(
      "PBO_STORAGE_ORIGIN",
      "",
      "origin of document links, for the dashboard's policy; empty shows no pictures",
    ),
  }),

  ...usedBy(["gateway", "auth-token"], {
    baseUrl: web("PBO_BASE_URL", null, "public address of the gateway and issuer of tokens"),
  }),

  ...usedBy(["auth-token"], {
    tokenKeys: fieldKeys("PBO_TOKEN_KEYS", null, "field keys of token signing keys", OWNERS_SECRET),
    tokensPerMinute: perMinute("PBO_LIMIT_TOKENS", "30", "token requests per client and minute"),
    passwordMemoryKib: integer(64, 1_048_576)("PBO_PASSWORD_MEMORY_KIB", "19456", "memory per hash", LOCAL),
    secondFactorFor: oneOf("none", "analysts", "analysts-and-owners")(
      "PBO_SECOND_FACTOR",
      "analysts",
      "roles that must set up a second factor first: none, analysts, analysts-and-owners",
    ),
    signingKeyDays: integer(1, 365)("PBO_SIGNING_KEY_DAYS", "30", "age at which the signing key is replaced"),
  }),

  ...usedBy(["auth-token", "profile", "webhook-registry", "delivery"], {
    auditRetentionDays: integer(30, 20_000)("PBO_AUDIT_RETENTION_DAYS", "1827", "lifetime of audit entries"),
  }),

  ...usedBy(["profile"], {
    identityKeys: fieldKeys(
      "PBO_IDENTITY_KEYS",
      null,
      "field keys of identities, `<id>:<base64 of 32 bytes>` separated by commas; the first seals",
      OWNERS_SECRET,
    ),
    outboxSweepMs: integer(50, 600_000)("PBO_OUTBOX_SWEEP_MS", "2000", "interval of the outbox sweep"),
    outboxReconcileMs: integer(100, 3_600_000)(
      "PBO_OUTBOX_RECONCILE_MS",
      "120000",
      "wait before an unconfirmed event is published a third time; it doubles",
    ),
    retentionRejectedDays: days(
      "PBO_RETENTION_REJECTED_DAYS",
      "0",
      "a rejected customer unchanged for this long is erased; 0 keeps it",
    ),
    retentionApprovedDays: days(
      "PBO_RETENTION_APPROVED_DAYS",
      "0",
      "an approved customer unchanged for this long is erased; 0 keeps it",
    ),
    retentionRemovedPersonDays: days(
      "PBO_RETENTION_REMOVED_PERSON_DAYS",
      "1827",
      "a removed person is emptied after this long; 0 keeps the person",
    ),
    sandboxDecisionMs: integer(0, 86_400_000)(
      "PBO_SANDBOX_DECISION_MS",
      "5000",
      "delay before a sandbox customer with a magic name is decided",
    ),
    erasureSweepMs: integer(50, 86_400_000)(
      "PBO_ERASURE_SWEEP_MS",
      "60000",
      "interval of the sweep for retention and unfinished erasures",
    ),
  }),

  ...usedBy(["document"], {
    s3Endpoint: web("PBO_S3_ENDPOINT", "", "S3 API for the document service; empty means AWS"),
    s3PublicEndpoint: web("PBO_S3_PUBLIC_ENDPOINT", "", "S3 API in links; empty means PBO_S3_ENDPOINT"),
    s3Region: text("PBO_S3_REGION", "us-east-1", "region of the bucket"),
    s3Bucket: text("PBO_S3_BUCKET", null, "bucket of the documents"),
    s3AccessKeyId: text("PBO_S3_ACCESS_KEY_ID", "", "access key; empty: the SDK's credential chain", SECRET),
    s3SecretAccessKey: text("PBO_S3_SECRET_ACCESS_KEY", "", "secret of the access key", SECRET),
    s3PathStyle: flag("PBO_S3_PATH_STYLE", "false", "bucket in the path instead of the host name"),
    scannerAddress: address("PBO_SCANNER_ADDRESS", "", "clamd as host:port; `none` confirms files unscanned"),
    documentSweepMs: integer(50, 600_000)("PBO_DOCUMENT_SWEEP_MS", "2000", "interval of the document sweep"),
    documentFirstLookMs: integer(100, 600_000)(
      "PBO_DOCUMENT_FIRST_LOOK_MS",
      "20000",
      "age at which an open link is first checked in storage",
    ),
    documentLookMs: integer(100, 600_000)("PBO_DOCUMENT_LOOK_MS", "300000", "interval of further checks"),
  }),

  ...usedBy(["webhook-registry"], {
    webhookDisabledAfterMs: integer(100, 2_592_000_000)(
      "PBO_WEBHOOK_DISABLED_AFTER_MS",
      "259200000",
      "time without success after which a Degraded endpoint with an exhausted delivery is Disabled",
    ),
    webhookSweepMs: integer(50, 3_600_000)(
      "PBO_WEBHOOK_SWEEP_MS",
      "60000",
      "interval of the sweep for expired secrets and deadlines",
    ),
  }),

  ...usedBy(["webhook-registry", "delivery"], {
    webhookKeys: fieldKeys(
      "PBO_WEBHOOK_KEYS",
      null,
      "field keys of webhook secrets and receivers' answers",
      OWNERS_SECRET,
    ),
    webhookDnsServers: list(
      "PBO_WEBHOOK_DNS_SERVERS",
      "",
      "name servers for webhook hosts; empty means those of the machine",
    ),
    webhookDnsTimeoutMs: integer(10, 30_000)("PBO_WEBHOOK_DNS_TIMEOUT_MS", "3000", "timeout of DNS lookups"),
    webhookAllowLoopback: flag("PBO_WEBHOOK_ALLOW_LOOPBACK", "false", "permits webhooks to loopback", LOCAL),
  }),

  ...usedBy(["delivery"], {
    retrySchedule: seconds(8)(
      "PBO_DELIVERY_RETRY_SCHEDULE",
      "0,30,300,1800,10800,36000,79200,129600",
      "seconds before each of the eight attempts",
    ),
    deliveryPollMs: integer(20, 60_000)("PBO_DELIVERY_POLL_MS", "250", "interval of polls for due retries"),
    deliveryLeaseMs: integer(1_000, 3_600_000)(
      "PBO_DELIVERY_LEASE_MS",
      "60000",
      "age at which an attempt without an outcome is claimed again",
    ),
    feedSettleMs: integer(0, 600_000)(
      "PBO_FEED_SETTLE_MS",
      "15000",
      "age at which the feed shows an event; above 10 s in production",
    ),
    deliveryPartitions: integer(1, 10_000)("PBO_DELIVERY_PARTITIONS", "64", "partitions; never change it"),
    partitionLeaseMs: integer(500, 60_000)(
      "PBO_DELIVERY_PARTITION_LEASE_MS",
      "5000",
      "time until the partitions of a dead process are taken over",
    ),
    deliveryPerEndpoint: integer(1, 1_000)(
      "PBO_DELIVERY_PER_ENDPOINT",
      "16",
      "requests in flight per endpoint",
    ),
    deliveryInFlight: integer(1, 10_000)("PBO_DELIVERY_IN_FLIGHT", "512", "requests in flight per process"),
    webhookConnectTimeoutMs: integer(10, 30_000)(
      "PBO_WEBHOOK_CONNECT_TIMEOUT_MS",
      "5000",
      "timeout of TCP and TLS",
    ),
    webhookTimeoutMs: integer(50, 60_000)("PBO_WEBHOOK_TIMEOUT_MS", "15000", "timeout of an attempt"),
    webhookCaFile: text("PBO_WEBHOOK_CA_FILE", "", "extra CA of webhook receivers", LOCAL),
  }),
};

export type SettingValues = {
  readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never;
};
