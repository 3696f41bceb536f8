import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { type Loose, readObjects } from "../../deploy/cluster/kustomize/objects.ts";
import { loadConfig } from "../../shared/config/config.ts";
import { CHECKS } from "./checks/all.ts";
import { named, ofKind } from "./checks/check.ts";
import { overlayOf } from "./checks/overlay.ts";

const deploy = join(import.meta.dirname, "../../deploy");
const { objects: production, installation } = overlayOf("production");
const gatewayImage = named(production, "Deployment", "gateway")?.spec.template.spec.containers[0].image;

/** As the guide tells to apply it: with the image that runs. */
const text = readFileSync(join(deploy, "k8s/admin.yaml"), "utf8").replace(
  /image: partner-onboarding$/m,
  `image: ${gatewayImage}`,
);
const admin = readObjects(text, "admin.yaml");
const container: Loose = named(admin, "Job", "admin")?.spec.template.spec.containers[0];

describe("the operator's job", () => {
  test("is no part of a release", () => {
    expect(named(production, "Job", "admin")).toBeUndefined();
  });

  test("is as safe as every pod, and reaches name servers and NATS and nothing else", () => {
    const problems = CHECKS.flatMap((check) => check.problems([...production, ...admin], installation));
    expect(problems.sort()).toEqual([
      "Job/admin: admin: the command of the image is replaced",
      "Job/admin: may use 169.254.20.10/32 TCP/53",
      "Job/admin: may use 169.254.20.10/32 UDP/53",
      "Job/admin: may use kube-system/k8s-app=kube-dns TCP/53",
      "Job/admin: may use kube-system/k8s-app=kube-dns UDP/53",
      "Job/admin: may use nats/app.kubernetes.io/name=nats TCP/4222",
    ]);
  });

  test("has settings that the command line accepts, equal to those of the release", () => {
    const env = new Map<string, string>(container.env.map(({ name, value }: Loose) => [name, value]));
    for (const name of ["PBO_NATS_USER", "PBO_NATS_PASSWORD"]) {
      expect(env.get(`${name}_FILE`)).toBe(
        `/etc/pbo/secrets/${name.slice(4).toLowerCase().replace("_", "-")}`,
      );
      env.delete(`${name}_FILE`);
      env.set(name, "sample");
    }
    expect(loadConfig("admin", Object.fromEntries(env)).natsUser).toBe("sample");
    const settings = ofKind(production, "ConfigMap").find(({ metadata }) =>
      metadata.name.startsWith("settings"),
    )?.data;
    for (const name of ["PBO_ENV", "PBO_NATS_URL", "PBO_NATS_CA_FILE"])
      expect([name, env.get(name)]).toEqual([name, settings?.[name]]);
  });
});
