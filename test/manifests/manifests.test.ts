import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { CHECKS } from "./checks/all.ts";
import { ofKind } from "./checks/check.ts";
import { overlayDifferences } from "./checks/difference.ts";
import { imagesByDigest } from "./checks/pods.ts";
import { renderKustomization } from "./kustomize/render.ts";

const OVERLAYS = join(import.meta.dirname, "../../deploy/k8s/overlays");
const render = (overlay: string) => renderKustomization(join(OVERLAYS, overlay));

test("the overlays are dev, staging and production", () => {
  expect(readdirSync(OVERLAYS).sort()).toEqual(["dev", "production", "staging"]);
});

describe.each(["dev", "staging", "production"])("overlay %s", (overlay) => {
  const objects = render(overlay);

  test.each(CHECKS)("$row", ({ problems }) => {
    expect(problems(objects)).toEqual([]);
  });
});

test("K7 production names images by digest", () => {
  expect(imagesByDigest.problems(render("production"))).toEqual([]);
  expect(imagesByDigest.problems(render("staging"))).not.toEqual([]);
});

test("K16, K17 staging and production scale delivery by KEDA alone", () => {
  for (const overlay of ["staging", "production"])
    expect(ofKind(render(overlay), "ScaledObject").map(({ metadata }) => metadata.name)).toEqual([
      "delivery",
    ]);
  expect(ofKind(render("dev"), "ScaledObject")).toEqual([]);
});

test("K37 production differs from staging only where it may", () => {
  const [staging, production] = [render("staging"), render("production")];
  expect(overlayDifferences(staging, production)).toEqual([]);
  const deployment = ofKind(production, "Deployment")[0];
  if (deployment) deployment.spec.template.spec.terminationGracePeriodSeconds = 10;
  expect(overlayDifferences(staging, production)).toEqual([
    "Deployment/gateway /spec/template/spec/terminationGracePeriodSeconds",
  ]);
});
