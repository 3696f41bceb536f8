/** Kinds of settings: each reads the text of a variable, or names the rule that the text breaks. */
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { ProcessName } from "./process-names.ts";

export type Setting<T> = {
  env: string;
  /** Value of an unset variable, also shown in the documentation; null for a setting that is required. */
  default: string | null;
  description: string;
  parse(raw: string): { value: T } | { problem: string };
  /** Processes that require it when there is no default. */
  usedBy: readonly ProcessName[] | "all";
  /** Secrets may also be given as a file by <name>_FILE, and are never printed. */
  secret: boolean;
  /** True for an exception allowed only on the local platform. */
  localOnly: boolean;
  /** True for a secret that no other process may be given. */
  ownersOnly: boolean;
};

type Flags = Partial<Pick<Setting<unknown>, "secret" | "localOnly" | "ownersOnly">>;

/** `read` returns undefined for a text that breaks the rule. */
const kind =
  <T>(rule: string, read: (raw: string) => T | undefined) =>
  (env: string, usual: string | null, description: string, flags: Flags = {}): Setting<T> => ({
    env,
    default: usual,
    description,
    parse(raw) {
      const value = read(raw);
      return value === undefined ? { problem: rule } : { value };
    },
    usedBy: "all",
    secret: false,
    localOnly: false,
    ownersOnly: false,
    ...flags,
  });

const itemsOf = (raw: string): string[] => raw.split(",").flatMap((item) => item.trim() || []);

/** Undefined when an item breaks the rule. */
function readItems<T>(raw: string, read: (item: string) => T | undefined): T[] | undefined {
  const items = itemsOf(raw).map(read);
  return items.every((item) => item !== undefined) ? items : undefined;
}

export const text = kind("", (raw) => raw);
export const list = kind("", itemsOf);

export const matching = (pattern: RegExp, rule: string) =>
  kind(rule, (raw) => (pattern.test(raw) ? raw : undefined));

export const oneOf = <const T extends readonly string[]>(...values: T) =>
  kind(`must be one of ${values.join(", ")}`, (raw): T[number] | undefined =>
    values.find((value) => value === raw),
  );

export const someOf = <const T extends readonly string[]>(...values: T) =>
  kind(`must be some of ${values.join(", ")}`, (raw) =>
    readItems(raw, (item): T[number] | undefined => values.find((value) => value === item)),
  );

export const integer = (min: number, max: number) =>
  kind(`must be a whole number from ${min} to ${max}`, (raw) =>
    /^\d+$/.test(raw) && Number(raw) >= min && Number(raw) <= max ? Number(raw) : undefined,
  );

export const flag = kind("must be true or false", (raw) =>
  raw === "true" || raw === "false" ? raw === "true" : undefined,
);

export const seconds = (count: number) =>
  kind(`must be ${count} numbers of seconds separated by commas`, (raw) => {
    const parts = readItems(raw, (part) => (/^\d+(\.\d+)?$/.test(part) ? Number(part) : undefined));
    return parts?.length === count ? parts : undefined;
  });

export const url = (...protocols: string[]) =>
  kind(`must be a URL starting with ${protocols.map((p) => `${p}//`).join(" or ")}`, (raw) => {
    // A MongoDB or NATS address may list several hosts, which URL does not accept.
    const firstHost = raw.replace(/,[^/?]*/, "");
    const isValid = URL.canParse(firstHost) && protocols.includes(new URL(firstHost).protocol);
    return raw === "" || isValid ? raw.replace(/\/+$/, "") : undefined;
  });

const HOST = /^([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/;

export const hosts = kind("must be host:port, several separated by commas", (raw) =>
  readItems(raw, (item) => (HOST.test(item) ? item : undefined)),
);

type Address = { host: string; port: number } | "none";

export const address = kind("must be host:port or none", (raw): Address | undefined => {
  if (raw === "" || raw === "none") return "none";
  const [, host = "", port = "0"] = HOST.exec(raw) ?? [];
  const isPort = Number(port) > 0 && Number(port) <= 65_535;
  return isPort ? { host: host.replace(/[[\]]/g, ""), port: Number(port) } : undefined;
});

export type FieldKey = { id: string; key: Buffer };

export const fieldKeys = kind(
  "must be <id>:<base64 of 32 bytes>, several separated by commas, each id once",
  (raw) => {
    const keys = readItems(raw, (item): FieldKey | undefined => {
      const [, id = "", encoded = ""] = /^([\w-]{1,32}):([^:]*)$/.exec(item) ?? [];
      const key = Buffer.from(encoded, "base64");
      return key.length === 32 ? { id, key } : undefined;
    });
    const ids = new Set(keys?.map(({ id }) => id));
    return ids.size === keys?.length && (ids.size > 0 || raw === "") ? keys : undefined;
  },
);

export const signingKey = kind("must be the base64 of an Ed25519 private key (PKCS #8, DER)", (raw) =>
  raw === "" ? null : ed25519(() => createPrivateKey({ key: bytesOf(raw), format: "der", type: "pkcs8" })),
);

export const verifyingKeys = kind(
  "must be the base64 of Ed25519 public keys (SPKI, DER), several separated by commas",
  (raw) =>
    readItems(raw, (item) =>
      ed25519(() => createPublicKey({ key: bytesOf(item), format: "der", type: "spki" })),
    ),
);

const bytesOf = (encoded: string): Buffer => Buffer.from(encoded, "base64");

function ed25519(read: () => KeyObject): KeyObject | undefined {
  try {
    const key = read();
    return key.asymmetricKeyType === "ed25519" ? key : undefined;
  } catch {
    return undefined;
  }
}
