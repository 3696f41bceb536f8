/** The keys that sign access tokens: kept encrypted, rotated with overlap, the same in every replica. */
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import type { Clock } from "../../../shared/clock.ts";
import type { PublicJwk } from "../../../shared/contract/answers/token.ts";
import { randomId } from "../../../shared/ids.ts";
import type { FieldCipher } from "../../../shared/sealing/field-cipher.ts";
import type { SealedRecords } from "../../../shared/sealing/field-key-sweep.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import { COLLECTIONS } from "../collections.ts";
import { type TokenSigner, tokenSigner } from "./access-token.rules.ts";
import type { SealedAnew, SigningKeyRepository } from "./signing-key.repository.ts";
import { keyPlan, type SigningKeyRecord } from "./signing-key.rules.ts";

/** A rotation at another replica is followed within this time. */
const CACHE_MS = 2_000;
/** Each conflict is a key that another replica created; replicas create one key at a time. */
const MAX_CONFLICTS = 10;

export type SigningKeys = ReturnType<typeof createSigningKeys>;

type Deps = {
  keys: SigningKeyRepository;
  cipher: FieldCipher;
  clock: Clock;
  logger: Logger;
  keyDays: number;
};

type Loaded = { at: number; records: SigningKeyRecord[] };

export function createSigningKeys({ keys, cipher, clock, logger, keyDays }: Deps) {
  const signers = new Map<string, TokenSigner>();
  let loaded: Loaded | null = null;
  let loading: Promise<Loaded> | null = null;

  const load = (): Promise<Loaded> => {
    loading ??= keys
      .list()
      .then((records) => {
        loaded = { at: clock.now(), records };
        return loaded;
      })
      .finally(() => {
        loading = null;
      });
    return loading;
  };

  /** Falls back to the keys last seen when the database is away. */
  const current = async (): Promise<SigningKeyRecord[]> => {
    if (loaded && Math.abs(clock.now() - loaded.at) < CACHE_MS) return loaded.records;
    const known = loaded;
    return (await (known ? load().catch(() => known) : load())).records;
  };

  const signerOf = (record: SigningKeyRecord): TokenSigner => {
    const known = signers.get(record._id);
    if (known) return known;
    const pem = cipher.open(record.sealedPrivateKey, signingKeyPlace(record._id));
    const made = tokenSigner(record._id, createPrivateKey(pem));
    signers.set(record._id, made);
    return made;
  };

  async function add(
    records: readonly SigningKeyRecord[],
    signsFrom: Date,
  ): Promise<SigningKeyRecord | null> {
    const record = newKey(cipher, (records[0]?.ordinal ?? 0) + 1, new Date(clock.now()), signsFrom);
    if (!(await keys.insert(record))) return null;
    logger.info({ kid: record._id, signsFrom: record.signsFrom }, "signing_key.created");
    return record;
  }

  /** A next key that another replica made meanwhile serves as well. */
  async function addNext(): Promise<SigningKeyRecord> {
    const records = await keys.list();
    const now = clock.now();
    const signsFrom = keyPlan(records, now, 0).nextSignsFrom ?? now;
    const newest = (await add(records, new Date(signsFrom))) ?? (await keys.list())[0];
    if (!newest) throw new Error("There is no signing key.");
    return newest;
  }

  /** An older key may have leaked, so the key of another replica is no success: it is removed like the others. */
  async function replaceAll(): Promise<SigningKeyRecord> {
    for (let conflict = 0; conflict < MAX_CONFLICTS; conflict += 1) {
      const records = await keys.list();
      const record = await add(records, new Date(clock.now()));
      if (!record) continue;
      await keys.remove(records.map(({ _id }) => _id));
      return record;
    }
    throw new Error("Other replicas made signing keys meanwhile; no key was replaced.");
  }

  return {
    /** Creates the first key, or the next one when the newest is old; removes keys that no valid token needs. */
    async maintain(): Promise<void> {
      const records = await keys.list();
      const plan = keyPlan(records, clock.now(), keyDays);
      if (plan.nextSignsFrom !== null) await add(records, new Date(plan.nextSignsFrom));
      if (plan.removable.length > 0) {
        await keys.remove(plan.removable);
        logger.info({ kids: plan.removable }, "signing_key.removed");
      }
      await load();
    },
    async signer(): Promise<TokenSigner> {
      const records = await current();
      const { signing } = keyPlan(records, clock.now(), keyDays);
      if (!signing) throw new Error("There is no signing key.");
      return signerOf(signing);
    },
    async publicKeys(): Promise<PublicJwk[]> {
      return keyPlan(await current(), clock.now(), keyDays).published.map(toJwk);
    },
    /** The next key; `immediately` drops every older key, and with it the tokens they signed. */
    async rotate({ immediately }: { immediately: boolean }): Promise<{ kid: string; signsFrom: Date }> {
      const newest = await (immediately ? replaceAll() : addNext());
      await load();
      return { kid: newest._id, signsFrom: newest.signsFrom };
    },
  };
}

const signingKeyPlace = (kid: string) => ({
  collection: COLLECTIONS.signingKeys.name,
  recordId: kid,
  field: "sealedPrivateKey",
});

/** For the sweep that seals the keys under the newest field key. */
export const sealedSigningKeys = (
  keys: SigningKeyRepository,
  cipher: FieldCipher,
): SealedRecords<SigningKeyRecord, SealedAnew> => ({
  name: COLLECTIONS.signingKeys.name,
  page: keys.pageAfter,
  sealedIn: ({ sealedPrivateKey }) => [sealedPrivateKey],
  move(record) {
    if (!cipher.isStale(record.sealedPrivateKey)) return null;
    const place = signingKeyPlace(record._id);
    const sealedPrivateKey = cipher.seal(cipher.open(record.sealedPrivateKey, place), place);
    return { before: record, sealedPrivateKey };
  },
  write: keys.replaceSealed,
});

const toJwk = ({ _id, x }: SigningKeyRecord): PublicJwk => ({
  kty: "OKP",
  crv: "Ed25519",
  x,
  kid: _id,
  alg: "EdDSA",
  use: "sig",
});

function newKey(cipher: FieldCipher, ordinal: number, createdAt: Date, signsFrom: Date): SigningKeyRecord {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const kid = randomId();
  return {
    _id: kid,
    ordinal,
    x: String(publicKey.export({ format: "jwk" }).x),
    sealedPrivateKey: cipher.seal(
      String(privateKey.export({ type: "pkcs8", format: "pem" })),
      signingKeyPlace(kid),
    ),
    createdAt,
    signsFrom,
  };
}
