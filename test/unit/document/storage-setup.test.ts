/** The written-down set-up of a bucket says what the service relies on. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { copyKey } from "../../../services/document/document.rules.ts";
import { MAX_SIZE_BYTES } from "../../../shared/contract/answers/document.ts";
import { UPLOAD_LINK_SECONDS } from "../../../shared/contract/durations.ts";
import { randomId } from "../../../shared/ids.ts";
import { CONSUMERS, storageSubject } from "../../../shared/jetstream/streams.ts";
import { aDocument } from "../../support/builders/a-document.ts";

type Days = { NoncurrentDays: number };

const folder = join(import.meta.dirname, "../../../deploy/storage");
const read = (file: string): string => readFileSync(join(folder, file), "utf8");
const policy = (file: string) => JSON.parse(read(file)).Statement;

test("the document service may do what it does, and nothing else", () => {
  expect(policy("aws/iam-policy.json").flatMap((row: { Action: string[] }) => row.Action)).toEqual([
    "s3:PutObject",
    "s3:GetObject",
    "s3:GetObjectVersion",
    "s3:DeleteObject",
    "s3:GetBucketLocation",
    "s3:ListBucket",
  ]);
});

test("the bucket allows nobody anything, and denies plain HTTP and links older than ours", () => {
  const statements = policy("aws/bucket-policy.json");
  expect(statements.map(({ Effect }: { Effect: string }) => Effect)).toEqual(["Deny", "Deny"]);
  const [tls, age] = statements;
  expect(tls.Condition).toEqual({ Bool: { "aws:SecureTransport": "false" } });
  expect(age.Condition.NumericGreaterThan["s3:signatureAge"]).toBe(String(UPLOAD_LINK_SECONDS * 1_000));
});

test("old versions age out when backups do, on either storage", () => {
  const [rule] = JSON.parse(read("aws/lifecycle.json")).Rules;
  const { NoncurrentDays: days } = rule.NoncurrentVersionExpiration;
  expect(rule).toMatchObject({ Status: "Enabled", Expiration: { ExpiredObjectDeleteMarker: true } });
  expect(read("README.md")).toContain(`--noncurrent-expire-days ${days} --expire-delete-marker`);
  expect(read("../docs/disaster-recovery.md")).toContain(`kept ${days} days and no longer`);
});

test("old versions under upload keys go within a day, those of examined copies stay, on either storage", () => {
  type Rule = { Filter: { Prefix?: string; ObjectSizeGreaterThan?: number } } & Record<string, unknown>;
  const rules: Rule[] = JSON.parse(read("aws/lifecycle.json")).Rules;
  /** S3 obeys the shortest of the rules that a key has. */
  const daysOf = (key: string) =>
    Math.min(
      ...rules
        .filter(({ Filter }) => !Filter.ObjectSizeGreaterThan && key.startsWith(Filter.Prefix ?? ""))
        .map(({ NoncurrentVersionExpiration }) => (NoncurrentVersionExpiration as Days).NoncurrentDays),
    );
  const upload = aDocument().objectKey;
  expect([daysOf(upload), daysOf(copyKey(upload, randomId()))]).toEqual([1, 35]);
  // A current version may be a file that waits for the scanner: no rule by prefix ends it.
  const byPrefix = rules.filter(({ Filter }) => Filter.Prefix);
  expect(byPrefix.map(({ Status, Expiration }) => [Status, Expiration])).toEqual([["Enabled", undefined]]);
  expect(read("README.md")).toContain(`--prefix ${byPrefix[0]?.Filter.Prefix} --noncurrent-expire-days 1 `);
});

test("files above the limit go within a day with all their versions, on either storage", () => {
  const [, , rule] = JSON.parse(read("aws/lifecycle.json")).Rules;
  expect(rule).toMatchObject({
    Status: "Enabled",
    Filter: { ObjectSizeGreaterThan: MAX_SIZE_BYTES },
    Expiration: { Days: 1 },
    NoncurrentVersionExpiration: { NoncurrentDays: 1 },
  });
  const mib = MAX_SIZE_BYTES / 1024 ** 2;
  expect(read("README.md")).toContain(`--size-gt ${mib}MiB --expire-days 1 --noncurrent-expire-days 1 `);
});

test("arrivals and removals are told, to a queue that only this bucket can write to", () => {
  const [queue] = JSON.parse(read("aws/notification.json")).QueueConfigurations;
  expect(queue.Events).toEqual(["s3:ObjectCreated:*", "s3:ObjectRemoved:*"]);
  const [allowed, ...others] = JSON.parse(JSON.parse(read("aws/queue-attributes.json")).Policy).Statement;
  expect(others).toEqual([]);
  expect(allowed).toMatchObject({
    Action: "sqs:SendMessage",
    Resource: queue.QueueArn,
    Condition: { ArnEquals: { "aws:SourceArn": "arn:aws:s3:::documents" } },
  });
});

test("MinIO and the bridge publish to the subject that the service consumes", () => {
  const subject = storageSubject("");
  expect(read("README.md")).toContain(`MINIO_NOTIFY_NATS_SUBJECT_PBO=${subject}\n`);
  expect(read("README.md")).toContain("MINIO_NOTIFY_NATS_JETSTREAM_PBO=on");
  expect(read("aws/sqs-to-nats.yaml")).toContain(`    subject: ${subject}\n`);
  expect(subject.startsWith(CONSUMERS.documentArrival.filterSubject.replace(">", ""))).toBe(true);
});
