/** The tests of the Python client, where Python and its cryptography package are at hand. */
import { spawnSync } from "node:child_process";
import { expect } from "@jest/globals";
import { projectDir } from "../../../deploy/lib/paths.ts";
import { testWithPython } from "../../support/docs/python.ts";

testWithPython("its own tests pass", () => {
  const args = ["-B", "-m", "unittest", "discover", "deploy/client/python/tests"];
  const { status, stderr } = spawnSync("python3", args, { cwd: projectDir, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/Ran \d{2,} tests/) });
});
