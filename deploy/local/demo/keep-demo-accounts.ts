/** Keeps the demo accounts of a platform over its restarts. */
import { readFileSync } from "node:fs";
import { connectAdmin } from "../../admin/connect.ts";
import type { DemoAccounts } from "../../lib/demo-accounts.ts";
import type { StatePaths } from "../../lib/paths.ts";
import { createDemoAccounts } from "./create-demo-accounts.ts";

/** Passwords are hashed while everything else is starting. */
const PATIENT_MS = "60000";

/** Made at the first start, found again at every other one. */
export async function keepDemoAccounts(
  env: Record<string, string>,
  paths: StatePaths,
): Promise<DemoAccounts> {
  const { call, close } = await connectAdmin({ ...env, PBO_REQUEST_TIMEOUT_MS: PATIENT_MS });
  try {
    return await createDemoAccounts({ call, dir: paths.demoDir, earlier: readEarlier(paths.demoFile) });
  } finally {
    await close();
  }
}

function readEarlier(file: string): DemoAccounts | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as DemoAccounts;
  } catch {
    return null;
  }
}
