import { PutObjectCommand, S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { expect, test } from "@jest/globals";
import { createStorage } from "../../../services/document/storage/storage.ts";
import { createUploadSigner } from "../../../services/document/storage/storage-signer.ts";
import { aDocument } from "../../support/builders/a-document.ts";

const credentials = { accessKeyId: "KEY", secretAccessKey: "SECRET" };

test.each<[string, S3ClientConfig]>([
  [
    "a MinIO address with a port",
    { region: "us-east-1", endpoint: "http://127.0.0.1:9000", forcePathStyle: true, credentials },
  ],
  [
    "an address with a path",
    { region: "us-east-1", endpoint: "https://files.example/s3", forcePathStyle: true, credentials },
  ],
  ["AWS, bucket in the host name", { region: "eu-west-1", credentials }],
  [
    "AWS, credentials of a session",
    { region: "eu-west-1", credentials: { ...credentials, sessionToken: "to/k+e=n" } },
  ],
])("createUploadSigner, %s: makes the very link of the SDK's getSignedUrl", async (_, config) => {
  const client = new S3Client({ ...config, requestChecksumCalculation: "WHEN_REQUIRED" });
  const sign = createUploadSigner(client, "documents");
  const signedAt = new Date("2026-01-02T12:00:00.987Z");
  for (const { objectKey } of [aDocument(), aDocument()]) {
    const command = new PutObjectCommand({ Bucket: "documents", Key: objectKey, ContentType: "image/png" });
    const wanted = await getSignedUrl(client, command, {
      expiresIn: 1_800,
      signingDate: signedAt,
      signableHeaders: new Set(["content-type", "host"]),
    });
    expect(await sign(objectKey, { "Content-Type": "image/png" }, signedAt)).toBe(wanted);
    expect(new URL(wanted).searchParams.get("X-Amz-SignedHeaders")).toBe("content-type;host");
  }
  client.destroy();
});

const S3 = "https://s3.eu-west-1.amazonaws.com";
const OWN = "https://documents.s3.eu-west-1.amazonaws.com";
const ACME = "https://documents.acme.io";
test.each([
  ["none of its own", S3, "", false, "documents.s3.eu-west-1.amazonaws.com/a-file"],
  ["the S3 API", S3, S3, false, "documents.s3.eu-west-1.amazonaws.com/a-file"],
  ["the bucket's own address", S3, OWN, false, "documents.s3.eu-west-1.amazonaws.com/a-file"],
  ["another host", S3, "https://files.acme.io", false, "documents.files.acme.io/a-file"],
  ["another host, bucket in the path", S3, "https://files.acme.io", true, "files.acme.io/documents/a-file"],
  ["a host that begins like the bucket", ACME, ACME, false, "documents.documents.acme.io/a-file"],
  ["AWS by no address", "", "", false, "documents.s3.eu-west-1.amazonaws.com/a-file"],
])(
  "the address for partners is %s: links have the bucket once",
  async (_, s3Endpoint, s3PublicEndpoint, s3PathStyle, wanted) => {
    const storage = createStorage({
      s3Endpoint,
      s3PublicEndpoint,
      s3PathStyle,
      s3Region: "eu-west-1",
      s3Bucket: "documents",
      s3AccessKeyId: "KEY",
      s3SecretAccessKey: "SECRET",
    });
    const link = await storage.signUpload("a-file", { "Content-Type": "image/png" }, new Date());
    expect(link.split("?")[0]).toBe(`https://${wanted}`);
    storage.close();
  },
);
