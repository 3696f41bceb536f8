/** Spectral on files, as a program of its own: within Jest it takes several times as long. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import spectralCore, { type RulesetDefinition } from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";

/** The recommended rules, or all OWASP rules from a folder with that package. */
const [owasp = "", ...files] = process.argv.slice(2);
const rules: RulesetDefinition = owasp
  ? createRequire(join(owasp, "package.json"))("@stoplight/spectral-owasp-ruleset")
  : spectralRulesets.oas;

async function findings(file: string) {
  const linter = new spectralCore.Spectral();
  linter.setRuleset(new spectralCore.Ruleset({ extends: [[rules, owasp ? "all" : "recommended"]] }));
  const found = await linter.run(JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>);
  return found.map(({ code, path, message }) => ({ code, path: path.join("/"), message }));
}

process.stdout.write(JSON.stringify(await Promise.all(files.map(findings))));
