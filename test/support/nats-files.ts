/**
 * nats.conf of the manifests and the values of the official chart, made by deploy/nats.
 * `deploy/run-node test/support/nats-files.ts` writes both; a test fails when they are not up to date.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { chartValues } from "../../deploy/nats/chart-values.ts";
import { loneNatsConf, natsConf } from "../../deploy/nats/server-config.ts";

const deploy = join(import.meta.dirname, "../../deploy");

export const natsFiles = (): Record<string, string> => ({
  [join(deploy, "k8s/nats/nats.conf")]: natsConf(),
  [join(deploy, "k8s/overlays/dev/nats.conf")]: loneNatsConf(),
  [join(deploy, "nats/values.yaml")]: [
    "# Values of the official nats Helm chart, made by deploy/nats/chart-values.ts.",
    stringify(chartValues(), { aliasDuplicateObjects: false }),
  ].join("\n"),
});

if (import.meta.main) for (const [file, content] of Object.entries(natsFiles())) writeFileSync(file, content);
