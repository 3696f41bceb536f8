import { openApiDocument } from "../../../gateway/openapi/openapi.ts";
import {
  type CallSample,
  callSamples,
  type SampledCall,
} from "../../../gateway/openapi/pages/call-samples.rules.ts";
import { type GuideSample, programsOf } from "./guide-samples.ts";

export type ReferenceSample = CallSample & { operationId: string };

export function referenceSamples(baseUrl: string): ReferenceSample[] {
  const { paths } = openApiDocument("partner", baseUrl) as {
    paths: Record<string, Record<string, SampledCall>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, call]) =>
      callSamples(baseUrl, method, path, call).map((sample) => ({
        ...sample,
        operationId: call.operationId,
      })),
    ),
  );
}

const VARIABLES = ["partnerCustomerId", "customerId", "uboId"];
const inEnvironment = (name: string): string => snakeCase(name).toUpperCase();
const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** All of one language in one program, which begins like the guide's; it says which calls came back. */
export function referenceProgram(
  all: readonly ReferenceSample[],
  guides: readonly GuideSample[],
  language: "ts" | "python",
): { text: string; operationIds: string[] } {
  const { client } = programsOf(guides, language);
  const own = all.filter((sample) => sample.language === language);
  const lines = own.map(({ operationId, text }) =>
    language === "ts"
      ? `{\n${text}\n}\nconsole.log("ran ${operationId}");`
      : `${text}\nprint("ran ${operationId}")`,
  );
  const variables = VARIABLES.map((name) =>
    language === "ts"
      ? `const ${name} = process.env.${inEnvironment(name)} ?? "";`
      : `${snakeCase(name)} = os.environ["${inEnvironment(name)}"]`,
  );
  return {
    text: [client, ...variables, ...lines].join("\n"),
    operationIds: own.map(({ operationId }) => operationId),
  };
}
