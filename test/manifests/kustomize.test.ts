import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { applyJsonPatch } from "../../deploy/cluster/kustomize/json-patch.ts";
import { renderKustomization } from "../../deploy/cluster/kustomize/render.ts";
import { strategicMerge } from "../../deploy/cluster/kustomize/strategic-merge.ts";

const root = mkdtempSync(join(tmpdir(), "kustomize-"));
afterAll(() => rmSync(root, { recursive: true }));

function brokenCopy(file: string, change: (text: string) => string): string {
  const copy = mkdtempSync(join(root, "copy-"));
  cpSync(join(import.meta.dirname, "../../deploy/k8s"), copy, { recursive: true });
  writeFileSync(join(copy, file), change(readFileSync(join(copy, file), "utf8")));
  return join(copy, "overlays/production");
}

describe("a broken copy of the manifests does not render", () => {
  const add = (line: string) => (text: string) => `${text}\n${line}\n`;
  test.each([
    ["an unknown field", "base/kustomization.yaml", add("vars: []"), "vars is not understood"],
    [
      "an unknown field of a list",
      "components/storage-outside/kustomization.yaml",
      (t: string) => t.replace("fieldPaths:", "fieldPath:"),
      "target.fieldPath",
    ],
    [
      "a missing file",
      "base/kustomization.yaml",
      (t: string) => t.replace("gateway.yaml", "gatway.yaml"),
      "no such file",
    ],
    [
      "an object twice",
      "base/kustomization.yaml",
      (t: string) => t.replace("  - gateway.yaml\n", "  - gateway.yaml\n  - gateway.yaml\n"),
      "two objects",
    ],
    [
      "a patch without a target",
      "base/kustomization.yaml",
      (t: string) => t.replace("kind: Deployment", "kind: DaemonSet"),
      "finds no object",
    ],
    [
      "an image that nothing uses",
      "overlays/production/kustomization.yaml",
      add("images: [{ name: partner, newTag: x }]"),
      "nothing uses partner",
    ],
    [
      "a value for a field that is not there",
      "components/installation/kustomization.yaml",
      (t: string) => t.replace("spec.ingressClassName", "spec.ingressClass"),
      "has no spec.ingressClass",
    ],
    [
      "a value that the installation does not have",
      "overlays/production/installation.yaml",
      (t: string) => t.replace("ingress.class:", "ingress.classes:"),
      "there is no data.ingress\\.class",
    ],
    ["a key twice", "base/ingress.yaml", add("kind: Ingress"), "keys must be unique"],
    [
      "an object without a name",
      "base/ingress.yaml",
      (t: string) => t.replace("  name: gateway\n", ""),
      "metadata.name",
    ],
    [
      "settings merged into nothing",
      "base/kustomization.yaml",
      (t: string) => t.replace("name: settings", "name: setting"),
      "cannot merge settings",
    ],
  ])("%s", (_what, file, change, message) => {
    const folder = brokenCopy(file, change).replace(
      "production",
      message.includes("merge") ? "dev" : "production",
    );
    expect(() => renderKustomization(folder)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(message) }),
    );
  });
});

test("a changed setting changes the name of the ConfigMap and every reference to it", () => {
  const names = (folder: string) => {
    const objects = renderKustomization(folder);
    const made = objects.find(({ kind }) => kind === "ConfigMap")?.metadata.name;
    const used = objects
      .filter(({ kind }) => kind === "Deployment" || kind === "Job")
      .flatMap(({ spec }) => spec.template.spec.containers)
      .map(({ envFrom }) => envFrom[0].configMapRef.name);
    expect(new Set(used)).toEqual(new Set([made]));
    return made;
  };
  const before = names(brokenCopy("base/kustomization.yaml", (text) => text));
  expect(names(brokenCopy("base/kustomization.yaml", (text) => text.replace("info", "warn")))).not.toBe(
    before,
  );
});

describe("strategic merge", () => {
  test("null removes a field, $patch: delete an item, and another directive is an error", () => {
    expect(strategicMerge({ a: 1, b: 2 }, { a: null })).toEqual({ b: 2 });
    expect(
      strategicMerge({ env: [{ name: "a" }, { name: "b" }] }, { env: [{ name: "a", $patch: "delete" }] }),
    ).toEqual({
      env: [{ name: "b" }],
    });
    expect(() => strategicMerge({}, { $patch: "replace" })).toThrow("not understood");
  });
});

describe("JSON patch", () => {
  test("adds, replaces and removes", () => {
    const operations = [
      { op: "add", path: "/list/-", value: 3 },
      { op: "replace", path: "/a~1b", value: 2 },
      { op: "remove", path: "/list/0" },
    ];
    expect(applyJsonPatch({ list: [1], "a/b": 1 }, operations)).toEqual({ list: [3], "a/b": 2 });
  });
  test("refuses a path that is not there and an operation it does not know", () => {
    expect(() => applyJsonPatch({}, [{ op: "replace", path: "/a", value: 1 }])).toThrow("there is no /a");
    expect(() => applyJsonPatch({ a: 1 }, [{ op: "move", path: "/a" }])).toThrow("not understood");
  });
});
