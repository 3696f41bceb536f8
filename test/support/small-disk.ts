/** A small disk that a test fills. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmdirSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Needs root, as in a container; false elsewhere, where there is no small disk to fill. */
export function mountSmallDisk(dir: string, mebibytes: number): boolean {
  try {
    mkdirSync(dir, { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${Math.ceil(mebibytes * 1_024)}k`, "tmpfs", dir], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}

/** Also where a process has not quite ended. */
export const unmountDisk = (dir: string) => void execFileSync("umount", ["--lazy", dir]);

export function canMountDisks(): boolean {
  const dir = mkdtempSync(join(tmpdir(), "pbo-disk-"));
  const isMounted = mountSmallDisk(dir, 1);
  if (isMounted) unmountDisk(dir);
  rmdirSync(dir);
  return isMounted;
}

const MIB = 1_024 * 1_024;

export function fillDisk(file: string): void {
  const open = openSync(file, "a");
  for (let size = MIB; size >= 1; size = size / 2)
    try {
      for (;;) writeSync(open, Buffer.alloc(size));
    } catch {
      // No room for so much; perhaps for less.
    }
  closeSync(open);
}
