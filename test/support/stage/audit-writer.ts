/** A process that writes audit entries, half of them with a change, until it is killed; prints the number of each. */
import { createMongo } from "../../../shared/mongo/mongo.ts";
import { auditTrail } from "../../../shared/stores/audit-trail.repository.ts";

const [mongodbUri = "", namespace = "", key = ""] = process.argv.slice(2);
const mongo = createMongo({ mongodbUri, mongodbPoolSize: 5, namespace, process: "profile" });
await mongo.connect();
const audit = auditTrail(mongo.connection, {
  service: "profile",
  clock: { now: Date.now },
  keys: [{ id: "k1", key: Buffer.from(key, "base64") }],
  retentionDays: 30,
});
const marks = mongo.connection.collection("marks");
const fact = (subject: string) => ({ action: "a", subject, partnerId: null, before: null, after: null });

for (let n = 0; ; n += 4) {
  await Promise.all([
    audit.asked({}, fact(`${n}`)),
    audit.asked({}, fact(`${n + 1}`)),
    ...[2, 3].map((more) =>
      audit.change({}, async (session) => {
        await marks.insertOne({ n: n + more }, { session });
        return { value: null, fact: fact(`${n + more}`) };
      }),
    ),
  ]);
  process.stdout.write(`${n}\n`);
}
