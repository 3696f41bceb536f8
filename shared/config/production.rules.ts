/** Settings with which production refuses to start, each with the remedy. */
import type { KeyObject } from "node:crypto";
import { type ProcessName, SERVICE_NAMES } from "./process-names.ts";
import type { FieldKey } from "./setting-kinds.ts";

type Env = Record<string, string | undefined>;
type Row = { env: string; localOnly: boolean; default: string | null };

/** A protection that production may run without only if the operator names it in PBO_ACCEPTED_RISKS. */
export const RISKS = ["no-second-factor", "no-fresh-sign-in", "no-mongodb-user", "high-limits"] as const;
type Risk = (typeof RISKS)[number];
/** The settings that these rules read, by the names they have in the configuration. */
export type ProductionValues = {
  logLevel: string;
  secondFactorFor: string;
  freshSignInMinutes: number;
  acceptedRisks: readonly Risk[];
  baseUrl: string;
  natsUrl: string;
  natsUser: string;
  natsPassword: string;
  natsStreamsUser: string;
  natsStreamsPassword: string;
  mongodbUri: string;
  /** Given in place of an address of its own; whether its user is there is judged with it. */
  mongodbHosts: readonly string[];
  s3Endpoint: string;
  s3PublicEndpoint: string;
  otlpEndpoint: string;
  trustedProxies: readonly string[];
  identityKeys: readonly FieldKey[];
  tokenKeys: readonly FieldKey[];
  webhookKeys: readonly FieldKey[];
  gatewayPrivateKey: KeyObject | null;
  gatewayPublicKeys: readonly KeyObject[];
};

/** A value that is missing or wrong is reported as such and not again here. */
export function productionProblems(
  process: ProcessName,
  values: Partial<ProductionValues>,
  { env, rows, streams }: { env: Env; rows: readonly Row[]; streams: readonly ProcessName[] },
): string[] {
  return [
    ...rows
      .filter((row) => row.localOnly && env[row.env] && env[row.env] !== "false")
      .map((row) => `${row.env} is for PBO_ENV=local only`),
    ...plainNats(values.natsUrl),
    // A migration of databases needs no user of NATS, one of streams needs no database.
    ...(process === "migration" ? [] : natsUserProblems(values, streams.includes(process))),
    ...(hasDatabase(process) ? mongodbProblems(values.mongodbUri) : []),
    ...logProblems(process, values.logLevel),
    ...risksOf(process, values, { env, rows })
      .filter(({ risk }) => !values.acceptedRisks?.includes(risk))
      .map(({ risk, problem }) => `${problem}, unless PBO_ACCEPTED_RISKS names ${risk}`),
    ...plainAddresses(values),
    ...(process === "document" && !env.PBO_SCANNER_ADDRESS
      ? ["PBO_SCANNER_ADDRESS must be the address of clamd or none in production"]
      : []),
    ...keyProblems(values),
    ...(values.trustedProxies ?? []).filter(isTooWide).map(wideProxy),
  ];
}

const hasDatabase = (process: ProcessName): boolean =>
  process === "migration" || (SERVICE_NAMES as readonly string[]).includes(process);

const SILENT = ["silent", "fatal", "error"];

/** A person at the command line needs no log of it. */
const logProblems = (process: ProcessName, logLevel = ""): string[] =>
  SILENT.includes(logLevel) && process !== "admin" && process !== "migration"
    ? ["PBO_LOG_LEVEL must be warn or lower in production: refusals and failed sign-ins are warnings"]
    : [];

const LONGEST_FRESH_MINUTES = 60;
const MOST_TIMES_DEFAULT = 100;

type InForce = { risk: Risk; problem: string };

function risksOf(
  process: ProcessName,
  { secondFactorFor, freshSignInMinutes = 1, mongodbUri = "", mongodbHosts = [] }: Partial<ProductionValues>,
  { env, rows }: { env: Env; rows: readonly Row[] },
): InForce[] {
  const inForce: InForce[] = [];
  const add = (risk: Risk, problem: string) => inForce.push({ risk, problem });
  if (secondFactorFor === "none") add("no-second-factor", "PBO_SECOND_FACTOR must not be none in production");
  if (freshSignInMinutes < 1 || freshSignInMinutes > LONGEST_FRESH_MINUTES)
    add(
      "no-fresh-sign-in",
      `PBO_FRESH_SIGN_IN_MINUTES must be from 1 to ${LONGEST_FRESH_MINUTES} in production`,
    );
  const isWhole = hasDatabase(process) && mongodbHosts.length === 0 && mongodbUri !== "";
  if (isWhole && !hasMongodbUser(mongodbUri))
    add("no-mongodb-user", "PBO_MONGODB_URI must name a user in production");
  for (const row of rows.filter((each) => each.env.startsWith("PBO_LIMIT_"))) {
    const most = Number(row.default) * MOST_TIMES_DEFAULT;
    if (Number(env[row.env] ?? 0) > most)
      add("high-limits", `${row.env} must be at most ${most} in production`);
  }
  return inForce;
}

/** A certificate or a role of the cloud is a user, too. */
const hasMongodbUser = (uri: string): boolean =>
  /^[a-z+]+:\/\/[^/?@]+@/.test(uri) || /[?&]authMechanism=MONGODB-(X509|AWS|OIDC)\b/i.test(uri);

const plainNats = (natsUrl = ""): string[] =>
  natsUrl === "" || natsUrl.split(",").every((server) => server.trim().startsWith("tls://"))
    ? []
    : ["PBO_NATS_URL must begin with tls:// for every server in production: give NATS a certificate"];

function natsUserProblems(values: Partial<ProductionValues>, usesStreams: boolean): string[] {
  const { natsUser, natsPassword, natsStreamsUser, natsStreamsPassword } = values;
  const users = "npm run admin -- secrets new makes the users";
  return [
    ...(natsUser && natsPassword
      ? []
      : [`PBO_NATS_USER and PBO_NATS_PASSWORD are required in production: ${users}`]),
    ...(!usesStreams || (natsStreamsUser && natsStreamsPassword)
      ? []
      : [`PBO_NATS_STREAMS_USER and PBO_NATS_STREAMS_PASSWORD are required in production: ${users}`]),
  ];
}

/** Options of the driver that leave the server's certificate unchecked. */
const UNCHECKED = ["tlsinsecure", "tlsallowinvalidcertificates", "tlsallowinvalidhostnames"];

function mongodbProblems(uri = ""): string[] {
  if (uri === "") return [];
  const query = new URLSearchParams(uri.slice(uri.indexOf("?") + 1));
  const options = new Map([...query].map(([name, value]) => [name.toLowerCase(), value]));
  const tls = options.get("tls") ?? options.get("ssl") ?? String(uri.startsWith("mongodb+srv:"));
  const unchecked = UNCHECKED.filter((name) => (options.get(name) ?? "false") !== "false");
  return [
    ...(tls === "true"
      ? []
      : ["PBO_MONGODB_URI must have tls=true in production, and tlsCAFile=<file> for a CA of your own"]),
    ...(unchecked.length > 0
      ? [
          `PBO_MONGODB_URI must not have ${unchecked.join(", ")} in production: name the CA with tlsCAFile=<file>`,
        ]
      : []),
  ];
}

const HTTPS_ONLY = {
  baseUrl: ["PBO_BASE_URL", "give the ingress a certificate"],
  s3Endpoint: ["PBO_S3_ENDPOINT", "give the storage a certificate, or leave it empty for AWS"],
  s3PublicEndpoint: ["PBO_S3_PUBLIC_ENDPOINT", "give the storage a certificate"],
  otlpEndpoint: ["PBO_OTLP_ENDPOINT", "give the collector a certificate, or leave it empty for no traces"],
} as const satisfies Partial<Record<keyof ProductionValues, readonly [string, string]>>;

const plainAddresses = (values: Partial<ProductionValues>): string[] =>
  (Object.keys(HTTPS_ONLY) as (keyof typeof HTTPS_ONLY)[])
    .filter((name) => values[name]?.startsWith("http:"))
    .map((name) => `${HTTPS_ONLY[name][0]} must be https in production: ${HTTPS_ONLY[name][1]}`);

function keyProblems(values: Partial<ProductionValues>): string[] {
  const sets = {
    PBO_IDENTITY_KEYS: values.identityKeys,
    PBO_TOKEN_KEYS: values.tokenKeys,
    PBO_WEBHOOK_KEYS: values.webhookKeys,
  };
  const { gatewayPrivateKey, gatewayPublicKeys = [] } = values;
  const makeFieldKey = "make one with openssl rand -base64 32";
  const makePair = "make a pair with openssl genpkey -algorithm ed25519";
  return [
    ...Object.entries(sets).flatMap(([name, keys = []]) =>
      keys
        .filter(({ key }) => isWeakKey(key))
        .map(({ id }) => `${name}: the key ${id} is not random: ${makeFieldKey}`),
    ),
    ...(gatewayPrivateKey && isWeakKey(rawKey(gatewayPrivateKey, "d"))
      ? [`PBO_GATEWAY_PRIVATE_KEY is not random: ${makePair}`]
      : []),
    ...(gatewayPublicKeys.some((key) => isWeakKey(rawKey(key, "x")))
      ? [`PBO_GATEWAY_PUBLIC_KEYS holds a key that is none: ${makePair}`]
      : []),
  ];
}

const rawKey = (key: KeyObject, part: "d" | "x"): Buffer =>
  Buffer.from(String(key.export({ format: "jwk" })[part]), "base64url");

/** 32 random bytes have about 30 different values; fewer than these have a chance below one in a billion. */
const LEAST_DIFFERENT = 20;

/** Zeros, a repeated or counted pattern, or words: nothing that a random generator makes. */
export function isWeakKey(key: Uint8Array): boolean {
  const step = (Number(key[1]) - Number(key[0])) & 0xff;
  const isCounted = key.every(
    (byte, index) => index === 0 || ((byte - Number(key[index - 1])) & 0xff) === step,
  );
  const isText = key.every((byte) => byte >= 0x20 && byte < 0x7f);
  return isCounted || isText || new Set(key).size < LEAST_DIFFERENT;
}

/** A caller within the range chooses the address that limits and logs use. */
const WIDEST_BITS = { 4: 16, 6: 32 } as const;

function isTooWide(range: string): boolean {
  const [, address = "", bits] = /^([\d.:a-f]+)\/(\d+)$/i.exec(range) ?? [];
  return bits !== undefined && Number(bits) < WIDEST_BITS[address.includes(":") ? 6 : 4];
}

const wideProxy = (range: string): string =>
  `PBO_TRUSTED_PROXIES: ${range} is wider than /16 (IPv6: /32): name the addresses of your ingress only`;
