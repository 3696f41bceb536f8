/** The samples in the guides: a guide names one in braces, and it is made from what the API document shows. */
import { createHmac } from "node:crypto";
import { createExample } from "../../../services/profile/read/examples.schemas.ts";
import { SELF_DECIDING_NAMES, simulateExample } from "../../../services/profile/review/sandbox.schemas.ts";
import { AppError } from "../../../shared/errors.ts";
import { errorBody, successBody } from "../../http/envelope.ts";
import { asPython } from "./call-samples.rules.ts";

const SIGNED = {
  key: Buffer.from("a key of 32 bytes, for the guides"),
  id: "0199f2c4-7a10-7000-8000-000000000001",
  timestamp: "1767323045",
  body: '{"eventType":"webhook.test","data":{"message":"hello"}}',
};

/** An unknown name stays unchanged, and the tests find it. */
export function filledIn(guide: string, baseUrl: string): string {
  const samples: Record<string, string> = { ...SAMPLES, baseUrl, createError: pretty(createError(baseUrl)) };
  return guide.replaceAll(/\{(\w+)\}/g, (whole, name: string) => samples[name] ?? whole);
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

const AFTERWARDS: Record<string, string> = {
  ChangesRequested: ", of a certificate; approved after your answer",
};

const SAMPLES = {
  createBody: pretty(createExample.body),
  createBodyPython: asPython(pretty(createExample.body)),
  simulateBody: pretty(simulateExample),
  selfDecidingNames: Object.entries(SELF_DECIDING_NAMES)
    .map(([name, outcome]) => `- \`${name}\`: ${outcome}${AFTERWARDS[outcome] ?? ""}`)
    .join("\n"),
  createAnswer: pretty(successBody("partner", createExample.value)),
  partnerCustomerId: createExample.body.partnerCustomerId,
  signatureSecret: `whsec_${SIGNED.key.toString("base64")}`,
  signatureKeyHex: SIGNED.key.toString("hex"),
  signatureId: SIGNED.id,
  signatureTimestamp: SIGNED.timestamp,
  signatureBody: SIGNED.body,
  signature: `v1,${createHmac("sha256", SIGNED.key).update(`${SIGNED.id}.${SIGNED.timestamp}.${SIGNED.body}`).digest("base64")}`,
};

const createError = (baseUrl: string): unknown =>
  errorBody(
    "partner",
    new AppError("ValidationControl.Error", "The request is not valid; see details.", {
      details: [
        {
          field: "businessPersonList[0].nationality",
          code: "ValidationControl.Error",
          message: "is required",
        },
      ],
    }),
    { requestId: "a39b9839-3988-4025-8a9a-2cef31fa4327", baseUrl },
  );
