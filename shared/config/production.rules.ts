/** Settings with which production refuses to start, each with the remedy. */
import type { KeyObject } from "node:crypto";
import { type ProcessName, SERVICE_NAMES } from "./process-names.ts";
import type { Setting } from "./setting-kinds.ts";
import { type RISKS, SETTINGS, type SettingValues } from "./settings.ts";

type Env = Record<string, string | undefined>;
type Values = Partial<SettingValues>;
type Risk = (typeof RISKS)[number];

const ROWS: readonly Setting<unknown>[] = Object.values(SETTINGS);
const SILENT = ["silent", "fatal", "error"];
const MAKE_KEY = "make one with openssl rand -base64 32";
const NEW_USERS = "npm run admin -- secrets new makes the users";

const when = (isBroken: boolean, problem: string): string[] => (isBroken ? [problem] : []);

/** A value that is missing or wrong is reported as such and not again here. */
export function productionProblems(process: ProcessName, values: Values, env: Env): string[] {
  const { natsUrl = "", logLevel = "", trustedProxies = [], acceptedRisks = [] } = values;
  const isCommand = process === "admin" || process === "migration";
  return [
    ...ROWS.filter((row) => row.localOnly && env[row.env] && env[row.env] !== "false").map(
      (row) => `${row.env} is for PBO_ENV=local only`,
    ),
    ...when(
      natsUrl !== "" && !natsUrl.split(",").every((server) => server.trim().startsWith("tls://")),
      "PBO_NATS_URL must begin with tls:// for every server in production: give NATS a certificate",
    ),
    // A migration of databases needs no user of NATS, and a migration of streams needs no database.
    ...(process === "migration" ? [] : natsUserProblems(process, values)),
    ...(hasDatabase(process) ? mongodbProblems(values.mongodbUri) : []),
    ...when(
      SILENT.includes(logLevel) && !isCommand,
      "PBO_LOG_LEVEL must be warn or lower in production: refusals and failed sign-ins are warnings",
    ),
    ...risksOf(process, values, env)
      .filter(([risk]) => !acceptedRisks.includes(risk))
      .map(([risk, problem]) => `${problem}, unless PBO_ACCEPTED_RISKS names ${risk}`),
    ...HTTPS_ONLY.filter(([name]) => values[name]?.startsWith("http:")).map(
      ([name, remedy]) => `${SETTINGS[name].env} must be https in production: ${remedy}`,
    ),
    ...when(
      process === "document" && !env.PBO_SCANNER_ADDRESS,
      "PBO_SCANNER_ADDRESS must be the address of clamd or none in production",
    ),
    ...keyProblems(values),
    ...trustedProxies
      .filter(isTooWide)
      .map(
        (range) =>
          `PBO_TRUSTED_PROXIES: ${range} is wider than /16 (IPv6: /32): name the addresses of your ingress only`,
      ),
  ];
}

const HTTPS_ONLY = [
  ["baseUrl", "give the ingress a certificate"],
  ["s3Endpoint", "give the storage a certificate, or leave it empty for AWS"],
  ["s3PublicEndpoint", "give the storage a certificate"],
  ["otlpEndpoint", "give the collector a certificate, or leave it empty for no traces"],
] as const;

const hasDatabase = (process: ProcessName): boolean =>
  process === "migration" || (SERVICE_NAMES as readonly string[]).includes(process);

function natsUserProblems(process: ProcessName, values: Values): string[] {
  const { natsUser, natsPassword, natsStreamsUser, natsStreamsPassword } = values;
  return [
    ...when(
      !(natsUser && natsPassword),
      `PBO_NATS_USER and PBO_NATS_PASSWORD are required in production: ${NEW_USERS}`,
    ),
    ...when(
      SETTINGS.natsStreamsUser.usedBy.includes(process) && !(natsStreamsUser && natsStreamsPassword),
      `PBO_NATS_STREAMS_USER and PBO_NATS_STREAMS_PASSWORD are required in production: ${NEW_USERS}`,
    ),
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
    ...when(
      tls !== "true",
      "PBO_MONGODB_URI must have tls=true in production, and tlsCAFile=<file> for a CA of your own",
    ),
    ...when(
      unchecked.length > 0,
      `PBO_MONGODB_URI must not have ${unchecked.join(", ")} in production: name the CA with tlsCAFile=<file>`,
    ),
  ];
}

const LONGEST_FRESH_MINUTES = 60;
const MOST_TIMES_DEFAULT = 100;

function risksOf(process: ProcessName, values: Values, env: Env): [Risk, string][] {
  const { secondFactorFor, freshSignInMinutes = 1, mongodbUri = "", mongodbHosts = [] } = values;
  const inForce: [Risk, string][] = [];
  if (secondFactorFor === "none")
    inForce.push(["no-second-factor", "PBO_SECOND_FACTOR must not be none in production"]);
  if (freshSignInMinutes < 1 || freshSignInMinutes > LONGEST_FRESH_MINUTES)
    inForce.push([
      "no-fresh-sign-in",
      `PBO_FRESH_SIGN_IN_MINUTES must be from 1 to ${LONGEST_FRESH_MINUTES} in production`,
    ]);
  // The user of an address that is made of hosts is checked with them.
  const isOneAddress = hasDatabase(process) && mongodbHosts.length === 0 && mongodbUri !== "";
  if (isOneAddress && !hasMongodbUser(mongodbUri))
    inForce.push(["no-mongodb-user", "PBO_MONGODB_URI must name a user in production"]);
  for (const row of ROWS.filter((each) => each.env.startsWith("PBO_LIMIT_"))) {
    const most = Number(row.default) * MOST_TIMES_DEFAULT;
    if (Number(env[row.env] ?? 0) > most)
      inForce.push(["high-limits", `${row.env} must be at most ${most} in production`]);
  }
  return inForce;
}

/** A certificate or a role of the cloud is a user, too. */
const hasMongodbUser = (uri: string): boolean =>
  /^[a-z+]+:\/\/[^/?@]+@/.test(uri) || /[?&]authMechanism=MONGODB-(X509|AWS|OIDC)\b/i.test(uri);

function keyProblems(values: Values): string[] {
  const { gatewayPrivateKey, gatewayPublicKeys = [] } = values;
  const makePair = "make a pair with openssl genpkey -algorithm ed25519";
  return [
    ...(["identityKeys", "tokenKeys", "webhookKeys"] as const).flatMap((name) =>
      (values[name] ?? [])
        .filter(({ key }) => isWeakKey(key))
        .map(({ id }) => `${SETTINGS[name].env}: the key ${id} is not random: ${MAKE_KEY}`),
    ),
    ...when(
      gatewayPrivateKey ? isWeakKey(rawKey(gatewayPrivateKey, "d")) : false,
      `PBO_GATEWAY_PRIVATE_KEY is not random: ${makePair}`,
    ),
    ...when(
      gatewayPublicKeys.some((key) => isWeakKey(rawKey(key, "x"))),
      `PBO_GATEWAY_PUBLIC_KEYS holds a key that is none: ${makePair}`,
    ),
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
