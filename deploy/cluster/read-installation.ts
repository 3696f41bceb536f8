import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Installation } from "./installation.rules.ts";

export function readInstallation(overlay: string): Installation {
  const { data } = parse(readFileSync(join(overlay, "installation.yaml"), "utf8")) as { data?: Installation };
  return data ?? {};
}
