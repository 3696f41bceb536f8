/** Where the `npm start` of this file keeps its state, and what it notes there for people. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";

export const stateDir = mkdtempSync(join(tmpdir(), "pbo-start-"));
export const demo = () => JSON.parse(readFileSync(join(stateDir, "demo.json"), "utf8")) as DemoData;
