import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { CHECKS } from "./checks/all.ts";
import { podsOf } from "./checks/check.ts";
import { renderKustomization } from "./kustomize/render.ts";

test("the tracing component opens the way to the collector and nothing else", () => {
  const copy = mkdtempSync(join(tmpdir(), "tracing-"));
  try {
    cpSync(join(import.meta.dirname, "../../deploy/k8s"), copy, { recursive: true });
    const overlay = join(copy, "overlays/production");
    const file = join(overlay, "kustomization.yaml");
    const text = readFileSync(file, "utf8").replace(
      "components/keda]",
      "components/keda, ../../components/tracing]",
    );
    writeFileSync(file, text);
    const objects = renderKustomization(overlay);
    const problems = CHECKS.flatMap((check) => check.problems(objects));
    expect(problems).toEqual(podsOf(objects).map(({ name }) => `${name}: may use observability TCP/4318`));
  } finally {
    rmSync(copy, { recursive: true });
  }
});
