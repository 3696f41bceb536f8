/** Containers of the image, as Kubernetes would run them: read-only, as nobody, without capabilities. */
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../deploy/local/archives/run-command.ts";
import { freePort } from "../../deploy/local/ports.ts";
import { type ProcessName, processEnv } from "../../shared/config/config.ts";
import { waitFor } from "../support/wait-for.ts";

export type Container = { name: string; process: ProcessName; opsUrl: string; httpUrl: string };

/** The longest command builds an image. */
const COMMAND_MS = 900_000;
const READY_MS = 120_000;
const GRACE_SECONDS = 60;
const SECRETS = "/etc/pbo/secrets";

export async function docker(...args: string[]): Promise<string> {
  const { ok, stdout, stderr } = await runCommand("docker", args, {
    withinMs: COMMAND_MS,
    env: processEnv(),
  });
  if (!ok) throw new Error(`docker ${args.join(" ")}: ${stderr.trim() || stdout.trim()}`);
  return stdout.trim();
}

/** Files that only this user reads, like the volume of a secret in a pod. */
export function writeSecrets(secrets: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "pbo-image-"));
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  for (const [name, text] of Object.entries(secrets))
    writeFileSync(join(folder, name), text, { mode: 0o444 });
  return folder;
}

type Options = { image: string; prefix: string; secrets: string; env: Record<string, string> };

export function containerHost({ image, prefix, secrets, env }: Options) {
  const names: string[] = [];
  const hardened = [
    ...["--network", "host", "--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL"],
    ...["--security-opt", "no-new-privileges", "--memory", "768m", "--volume", `${secrets}:${SECRETS}:ro`],
  ];
  const variables = (own: Record<string, string>) =>
    Object.entries({ ...env, ...own }).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  const place = (process: ProcessName) => (process === "gateway" ? process : `services/${process}`);

  return {
    async start(process: ProcessName, replica = 1): Promise<Container> {
      const name = `${prefix}-${process}-${replica}`;
      const [ops, http] = [await freePort(), await freePort()];
      names.push(name);
      const own = { PBO_OPS_PORT: String(ops), PBO_PORT: String(http) };
      await docker("run", "--detach", "--name", name, ...hardened, ...variables(own), image, place(process));
      return { name, process, opsUrl: `http://127.0.0.1:${ops}`, httpUrl: `http://127.0.0.1:${http}` };
    },

    async untilReady({ name, opsUrl }: Container): Promise<void> {
      const ready = async () => (await fetch(`${opsUrl}/readyz`)).status === 200;
      await waitFor(ready, { timeoutMs: READY_MS, everyMs: 200, what: name }).catch(async (error) => {
        throw new Error(`${error.message}\n${await docker("logs", "--tail", "20", name)}`);
      });
    },

    /** Runs to its end and answers what it printed. */
    run: (args: string[], own: Record<string, string> = {}, ...options: string[]) =>
      docker("run", "--rm", ...hardened, ...variables(own), ...options, image, ...args),

    async stop({ name }: Container): Promise<{ exitCode: number; seconds: number }> {
      const startedAt = performance.now();
      await docker("stop", "--time", String(GRACE_SECONDS), name);
      const seconds = (performance.now() - startedAt) / 1_000;
      return { exitCode: Number(await docker("inspect", "--format", "{{.State.ExitCode}}", name)), seconds };
    },

    async removeAll(): Promise<void> {
      for (const name of names) await docker("rm", "--force", name).catch(() => undefined);
    },
  };
}
