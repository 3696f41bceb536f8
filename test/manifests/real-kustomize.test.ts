/** Every check of the manifests works on what our own renderer makes of them: this is what kustomize itself makes. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { FULL, PLAIN, writeProduction } from "../../deploy/cluster/chart/variants.ts";
import type { KubeObject } from "../../deploy/cluster/kustomize/objects.ts";
import { renderKustomization } from "../../deploy/cluster/kustomize/render.ts";
import { readInstallation } from "../../deploy/cluster/read-installation.ts";
import { describeIf, nightlyTest } from "../support/skipped.ts";
import { buildWithKustomize, isAtHand } from "./programs.ts";

/** kustomize on a CPU that it is not made for, beside other tests. */
const EMULATED_MS = 620_000;

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

const values = {
  ...readInstallation(join(manifests, "overlays/production")),
  "mongodb.range": "198.51.100.0/24",
};
const production = (what: string, components: readonly string[]) =>
  [`production with ${what}`, () => writeProduction(copy, components, values)] as const;
const folder = (name: string) => [name, () => join(manifests, name)] as const;

describeIf(isAtHand("kustomize"), "needs kustomize for this CPU")(
  "kustomize renders the same objects as our renderer",
  () => {
    test.each([
      // The objects that the chart is made of, and compared with.
      production("every component and a MongoDB outside", FULL),
      folder("nats"),
    ])("%s", async (_name, where) => expectTheSame(where()), EMULATED_MS);

    nightlyTest.each([
      production("what needs no extension of Kubernetes", PLAIN),
      ...readdirSync(join(manifests, "components")).map((name) =>
        production(`the component ${name} alone`, [name]),
      ),
      folder("certificates"),
      ...readdirSync(join(manifests, "overlays")).map((name) => folder(`overlays/${name}`)),
    ])("%s", async (_name, where) => expectTheSame(where()), EMULATED_MS);
  },
);
