/** The tests of the Python client, where Python and its cryptography package are at hand. */
import { spawnSync } from "node:child_process";
import { expect, test } from "@jest/globals";
import { projectDir } from "../../../deploy/lib/paths.ts";

const python = (...args: string[]) =>
  spawnSync("python3", ["-B", ...args], { cwd: projectDir, encoding: "utf8" });

const isAtHand = python("-c", "import sys, cryptography; sys.exit(sys.version_info < (3, 10))").status === 0;
const name = "its own tests pass";

if (isAtHand)
  test(name, () => {
    const { status, stderr } = python("-m", "unittest", "discover", "deploy/client/python/tests");
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/Ran \d{2,} tests/) });
  });
else test.skip(`${name} (python3 from 3.10 on with cryptography is not at hand)`, () => undefined);
