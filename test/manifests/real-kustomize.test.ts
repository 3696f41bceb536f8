/** Every check of the manifests works on what our own renderer makes of them: this is what kustomize itself makes. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { KubeObject } from "./kustomize/objects.ts";
import { buildWithKustomize, canHaveKustomize } from "./kustomize/program.ts";
import { renderKustomization } from "./kustomize/render.ts";

const manifests = join(import.meta.dirname, "../../deploy/k8s");
const copy = mkdtempSync(join(tmpdir(), "kustomize-"));
afterAll(() => rmSync(copy, { recursive: true }));

const ordered = (objects: KubeObject[]): KubeObject[] =>
  objects.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
const nameOf = ({ apiVersion, kind, metadata }: KubeObject): string =>
  `${apiVersion} ${kind} ${metadata.namespace} ${metadata.name}`;

async function expectTheSame(folder: string): Promise<void> {
  const ours = ordered(renderKustomization(folder));
  expect(ordered(await buildWithKustomize(folder))).toEqual(ours);
  expect(ours.length).toBeGreaterThan(0);
}

(canHaveKustomize ? describe : describe.skip)("kustomize renders what the checks look at", () => {
  test.each(readdirSync(join(manifests, "overlays")))("overlay %s", async (overlay) => {
    await expectTheSame(join(manifests, "overlays", overlay));
  });

  test.each(["nats", "certificates", "server-secrets"])("%s", async (folder) => {
    await expectTheSame(join(manifests, folder));
  });

  test.each([
    "keda",
    "tracing",
    "external-secrets",
    "external-authorities",
    "mongodb-outside",
    "storage-ingress",
  ])("an overlay with the component %s alone", async (component) => {
    cpSync(manifests, copy, { recursive: true });
    const file = join(copy, "overlays/staging/kustomization.yaml");
    const text = readFileSync(file, "utf8");
    const changed = text.replace(
      /^components:\n(?: {2}- .*\n)+/m,
      `components: [../../components/${component}]\n`,
    );
    expect(changed).toContain(`components/${component}]`);
    writeFileSync(file, changed);
    await expectTheSame(join(copy, "overlays/staging"));
  });
});
