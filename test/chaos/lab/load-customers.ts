/** Creates and changes of customers, and their files. */
import { createHash, randomBytes } from "node:crypto";
import { samplePdf } from "../../../deploy/demo/sample-pdf.ts";
import { aPerson, aSmallProfile } from "../../support/builders/profile-builders.ts";
import { put } from "../../support/clients/partner-client.ts";
import { type Change, type Ledger, note, type Verdict } from "./ledger.rules.ts";
import { type CallAnswer, type Partner, type Partners, PROFILES, SANDBOX } from "./partners.ts";
import { DISABLED_PARTNER } from "./receiver-faults.ts";

type Known = { customerId: string; reference: string; partner: Partner; people: string[]; isBusy: boolean };
type Subject = Pick<Change, "kind" | "customerId" | "subjectId">;

/** A client that repeats a request does so while the first one is under way, and later. */
const KEYED_TWINS = 2;

export function customerWork(gateway: () => string, partners: Partners, ledger: Ledger, isCalm: boolean) {
  const createdAt: number[] = [];
  const known: Known[] = [];
  const at = (index: number) => partners.all[index] as Partner;
  const newName = () => randomBytes(8).toString("hex");
  /** A customer has one change at a time, so that the last one is known. */
  const anyIdle = (isFit: (one: Known) => boolean = () => true): Known | undefined => {
    const one = known[Math.floor(Math.random() * known.length)];
    return one && !one.isBusy && isFit(one) ? one : undefined;
  };

  /** A customer alone has one event, and so one attempt alone in its message. */
  function newBody(reference: string, people = isCalm ? 0 : Math.floor(Math.random() * 3)) {
    const businessPersonList = Array.from({ length: people }, () => aPerson({ percentageShare: 10 }));
    return aSmallProfile({ partnerCustomerId: reference, businessPersonList });
  }

  function keepCreate(partner: Partner, body: ReturnType<typeof newBody>, made: [Verdict, CallAnswer]): void {
    const [verdict, answer] = made;
    const customerId = verdict === "acknowledged" ? answer.value.customerId : null;
    const reference = String(body.partnerCustomerId);
    const people = (body.businessPersonList as unknown[]).length;
    const told = { atMs: Date.now(), status: answer.status };
    const { partnerId } = partner;
    ledger.creates.push({ verdict, partnerId, reference, customerId, people, answer: told });
    if (customerId === null) return;
    createdAt.push(Date.now());
    const ids = answer.value.ubos.map(({ uboId }: { uboId: string }) => uboId);
    if (partner !== at(SANDBOX)) known.push({ customerId, reference, partner, people: ids, isBusy: false });
  }

  async function create(partner = at(Math.random() < 0.6 ? 0 : DISABLED_PARTNER)): Promise<string | null> {
    const body = newBody(`lab-${newName()}`);
    const answer = await partner.call(gateway(), "POST", PROFILES, body);
    keepCreate(partner, body, [note(ledger, "create", answer), answer]);
    return answer.status === 200 ? answer.value.customerId : null;
  }

  /** The first answers may cross, and one more is asked for when they are there. */
  async function keyed(): Promise<void> {
    const body = newBody(`lab-${newName()}`);
    const headers = { "Idempotency-Key": newName() };
    const ask = async (): Promise<[Verdict, CallAnswer]> => {
      const answer = await at(0).call(gateway(), "POST", PROFILES, body, headers);
      const code = "Idempotency.InProgress";
      const verdict = note(ledger, "keyed create", answer, [code]);
      return [answer.code === code ? "unknown" : verdict, answer];
    };
    const made = [...(await Promise.all(Array.from({ length: KEYED_TWINS }, ask))), await ask()];
    const values = made
      .filter(([, { status }]) => status === 200)
      .map(([, { value }]) => JSON.stringify(value));
    ledger.keyed.push({ reference: String(body.partnerCustomerId), values });
    const byRank = ["acknowledged", "unknown", "refused"].flatMap((rank) =>
      made.filter(([verdict]) => verdict === rank),
    );
    keepCreate(at(0), body, byRank[0] as [Verdict, CallAnswer]);
  }

  /** The competing change that succeeded is the last. A change of unknown outcome must not meet the next. */
  async function change(one: Known, subject: Subject, makes: readonly Make[], version: number | null) {
    one.isBusy = true;
    const made = await Promise.all(
      makes.map(async ({ value, ask }) => ({ value, ...(await ask(value)), version, ...subject })),
    );
    const hasWinner = made.some(({ verdict }) => verdict === "acknowledged");
    for (const one of made.filter(({ verdict }) => verdict !== "acknowledged"))
      ledger.changes.push({ ...one, verdict: hasWinner ? "refused" : one.verdict });
    ledger.changes.push(...made.filter(({ verdict }) => verdict === "acknowledged"));
    one.isBusy = !hasWinner && made.some(({ verdict }) => verdict === "unknown");
  }
  type Make = { value: string; ask(value: string): Promise<{ verdict: Verdict }> };

  const patching =
    (
      { partner, customerId }: Known,
      what: string,
      path: string,
      field: string,
      version: number | null = null,
    ) =>
    (): Make => ({
      value: `Lab ${newName()}`,
      async ask(value) {
        const headers: Record<string, string> = version === null ? {} : { "If-Match": `"${version}"` };
        const url = `${PROFILES}/${customerId}${path}`;
        const answer = await partner.call(gateway(), "PATCH", url, { [field]: value }, headers);
        return { verdict: note(ledger, what, answer, ["Customer.VersionMismatch"]) };
      },
    });

  const profileOf = ({ customerId }: Known): Subject => ({
    kind: "profile",
    customerId,
    subjectId: customerId,
  });

  async function patch(): Promise<unknown> {
    const one = anyIdle();
    if (!one) return create();
    return change(one, profileOf(one), [patching(one, "patch", "", "tradingName")()], null);
  }

  /** Two writers of one version. */
  async function compete(): Promise<unknown> {
    const one = anyIdle();
    const version = one && (await read(one))?.version;
    if (!one || version === undefined || one.isBusy) return;
    const writer = patching(one, "patch of a version", "", "tradingName", version);
    return change(one, profileOf(one), [writer(), writer()], version);
  }

  async function correct(): Promise<unknown> {
    const one = anyIdle(({ people }) => people.length > 0);
    const [uboId] = one?.people ?? [];
    if (!one || !uboId) return create();
    const subject: Subject = { kind: "person", customerId: one.customerId, subjectId: uboId };
    return change(
      one,
      subject,
      [patching(one, "patch of a person", `/persons/${uboId}`, "jobTitle")()],
      null,
    );
  }

  async function read(one = anyIdle()): Promise<{ version: number } | null> {
    if (!one) return null;
    const answer = await one.partner.call(gateway(), "GET", `${PROFILES}/${one.customerId}`);
    note(ledger, "read", answer);
    if (answer.status !== 200) return null;
    if (answer.value.partnerCustomerId !== one.reference)
      ledger.wrong.push(`read of ${one.customerId} gave another customer`);
    return answer.value;
  }

  /** A customer of the sandbox, and the decision about it. */
  async function simulate(): Promise<void> {
    const customerId = await create(at(SANDBOX));
    if (customerId === null) return;
    const path = `${PROFILES}/${customerId}/simulate`;
    const answer = await at(SANDBOX).call(gateway(), "POST", path, { outcome: "Approved" });
    const verdict = note(ledger, "simulate", answer);
    const value = "Approved";
    ledger.changes.push({ verdict, kind: "review", customerId, subjectId: customerId, value, version: null });
  }

  async function upload(): Promise<unknown> {
    const one = known[Math.floor(Math.random() * known.length)];
    if (!one) return create();
    const body = { documentCategory: "BankStatement", contentType: "application/pdf" };
    const path = `${PROFILES}/${one.customerId}/documents/upload-link`;
    const link = await one.partner.call(gateway(), "POST", path, body);
    if (note(ledger, "upload link", link) !== "acknowledged") return;
    const file = new Uint8Array(samplePdf(newName()));
    const status = await put(link.value, file).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => null,
    );
    ledger.uploads.push({
      verdict: status === 200 ? "acknowledged" : "unknown",
      ...{ customerId: one.customerId, documentId: link.value.documentId },
      ...{ sha256: createHash("sha256").update(file).digest("hex"), endedAtMs: Date.now() },
    });
  }

  return { createdAt, create, keyed, patch, compete, correct, read, simulate, upload };
}
