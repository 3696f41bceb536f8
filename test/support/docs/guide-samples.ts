import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../../../deploy/lib/paths.ts";
import { filledIn } from "../../../gateway/openapi/pages/samples.ts";
import { GUIDES } from "../../../gateway/openapi/pages/site.ts";

export type Language = "sh" | "js" | "ts" | "python";
const LANGUAGES: readonly string[] = ["sh", "js", "ts", "python"] satisfies Language[];

export type GuideSample = { guide: string; language: Language; text: string };

/** In the order of reading. */
export const guideSamples = (baseUrl: string): GuideSample[] =>
  Object.keys(GUIDES).flatMap((guide) => {
    const file = join(projectDir, "gateway/openapi/pages/guides", `${guide || "start"}.md`);
    const text = filledIn(readFileSync(file, "utf8"), baseUrl);
    return [...text.matchAll(/```(\w*)\n([\s\S]*?)```/g)].flatMap(([, language = "", sample = ""]) =>
      LANGUAGES.includes(language) ? [{ guide, language: language as Language, text: sample }] : [],
    );
  });

/** The sandbox has a program of its own; what the other guides show is one program, read from top to bottom. */
export function programsOf(samples: readonly GuideSample[], language: "ts" | "python") {
  const own = samples.filter((sample) => sample.language === language);
  const join = (some: readonly GuideSample[]): string => some.map(({ text }) => text).join("\n");
  return {
    client: join(own.filter(({ guide }) => guide === "token")),
    sandbox: join(own.filter(({ guide }) => guide === "sandbox")),
    guides: join(own.filter(({ guide }) => guide !== "sandbox")),
  };
}
