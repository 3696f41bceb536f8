/** A registry with one package, for tests of what is fetched from the user's own registry. */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type NpmRegistry = { url: string; requests: string[]; close(): Promise<void> };

type Package = { name: string; version: string; tarball: Buffer };

export async function startNpmRegistry({ name, version, tarball }: Package): Promise<NpmRegistry> {
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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
