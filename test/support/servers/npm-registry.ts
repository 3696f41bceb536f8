/** A registry with one package, for tests of what is fetched from the user's own registry. */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { listen } from "./listen.ts";

export type NpmRegistry = Awaited<ReturnType<typeof startNpmRegistry>>;

type Package = { name: string; version: string; tarball: Buffer };

export async function startNpmRegistry({ name, version, tarball }: Package) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    if (request.url?.endsWith(".tgz")) return void response.end(tarball);
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    const dist = { tarball: `${url}/${name}/-/${name}-${version}.tgz`, integrity };
    response.setHeader("Content-Type", "application/json");
    response.end(
      JSON.stringify({
        name,
        "dist-tags": { latest: version },
        versions: { [version]: { name, version, dist } },
      }),
    );
  });
  const { port, close } = await listen(server);
  const url = `http://127.0.0.1:${port}`;
  return { url, requests, close };
}
