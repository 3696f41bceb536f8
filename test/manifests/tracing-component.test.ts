import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { CHECKS } from "./checks/all.ts";
import { podsOf } from "./checks/check.ts";
import { overlayOf } from "./checks/overlay.ts";

test("the tracing component opens the way to the collector and nothing else", () => {
  const copy = mkdtempSync(join(tmpdir(), "tracing-"));
  try {
    cpSync(join(import.meta.dirname, "../../deploy/k8s"), copy, { recursive: true });
    const overlay = join(copy, "overlays/production");
    const file = join(overlay, "kustomization.yaml");
    const text = readFileSync(file, "utf8").replace(
      "components/keda\n",
      "components/keda\n  - ../../components/tracing\n",
    );
    writeFileSync(file, text);
    const { objects, installation } = overlayOf("production", copy);
    const problems = CHECKS.flatMap((check) => check.problems(objects, installation));
    expect(problems).toEqual(podsOf(objects).map(({ name }) => `${name}: may use observability TCP/4318`));
  } finally {
    rmSync(copy, { recursive: true });
  }
});
