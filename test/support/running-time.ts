/**
 * Time in which the host let other machines run in place of this one: a fault of its own, which no schedule drew and
 * which has not ended while it lasts. What must be done within a time has that time on a machine that runs.
 */
import { existsSync, readFileSync } from "node:fs";

const CPU_TIMES = "/proc/stat";
const STEAL = 7;
const TICK_MS = 10;

/** Since the machine started, as a mean over its processors; zero where there is no /proc. */
export function stolenMs(): number {
  if (!existsSync(CPU_TIMES)) return 0;
  const text = readFileSync(CPU_TIMES, "utf8");
  const [, line = ""] = /^cpu +(.*)$/m.exec(text) ?? [];
  const processors = text.match(/^cpu\d/gm)?.length ?? 1;
  return (Number(line.split(" ")[STEAL] ?? 0) * TICK_MS) / processors;
}

export type RunningTime = {
  tookMs(): number;
  ranMs(): number;
  /** So much was stolen that deadlines passed which the product otherwise keeps. */
  isStarved(): boolean;
};

const RAN_ENOUGH = 0.9;

export function startRunningTime(): RunningTime {
  const [startedAt, stolenBefore] = [Date.now(), stolenMs()];
  const tookMs = () => Date.now() - startedAt;
  const ranMs = () => tookMs() - (stolenMs() - stolenBefore);
  return { tookMs, ranMs, isStarved: () => ranMs() < RAN_ENOUGH * tookMs() };
}
