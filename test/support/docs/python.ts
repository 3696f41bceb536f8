/** Python, where it is at hand: a test that needs it says so when it is not. */
import { spawnSync } from "node:child_process";
import { test } from "@jest/globals";

const isAtHand =
  spawnSync("python3", ["-c", "import sys, cryptography; sys.exit(sys.version_info < (3, 10))"]).status === 0;

export const testWithPython = (name: string, run: () => void | Promise<void>): void =>
  isAtHand
    ? test(name, run)
    : test.skip(`${name} (python3 from 3.10 on with cryptography is not at hand)`, () => undefined);
