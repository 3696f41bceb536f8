/** Simulated decisions of test partners, and company names that decide by themselves. */
import { describe, expect, test } from "@jest/globals";
import type { Profile } from "../../../services/profile/record/profile.types.ts";
import { outcomeByName, SELF_DECIDING_KEYS } from "../../../services/profile/review/sandbox.rules.ts";
import { readSimulation } from "../../../services/profile/review/simulate-input.rules.ts";
import { simulated } from "../../../services/profile/review/simulate-review.ts";
import { aStoredPerson, aStoredProfile } from "../../support/builders/stored-profile.ts";

const ADA = "0190b5c8-7f3a-7c2e-9d4b-00000000000a";
const AT = "2026-02-01T00:00:00.000Z";
const clock = { now: () => Date.parse(AT) };
const profile = aStoredProfile({ people: [aStoredPerson(ADA)], isTest: true });

const decide = (body: unknown, of: Profile = profile) =>
  simulated({ clock }, of, readSimulation(body, of, false).simulation, AT);
const refusalOf = (work: () => unknown) => {
  try {
    work();
    return null;
  } catch (error) {
    const { type, data } = error as { type: string; data: { details?: { field: string }[] } };
    return [type, (data.details ?? []).map(({ field }) => field)];
  }
};

describe("company names", () => {
  const named = (companyNameKey: string, ...statuses: string[]) =>
    outcomeByName({
      companyNameKey,
      history: statuses.map((status) => ({ status, at: AT })) as Profile["history"],
    });

  test.each([
    ["sandbox approved", "Approved"],
    ["sandbox rejected", "Rejected"],
    ["sandbox changes requested", "ChangesRequested"],
    ["sandbox approved ltd", null],
    ["harbour foods", null],
  ])("%s: %s", (name, outcome) => {
    expect(named(name, "PendingVerification")).toBe(outcome);
  });

  test("changes are asked for once: what is answered is approved", () => {
    expect(named("sandbox changes requested", "PendingVerification", "ChangesRequested")).toBe("Approved");
  });

  test("are searched as they are stored", () => {
    expect(SELF_DECIDING_KEYS).toEqual(["sandbox approved", "sandbox rejected", "sandbox changes requested"]);
  });
});

describe("a simulated review", () => {
  test("Approved: as an analyst's decision, in one version with one event", () => {
    const { after, facts } = decide({ outcome: "Approved" });
    expect(after).toMatchObject({
      verificationStatus: "Approved",
      reviewStage: "Closed",
      decision: { outcome: "Approved", reasons: [] },
      decidedAt: AT,
      claim: null,
      version: profile.version + 1,
    });
    expect(facts.map(({ eventType }) => eventType)).toEqual(["business.verification.updated"]);
  });

  test("Rejected: with the reasons given, or one of its own", () => {
    const reasons = [{ code: "Business.ProhibitedActivity", message: "No." }];
    expect(decide({ outcome: "Rejected", reasons }).after.decision?.reasons).toEqual(reasons);
    const { after, facts } = decide({ outcome: "Rejected" });
    expect(after.decision?.reasons).toHaveLength(1);
    expect(facts[0]?.data).toMatchObject({ reasonCodes: ["Risk.PolicyDecision"] });
  });

  test("ChangesRequested: with the items given, or one of its own", () => {
    const target = { kind: "Person", uboId: ADA, field: "lastName" };
    const items = [{ target, reasonCode: "Person.IdentityMismatch", message: "Other name." }];
    const { after, facts } = decide({ outcome: "ChangesRequested", items });
    expect(after).toMatchObject({
      verificationStatus: "ChangesRequested",
      reviewStage: "AwaitingPartner",
      openChangeRequestCount: 1,
      changeRequests: [{ target, status: "Open", message: "Other name." }],
    });
    expect(facts[0]?.data).toMatchObject({ changeRequests: [{ reasonCode: "Person.IdentityMismatch" }] });
    const { changeRequests, openChangeRequestCount } = decide({ outcome: "ChangesRequested" }).after;
    expect([openChangeRequestCount, changeRequests]).toMatchObject([
      1,
      [
        {
          target: {
            kind: "Document",
            uboId: null,
            documentCategory: "CertificateOfIncorporation",
            field: null,
          },
          reasonCode: "Document.Unreadable",
        },
      ],
    ]);
  });

  test("documents: are recorded, answer what was asked for, and the decision follows", () => {
    const asked = decide({ outcome: "ChangesRequested" }).after;
    const documents = [
      { documentCategory: "CertificateOfIncorporation", status: "Confirmed" },
      { documentCategory: "Selfie", uboId: ADA.toUpperCase(), status: "Rejected" },
    ];
    const { after, facts } = decide({ outcome: "Approved", documents }, asked);
    expect(after).toMatchObject({
      verificationStatus: "Approved",
      version: asked.version + 1,
      documents: [
        { documentCategory: "CertificateOfIncorporation", status: "Confirmed", confirmedAt: AT },
        { documentCategory: "Selfie", uboId: ADA, status: "Rejected", reason: "WrongType" },
      ],
    });
    expect(facts.map(({ eventType, data }) => [eventType, data.verificationStatus])).toEqual([
      ["business.document.confirmed", undefined],
      ["business.document.rejected", undefined],
      ["business.verification.updated", "PendingVerification"],
      ["business.verification.updated", "Approved"],
    ]);
  });

  test("documents alone: no decision", () => {
    const documents = [{ documentCategory: "BankStatement", status: "Rejected", reason: "Malware" }];
    const { after, facts } = decide({ documents });
    expect(after.verificationStatus).toBe("PendingVerification");
    expect(facts).toMatchObject([{ eventType: "business.document.rejected", data: { reason: "Malware" } }]);
  });

  test("a state that no review has: refused as an analyst would be", () => {
    const approved = decide({ outcome: "Approved" }).after;
    expect(refusalOf(() => decide({ outcome: "Rejected" }, approved))).toEqual(["Case.InvalidState", []]);
    const claimed = { ...profile, reviewStage: "UnderReview" as const };
    expect(refusalOf(() => decide({ outcome: "Approved" }, claimed))).toEqual(["Case.AlreadyClaimed", []]);
  });

  test.each<[unknown, string, string[]]>([
    [undefined, "ValidationControl.Error", [""]],
    [{}, "ValidationControl.Error", ["outcome"]],
    [{ outcome: "approved" }, "ValidationControl.Error", ["outcome"]],
    [{ outcome: "Rejected", reasons: [] }, "ValidationControl.Error", ["reasons"]],
    [
      { documents: [{ status: "Lost" }] },
      "ValidationControl.Error",
      ["documents[0].documentCategory", "documents[0].status"],
    ],
    [
      { documents: [{ documentCategory: "Selfie", status: "Confirmed", uboId: "nobody" }] },
      "Ubo.NotFound",
      ["documents[0].uboId"],
    ],
    [
      { documents: [{ documentCategory: "Selfie", status: "Confirmed" }] },
      "ValidationControl.Error",
      ["documents[0].uboId"],
    ],
  ])("%j: %s", (body, code, fields) => {
    expect(refusalOf(() => decide(body))).toEqual([code, fields]);
  });

  test.each<[object, string, string]>([
    [{ outcome: "Approved", outcom: "Rejected" }, "outcom", "Property.Unknown"],
    [
      { documents: [{ documentCategory: "BankStatement", status: "Confirmed", pages: 3 }] },
      "documents[0].pages",
      "Property.Unknown",
    ],
    [
      { documents: [{ documentCategory: "BankStatement", status: "Confirmed", uboId: ADA }] },
      "documents[0].uboId",
      "Document.NotForPerson",
    ],
  ])("%j: a warning for %s, and with Svc-Strict a refusal", (body, field, code) => {
    expect(readSimulation(body, profile, false).warnings).toMatchObject([{ field, code }]);
    expect(refusalOf(() => readSimulation(body, profile, true))).toEqual([
      "ValidationControl.Error",
      [field],
    ]);
  });
});
