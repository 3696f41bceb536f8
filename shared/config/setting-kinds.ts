/** Kinds of settings: how each is parsed, and the error message when it cannot be. */
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { ProcessName } from "./process-names.ts";

type Parsed<T> = { value: T } | { problem: string };

export type Setting<T> = {
  env: string;
  description: string;
  /** Value of an unset variable; also shown in the documentation. */
  default: string | null;
  /** Processes that require it when there is no default. */
  usedBy: readonly ProcessName[] | "all";
  /** Secrets may also be given as a file by <name>_FILE, and are never printed. */
  secret: boolean;
  /** True for an exception allowed only on the local platform. */
  localOnly: boolean;
  /** True for a secret that no other process may be given. */
  ownersOnly: boolean;
  parse(text: string): Parsed<T>;
};

type Options = Partial<Pick<Setting<unknown>, "usedBy" | "secret" | "localOnly" | "ownersOnly">> & {
  default?: string;
};

export function setting<T>(
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
    ownersOnly: options.ownersOnly ?? false,
  };
}

export const text = (env: string, description: string, options?: Options) =>
  setting<string>(env, description, (value) => ({ value }), options);

export const oneOf = <const T extends readonly string[]>(
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

const itemsOf = (raw: string): string[] =>
  raw
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);

/** Several of them, separated by commas. */
export const someOf = <const T extends readonly string[]>(
  env: string,
  values: T,
  description: string,
  options?: Options,
) =>
  setting<T[number][]>(
    env,
    description,
    (raw) => {
      const named = itemsOf(raw);
      return named.every((item) => values.includes(item))
        ? { value: named }
        : { problem: `must be some of ${values.join(", ")}` };
    },
    options,
  );

export const integer = (env: string, min: number, max: number, description: string, options?: Options) =>
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

export const flag = (env: string, description: string, options?: Options) =>
  setting<boolean>(
    env,
    description,
    (raw) =>
      raw === "true" || raw === "false" ? { value: raw === "true" } : { problem: "must be true or false" },
    { default: "false", ...options },
  );

/** host:port, or none. */
export const address = (env: string, description: string, options?: Options) =>
  setting<{ host: string; port: number } | "none">(
    env,
    description,
    (raw) => {
      if (raw === "" || raw === "none") return { value: "none" };
      const [, host = "", port = ""] =
        /^([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]+\]):(\d{1,5})$/.exec(raw) ?? [];
      const isPort = Number(port) > 0 && Number(port) <= 65_535;
      return host && isPort
        ? { value: { host: host.replace(/[[\]]/g, ""), port: Number(port) } }
        : { problem: "must be host:port or none" };
    },
    options,
  );

export const url = (env: string, protocols: readonly string[], description: string, options?: Options) =>
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

export const list = (env: string, description: string, options?: Options) =>
  setting<string[]>(env, description, (raw) => ({ value: itemsOf(raw) }), options);

/** Hosts of one address, each with a port or without. */
export const hosts = (env: string, description: string, options?: Options) =>
  setting<string[]>(
    env,
    description,
    (raw) => {
      const value = itemsOf(raw);
      const isHost = (item: string) => /^([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/.test(item);
      return value.every(isHost) ? { value } : { problem: "must be host:port, several separated by commas" };
    },
    options,
  );

export type FieldKey = { id: string; key: Buffer };

/** A set of field keys, for its owners only: whoever reads one process's memory learns no other's secrets. */
export const fieldKeys = (env: string, usedBy: readonly ProcessName[], description: string) =>
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
    { usedBy, secret: true, ownersOnly: true },
  );

export const signingKey = (env: string, description: string, options?: Options) =>
  setting<KeyObject | null>(
    env,
    description,
    (raw) => {
      if (raw === "") return { value: null };
      const key = ed25519(() =>
        createPrivateKey({ key: Buffer.from(raw, "base64"), format: "der", type: "pkcs8" }),
      );
      return key
        ? { value: key }
        : { problem: "must be the base64 of an Ed25519 private key (PKCS #8, DER)" };
    },
    options,
  );

export const verifyingKeys = (env: string, description: string, options?: Options) =>
  setting<KeyObject[]>(
    env,
    description,
    (raw) => {
      const keys = raw
        .split(",")
        .filter(Boolean)
        .map((part) =>
          ed25519(() =>
            createPublicKey({ key: Buffer.from(part.trim(), "base64"), format: "der", type: "spki" }),
          ),
        );
      return keys.every((key) => key !== null)
        ? { value: keys }
        : { problem: "must be the base64 of Ed25519 public keys (SPKI, DER), several separated by commas" };
    },
    options,
  );

function ed25519(read: () => KeyObject): KeyObject | null {
  try {
    const key = read();
    return key.asymmetricKeyType === "ed25519" ? key : null;
  } catch {
    return null;
  }
}

export const seconds = (env: string, count: number, description: string, options?: Options) =>
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
