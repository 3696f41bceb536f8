/** Hashes passwords by argon2id, as PHC strings. A hash takes 19 MiB and a core, so there are three slots (DECISIONS). */
import { argon2, type BinaryLike, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { AppError } from "../../../shared/errors.ts";

/** With the default of PBO_PASSWORD_MEMORY_KIB, OWASP's recommended smallest parameters for argon2id. */
const COST = { passes: 2, parallelism: 1, tagLength: 32 } as const;
const SALT_BYTES = 16;
/** By priority: a person at a usual network, an account and a network with few recent tries, any other. */
const ASKERS = ["known", "newcomer", "stranger"] as const;
export type Asker = (typeof ASKERS)[number];
/** Slots of a class; a class also uses those of later classes. */
const AT_ONCE: Record<Asker, number> = { known: 3, newcomer: 2, stranger: 1 };
/** Limit per kind. */
const MAX_WAITING = 64;

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

type Parameters = { memory: number; passes: number; parallelism: number; tagLength: number };
type Phc = { parameters: Parameters; salt: Buffer; tag: Buffer };

const derive = promisify(argon2) as (
  algorithm: "argon2id",
  parameters: Parameters & { message: BinaryLike; nonce: BinaryLike },
) => Promise<Buffer>;

export function createPasswordHasher(memory: number) {
  const parameters: Parameters = { memory, ...COST };
  const run = createPlaces();
  const tagOf = (password: string, salt: Buffer, cost: Parameters, asker: Asker) =>
    run(asker, () => derive("argon2id", { message: password, nonce: salt, ...cost }));
  const standIn: Phc = {
    parameters,
    salt: randomBytes(SALT_BYTES),
    tag: randomBytes(parameters.tagLength),
  };

  return {
    async hash(password: string): Promise<string> {
      const salt = randomBytes(SALT_BYTES);
      return toPhc({ parameters, salt, tag: await tagOf(password, salt, parameters, "known") });
    },
    /** Takes as long without a stored hash, so timing reveals no account. */
    async verify(password: string, stored: string | null, asker: Asker): Promise<boolean> {
      const { salt, parameters: cost, tag } = (stored && fromPhc(stored)) || standIn;
      const isEqual = timingSafeEqual(await tagOf(password, salt, cost, asker), tag);
      return isEqual && stored !== null;
    },
    /** True when the stored hash was made with other parameters than new ones are. */
    isOutdated: (stored: string): boolean => !stored.startsWith(prefix(parameters)),
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

/** Limits concurrent tasks, in the order of ASKERS; refuses when too many wait. */
function createPlaces() {
  const running: Record<Asker, number> = { known: 0, newcomer: 0, stranger: 0 };
  const waiting: Record<Asker, (() => void)[]> = { known: [], newcomer: [], stranger: [] };
  /** A kind shares its places with the kinds after it, and may use none of those before it. */
  const hasPlace = (asker: Asker): boolean =>
    ASKERS.slice(0, ASKERS.indexOf(asker) + 1).every((each) => runningFrom(each) < AT_ONCE[each]);
  const runningFrom = (first: Asker): number =>
    ASKERS.slice(ASKERS.indexOf(first)).reduce((sum, each) => sum + running[each], 0);

  /** The next one takes its place now, before a later request. */
  function callNext(): void {
    const asker = ASKERS.find((each) => waiting[each].length > 0 && hasPlace(each));
    const next = asker && waiting[asker].shift();
    if (!asker || !next) return;
    running[asker] += 1;
    next();
  }

  return async <T>(asker: Asker, task: () => Promise<T>): Promise<T> => {
    if (hasPlace(asker)) running[asker] += 1;
    else if (waiting[asker].length >= MAX_WAITING) throw tooMany();
    else await new Promise<void>((resolve) => waiting[asker].push(resolve));
    try {
      return await task();
    } finally {
      running[asker] -= 1;
      callNext();
    }
  };
}

const tooMany = (): AppError =>
  new AppError("Service.Unavailable", "Too many people sign in at the moment; try again shortly.", {
    retryAfterSeconds: 2,
  });
