/** Framing that Node's parser accepts although RFC 9112 refuses it. */
type Framing = {
  readonly rawHeaders: readonly string[];
  readonly headers: { readonly "transfer-encoding"?: string | undefined };
};

/** The status of the refusal; null when nothing is wrong. */
export function framingFault({ rawHeaders, headers }: Framing): number | null {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at] ?? "")) hosts += 1;
  if (hosts > 1) return 400;
  const codings = headers["transfer-encoding"]?.toLowerCase().trim();
  if (codings === undefined || codings === "chunked") return null;
  // Without chunks at its end the length of the body is unknown (RFC 9112, 6.3).
  return codings.split(",").at(-1)?.trim() === "chunked" ? 501 : 400;
}

const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === "host";

/** The authority and the path of a request that names its target absolutely, as proxies do (RFC 9112, 3.2.2). */
export function absoluteTarget(url: string): { host: string; path: string } | null {
  const [, host, rest = ""] = ABSOLUTE.exec(url) ?? [];
  return host === undefined ? null : { host, path: rest.startsWith("/") ? rest : `/${rest}` };
}

const ABSOLUTE = /^https?:\/\/([^/?#]+)(.*)$/i;
