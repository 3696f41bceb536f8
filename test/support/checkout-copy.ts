/** A copy of the checkout, to make mistakes in: the files of the person who runs it are never touched. */
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

export type CheckoutCopy = {
  path: string;
  write(file: string, source: string): void;
  remove(): void;
};

const NOT_COPIED = /^(node_modules|\.git|\.local|test\/bench\/results)(\/|$)/;

export function copyCheckout(root: string): CheckoutCopy {
  const path = mkdtempSync(join(tmpdir(), "pbo-copy-"));
  cpSync(root, path, { recursive: true, filter: (from) => !NOT_COPIED.test(relative(root, from)) });
  symlinkSync(join(root, "node_modules"), join(path, "node_modules"));
  return {
    path,
    write: (file, source) => writeFileSync(join(path, file), source),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
