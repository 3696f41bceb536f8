/** Signs upload links. The SDK's getSignedUrl finds the bucket's address for each link: six times the CPU. */
import { PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl, S3RequestPresigner } from "@aws-sdk/s3-request-presigner";
import type { UploadHeaders } from "../../../shared/contract/answers/document.ts";
import { UPLOAD_LINK_SECONDS } from "../../../shared/contract/durations.ts";

/** Storage will take a PUT to this key with exactly these headers, until UPLOAD_LINK_SECONDS after signedAt. */
export type UploadSigner = (key: string, headers: UploadHeaders, signedAt: Date) => Promise<string>;

type Address = { protocol: string; hostname: string; port?: number; path: string };

export function createUploadSigner(client: S3Client, bucket: string): UploadSigner {
  const presigner = new S3RequestPresigner({ ...client.config, region: client.config.region });
  let address: Address | null = null;

  return async (key, given, signedAt) => {
    address ??= await bucketAddress(client, bucket);
    const { path, ...host } = address;
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const request = {
      ...host,
      method: "PUT",
      path: `${path}/${key}`,
      query: { "x-id": "PutObject" },
      headers,
    };
    const signed = await presigner.presign(request, {
      expiresIn: UPLOAD_LINK_SECONDS,
      signingDate: signedAt,
      // The SDK leaves Content-Type unsigned otherwise, and storage would take any.
      signableHeaders: new Set([...Object.keys(headers), "host"]),
      // The SDK moves x-amz- headers into the address otherwise, where storage does not compare them with the bytes.
      unhoistableHeaders: new Set(Object.keys(headers)),
    });
    return formatUrl(signed);
  };
}

const ANY_KEY = "k";

async function bucketAddress(client: S3Client, bucket: string): Promise<Address> {
  const link = new URL(await getSignedUrl(client, new PutObjectCommand({ Bucket: bucket, Key: ANY_KEY })));
  return {
    protocol: link.protocol,
    hostname: link.hostname,
    ...(link.port ? { port: Number(link.port) } : {}),
    path: link.pathname.slice(0, -`/${ANY_KEY}`.length),
  };
}

type Signed = Awaited<ReturnType<S3RequestPresigner["presign"]>>;

/** Keys are made of ids and category names, so the path needs no escape. */
function formatUrl({ protocol, hostname, port, path, query }: Signed): string {
  const pairs = Object.entries(query ?? {})
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .sort();
  return `${protocol}//${hostname}${port ? `:${port}` : ""}${path}?${pairs.join("&")}`;
}
