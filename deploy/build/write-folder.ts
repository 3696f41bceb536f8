/** Writes built files below gateway/dist, where a gateway may be reading them. */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { BUILT_STAMP, COMPRESSED_ENDINGS } from "../../gateway/http/built-files.ts";
import { projectDir } from "../lib/paths.ts";

type Content = string | Uint8Array;

const DIST_DIR = join(projectDir, "gateway", "dist");
const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** Replaces all files of a folder, each with its compressed forms. */
export async function writeFolder(folder: string, files: ReadonlyMap<string, Content>): Promise<void> {
  const dir = join(DIST_DIR, folder);
  const written = new Set<string>();
  for (const [name, content] of files)
    for (const [ending, bytes] of await formsOf(content)) {
      await replaceFile(join(dir, name + ending), bytes);
      written.add(join(dir, name + ending));
    }
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !written.has(file)) await rm(file, { force: true });
  }
  await replaceFile(join(DIST_DIR, BUILT_STAMP), "");
}

async function formsOf(content: Content): Promise<[ending: string, bytes: Content][]> {
  return [
    [COMPRESSED_ENDINGS.br, await compress.br(content)],
    [COMPRESSED_ENDINGS.gzip, await compress.gzip(content)],
    ["", content],
  ];
}

async function replaceFile(file: string, content: Content): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = join(DIST_DIR, `${randomUUID()}.tmp`);
  await writeFile(draft, content);
  await rename(draft, file);
}
