/** Spectral's recommended rules on files, as a program of its own: within Jest it takes several times as long. */
import { readFileSync } from "node:fs";
import spectralCore from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";

async function findings(file: string): Promise<string[]> {
  const linter = new spectralCore.Spectral();
  linter.setRuleset(new spectralCore.Ruleset({ extends: [[spectralRulesets.oas, "recommended"]] }));
  const found = await linter.run(JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>);
  return found.map(({ code, path, message }) => `${code} ${path.join("/")}: ${message}`);
}

process.stdout.write(JSON.stringify(await Promise.all(process.argv.slice(2).map(findings))));
