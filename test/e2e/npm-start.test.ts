/** `npm start` on an empty directory: what the README shows with it, and its processes when they are killed or stopped. */
import { rmSync } from "node:fs";
import { afterAll } from "@jest/globals";
import "./npm-start/readme.ts";
import "./npm-start/supervision.ts";
import { stateDir } from "./npm-start/state.ts";

afterAll(() => rmSync(stateDir, { recursive: true, force: true }));
