/** Hashes passwords by argon2id, as PHC strings. A hash takes 19 MiB and a core, so few run at a time. */
import { argon2, type BinaryLike, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { AppError } from "../../../shared/errors.ts";

/** With the default of PBO_PASSWORD_MEMORY_KIB, OWASP's recommended smallest parameters for argon2id. */
const COST = { passes: 2, parallelism: 1, tagLength: 32 } as const;
const SALT_BYTES = 16;
const AT_ONCE = 2;
const MAX_WAITING = 64;

export type PasswordHasher = {
  hash(password: string): Promise<string>;
  /** Takes as long without a stored hash, so that timing does not tell whether an account exists. */
  verify(password: string, stored: string | null): Promise<boolean>;
  /** True when the stored hash was made with other parameters than new ones are. */
  isOutdated(stored: string): boolean;
};

type Parameters = { memory: number; passes: number; parallelism: number; tagLength: number };
type Phc = { parameters: Parameters; salt: Buffer; tag: Buffer };

const derive = promisify(argon2) as (
  algorithm: "argon2id",
  parameters: Parameters & { message: BinaryLike; nonce: BinaryLike },
) => Promise<Buffer>;

export function createPasswordHasher(memory: number): PasswordHasher {
  const parameters: Parameters = { memory, ...COST };
  const run = limited(AT_ONCE, MAX_WAITING);
  const tagOf = (password: string, salt: Buffer, cost: Parameters) =>
    run(() => derive("argon2id", { message: password, nonce: salt, ...cost }));
  const standIn: Phc = {
    parameters,
    salt: randomBytes(SALT_BYTES),
    tag: randomBytes(parameters.tagLength),
  };

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      return toPhc({ parameters, salt, tag: await tagOf(password, salt, parameters) });
    },
    async verify(password, stored) {
      const known = (stored && fromPhc(stored)) || standIn;
      const isEqual = timingSafeEqual(await tagOf(password, known.salt, known.parameters), known.tag);
      return isEqual && stored !== null;
    },
    isOutdated: (stored) => !stored.startsWith(prefix(parameters)),
  };
}

const prefix = ({ memory, passes, parallelism }: Parameters): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`;

const base64 = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");

const toPhc = ({ parameters, salt, tag }: Phc): string =>
  `${prefix(parameters)}${base64(salt)}$${base64(tag)}`;

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function fromPhc(text: string): Phc {
  const [, memory, passes, parallelism, salt = "", tag = ""] = PHC.exec(text) ?? [];
  if (!memory) throw new Error("A stored password hash is damaged.");
  const bytes = Buffer.from(tag, "base64");
  return {
    parameters: {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: bytes.length,
    },
    salt: Buffer.from(salt, "base64"),
    tag: bytes,
  };
}

/** Runs at most `atOnce` tasks; refuses when too many wait. */
function limited(atOnce: number, maxWaiting: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= maxWaiting)
        throw new AppError(
          "Service.Unavailable",
          "Too many people sign in at the moment; try again shortly.",
          {
            retryAfterSeconds: 2,
          },
        );
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
