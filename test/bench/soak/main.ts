/**
 * npm run soak -- [--minutes 10] [--events 300]: how large each process is at rest, under a steady load with 50 bad
 * endpoints, and after it, with the heap that the manifests give it. Fails when one of ours grows while the same work goes on.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { projectDir } from "../../../deploy/lib/paths.ts";
import { SERVICE_NAMES } from "../../../shared/config/config.ts";
import globalSetup from "../../support/servers/global-setup.ts";
import globalTeardown from "../../support/servers/global-teardown.ts";
import { openDeliveryPath } from "../delivery/delivery-path.ts";
import { type BenchEnv, createEnv } from "../frame/env.ts";
import { median } from "../frame/stats.ts";
import { openProfilePath } from "../profile/profile-path.ts";
import { startLoad } from "./load.ts";
import { type Growth, growthOf } from "./memory.rules.ts";

const LOOK_EVERY_MS = 5_000;
const REST_MS = 30_000;
/** A server of data grows with its data, until its cache is full. */
const OURS: readonly string[] = ["gateway", ...SERVICE_NAMES];
const VERDICTS = { passed: "flat", missed: "GROWS", undecided: "undecided" } as const;

/** A machine that is busy for ten minutes answers late at times. */
const PATIENT = { PBO_REQUEST_TIMEOUT_MS: "20000" };

/** MiB by process. */
type Look = ReadonlyMap<string, number>;
type Looks = Readonly<Record<"rest" | "load" | "after", readonly Look[]>>;
type Options = { minutes: number; events: number };
const say = (line: string) => void process.stdout.write(`${line}\n`);

async function soak(env: BenchEnv, look: () => Look, { minutes, events }: Options): Promise<Looks> {
  const profiles = await openProfilePath(env);
  await env.startService("document");
  const path = await openDeliveryPath(env, PATIENT, { profileRuns: true });
  const watch = async (ms: number): Promise<Look[]> => {
    const looks: Look[] = [];
    for (const until = performance.now() + ms; performance.now() < until; looks.push(look()))
      await sleep(LOOK_EVERY_MS);
    return looks;
  };
  const rest = await watch(REST_MS);
  const load = await startLoad(path, profiles, events);
  const loaded = await watch(minutes * 60_000);
  say(await load.stop());
  return { rest, load: loaded, after: await watch(REST_MS) };
}

/** Says how large each process was; answers whether one of ours grew. */
function report(looks: Looks, minutes: number): boolean {
  const names = [...(looks.after.at(-1)?.keys() ?? [])];
  const sizes = (phase: keyof Looks, name: string) => looks[phase].map((look) => look.get(name) ?? 0);
  say(
    "| MiB resident | at rest | under load, most | its last quarter | after | a minute, in the second half | |",
  );
  say("| --- | --- | --- | --- | --- | --- | --- |");
  const verdicts = names.map((name) => {
    const load = sizes("load", name);
    const growth = growthOf(load, minutes);
    const [rest, last, after] = [sizes("rest", name), load.slice(-load.length / 4), sizes("after", name)];
    const cells = [median(rest), Math.max(...load), median(last), median(after)].map((mib) => mib.toFixed(0));
    const verdict = OURS.includes(name) ? growth.verdict : null;
    say(`| ${[name, ...cells, slopeText(growth), verdict ? VERDICTS[verdict] : ""].join(" | ")} |`);
    return verdict;
  });
  return verdicts.includes("missed");
}

const slopeText = ({ slope, between }: Growth): string =>
  between ? `${slope.toFixed(1)} (${between.low.toFixed(1)} to ${between.high.toFixed(1)})` : "too few looks";

/** A larger one is collected later, so that a process of no leak still grows for longer than the soak lasts. */
function manifestHeap(service: string): readonly string[] {
  const manifest = readFileSync(join(projectDir, "deploy/k8s/base", `${service}.yaml`), "utf8");
  const [, options] = /name: NODE_OPTIONS, value: (.+) }/.exec(manifest) ?? [];
  if (!options) throw new Error(`The manifest of ${service} says nothing of its heap.`);
  return options.split(" ");
}

function residentMib(pid: number): number {
  const [, kib = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1_024;
}

function optionsOf(): Options {
  const { values } = parseArgs({
    options: { minutes: { type: "string", default: "10" }, events: { type: "string", default: "300" } },
  });
  const options = { minutes: Number(values.minutes), events: Number(values.events) };
  if (!(options.minutes > 0 && options.events > 0))
    throw new Error("npm run soak -- [--minutes 10] [--events 300]");
  return options;
}

const options = optionsOf();
await globalSetup();
const { env, processes, close } = createEnv(projectDir, manifestHeap);
const look = (): Look =>
  new Map(
    [...processes(), ...(globalThis.pboTestInfra?.processes() ?? [])].flatMap(({ name, pid }) => {
      const id = pid();
      return id === null || name.startsWith("receiver") ? [] : [[name, residentMib(id)] as const];
    }),
  );
try {
  if (report(await soak(env, look, options), options.minutes)) process.exitCode = 1;
} finally {
  await close();
  await globalTeardown();
}
