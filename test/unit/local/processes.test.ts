import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { statePaths } from "../../../deploy/lib/paths.ts";
import { identify, isRunning, type ProcessIdentity } from "../../../deploy/lib/process-identity.ts";
import { rememberedPorts } from "../../../deploy/local/ports.ts";
import { closeHost, openHost } from "../../../deploy/local/processes/host.ts";
import { manageProcess } from "../../../deploy/local/processes/managed-process.ts";
import { stopOrphans, writePidFile } from "../../../deploy/local/processes/pid-files.ts";
import { AlreadyRunningError, takeRunLock } from "../../../deploy/local/run-lock.ts";
import { quietReport } from "../../support/quiet-report.ts";
import { waitFor } from "../../support/wait-for.ts";

const dir = mkdtempSync(join(tmpdir(), "pbo-unit-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A process that stays, in a group of its own, as the platform starts its children. */
function aProcess(): { identity: ProcessIdentity; end(): void } {
  const child = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
  const identity = identify(Number(child.pid));
  if (!identity) throw new Error("sleep did not start");
  return { identity, end: () => void child.kill("SIGKILL") };
}

describe("stopOrphans", () => {
  test("with a process that an earlier platform left: ends it and forgets it", async () => {
    const runDir = mkdtempSync(join(dir, "run-"));
    const { identity } = aProcess();
    writePidFile(join(runDir, "nats.pid"), { ...identity, server: true });
    expect(await stopOrphans(runDir)).toEqual(["nats"]);
    expect(isRunning(identity)).toBe(false);
    expect(existsSync(join(runDir, "nats.pid"))).toBe(false);
  });

  test("with a pid that now belongs to another process: leaves that process alone", async () => {
    const runDir = mkdtempSync(join(dir, "run-"));
    const stranger = aProcess();
    const reused = { ...stranger.identity, startedAt: "an earlier boot:12345", server: true };
    writePidFile(join(runDir, "nats.pid"), reused);
    expect(await stopOrphans(runDir)).toEqual([]);
    expect(isRunning(stranger.identity)).toBe(true);
    stranger.end();
  });
});

describe("takeRunLock", () => {
  test("while another holds it: refuses and names the address", () => {
    const file = join(dir, "lock.json");
    const lock = takeRunLock(file);
    lock.announce("http://localhost:1234");
    expect(() => takeRunLock(file)).toThrow(AlreadyRunningError);
    expect(() => takeRunLock(file)).toThrow(/http:\/\/localhost:1234/);
    lock.release();
    expect(() => takeRunLock(file).release()).not.toThrow();
  });

  test("left by a process that died: is taken over", async () => {
    const file = join(dir, "stale.json");
    const dead = aProcess();
    writeFileSync(file, JSON.stringify(dead.identity));
    dead.end();
    await waitFor(() => !isRunning(dead.identity), "the process to be gone");
    takeRunLock(file);
    expect(JSON.parse(readFileSync(file, "utf8")).pid).toBe(process.pid);
  });
});

describe("rememberedPorts", () => {
  test("asked again: gives the same port, another one when it is taken, and never one twice", async () => {
    const file = join(dir, "ports.json");
    const first = await rememberedPorts(file).take("nats");
    expect(await rememberedPorts(file).take("nats")).toBe(first);
    const blocker = createServer().listen(first, "127.0.0.1");
    await new Promise((resolve) => blocker.once("listening", resolve));
    expect(await rememberedPorts(file).take("nats")).not.toBe(first);
    blocker.close();
    const ports = rememberedPorts(file);
    const many = await Promise.all(Array.from({ length: 50 }, (_, index) => ports.take(`p${index}`)));
    expect(new Set(many).size).toBe(50);
  });
});

describe("manageProcess", () => {
  const spec = (name: string, script: string, isReady: () => Promise<boolean>) => ({
    name,
    server: false,
    command: "sh",
    args: ["-c", script],
    env: { PATH: String(process.env.PATH) },
    isReady,
    readyWithinMs: 5_000,
    stopWithinMs: 2_000,
  });

  test("a process that ends at every start: is given up with the end of its log", async () => {
    const host = openHost(statePaths(join(dir, "failing")), { ...quietReport, warn: () => {} });
    const failing = manageProcess(
      spec("failing", "echo the reason; exit 3", async () => false),
      host,
    );
    await expect(failing.start()).rejects.toThrow(/it ended again and again[\s\S]*the reason/);
    await closeHost(host);
    expect(failing.pid()).toBeNull();
  });

  test.each([
    ["ends at every start", "exit 1"],
    ["hangs", "sleep 60"],
  ])(
    "a process that %s because of its files: is repaired once and started again, also when it was killed",
    async (_, script) => {
      const damaged = join(mkdtempSync(join(dir, "damaged-")), "store");
      const warnings: string[] = [];
      const report = { ...quietReport, warn: (line: string) => void warnings.push(line) };
      const host = openHost(statePaths(mkdtempSync(join(dir, "repaired-"))), report);
      const ready = `${damaged}.ready`;
      const files = () => {
        rmSync(damaged, { force: true });
        return "the store is set aside";
      };
      const repairable = manageProcess(
        {
          ...spec(
            "repairable",
            `rm -f ${ready}; [ -e ${damaged} ] && ${script}; touch ${ready}; sleep 60`,
            async () => existsSync(ready),
          ),
          readyWithinMs: 120_000,
          repair: { afterMs: 500, files },
        },
        host,
      );
      writeFileSync(damaged, "");
      await repairable.start();
      const repairs = () => warnings.filter((line) => line.includes("the store is set aside")).length;
      expect([existsSync(damaged), repairs()]).toEqual([false, 1]);

      await repairable.stop();
      rmSync(ready);
      await repairable.start();
      writeFileSync(damaged, "");
      rmSync(ready);
      repairable.kill("SIGKILL");
      await waitFor(() => existsSync(ready), "the process to be repaired again");
      expect(repairs()).toBe(2);
      await closeHost(host);
    },
  );

  test("a process that ignores SIGTERM: is killed at its deadline, with what it started", async () => {
    const host = openHost(statePaths(join(dir, "stubborn")), quietReport);
    const file = join(dir, "grandchild");
    const script = `trap '' TERM; sleep 60 & echo $! > ${file}; while true; do sleep 0.1; done`;
    const stubborn = manageProcess(
      spec("stubborn", script, async () => existsSync(file)),
      host,
    );
    await stubborn.start();
    const grandchild = await waitFor(() => identify(Number(readFileSync(file, "utf8"))), "its child");
    await stubborn.stop();
    await waitFor(() => !isRunning(grandchild), "the grandchild to be gone");
    await closeHost(host);
  });
});
