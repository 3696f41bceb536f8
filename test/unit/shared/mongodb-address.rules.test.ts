/** The address is read by MongoDB's own driver, which is who will read it. */
import { describe, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import {
  type MongodbParts,
  mongodbAddress,
  mongodbAddressProblems,
} from "../../../shared/config/mongodb-address.rules.ts";

const NOTHING: MongodbParts = {
  env: "production",
  mongodbUri: "",
  mongodbHosts: [],
  mongodbUser: "",
  mongodbPassword: "",
  mongodbReplicaSet: "",
  mongodbCaFile: "",
  mongodbPoolSize: 1,
};
const HOSTS = ["m-0.db:27017", "m-1.db:27017", "m-2.db:27017"];
const PARTS = { ...NOTHING, mongodbHosts: HOSTS, mongodbUser: "profile", mongodbPassword: "sesame" };

const read = (uri: string) => {
  const { hosts, credentials, tls, replicaSet, ...rest } = new mongoose.mongo.MongoClient(uri).options;
  return { hosts: hosts.map(String), credentials, tls, replicaSet, ca: Reflect.get(rest, "tlsCAFile") };
};

describe("mongodbAddress", () => {
  test.each(["a/b+c==", "p@ss:word?x=1&y#z%41", "ü 漢 \"'\\", "[::1]"])(
    "a password that holds %s: the driver reads it as it was",
    (mongodbPassword) => {
      const { credentials, hosts } = read(mongodbAddress({ ...PARTS, mongodbPassword }));
      expect(credentials).toMatchObject({ username: "profile", password: mongodbPassword, source: "admin" });
      expect(hosts).toEqual(HOSTS);
      expect(mongodbAddress(PARTS)).toContain("authSource=admin");
    },
  );

  test("put into an address as it is, such a password breaks it", () => {
    expect(() => read(`mongodb://profile:a/b+c==@${HOSTS.join(",")}/?tls=true`)).toThrow();
  });

  test("set and CA: named to the driver; production speaks TLS also without a CA of its own", () => {
    const own = { ...PARTS, mongodbReplicaSet: "rs0", mongodbCaFile: "/etc/pbo/ca/mongodb.crt" };
    expect(read(mongodbAddress(own))).toMatchObject({ tls: true, replicaSet: "rs0" });
    expect(mongodbAddress(own)).toContain(`tlsCAFile=${encodeURIComponent("/etc/pbo/ca/mongodb.crt")}`);
    expect(read(mongodbAddress(PARTS))).toMatchObject({ tls: true });
    expect(mongodbAddress({ ...PARTS, env: "local" })).not.toContain("tls");
    expect(mongodbAddress({ ...own, env: "local" })).toContain("tls=true");
  });

  test("without a user: none in the address", () => {
    expect(mongodbAddress({ ...NOTHING, env: "local", mongodbHosts: ["127.0.0.1"] })).toBe(
      "mongodb://127.0.0.1/?",
    );
  });

  test("given as one address: that address", () => {
    expect(mongodbAddress({ ...NOTHING, mongodbUri: "mongodb://a/?tls=true" })).toBe("mongodb://a/?tls=true");
  });
});

describe("mongodbAddressProblems", () => {
  test.each<[string, MongodbParts, RegExp[]]>([
    ["one address", { ...NOTHING, mongodbUri: "mongodb://a" }, []],
    ["parts", PARTS, []],
    ["neither", NOTHING, [/^PBO_MONGODB_URI is required, or PBO_MONGODB_HOSTS/]],
    ["both", { ...PARTS, mongodbUri: "mongodb://a" }, [/are both set; keep one$/]],
    ["both, one host", { ...PARTS, mongodbUri: "mongodb://a", mongodbHosts: ["m"] }, [/are both set/]],
    ["no user in production", { ...NOTHING, mongodbHosts: HOSTS }, [/^PBO_MONGODB_USER and/]],
    ["no user locally", { ...NOTHING, env: "local", mongodbHosts: HOSTS }, []],
    ["no password", { ...PARTS, env: "local", mongodbPassword: "" }, [/^PBO_MONGODB_USER and/]],
    ["a password for nobody", { ...PARTS, env: "local", mongodbUser: "" }, [/^PBO_MONGODB_USER and/]],
  ])("%s", (_what, parts, expected) => {
    expect(mongodbAddressProblems(parts)).toEqual(expected.map((text) => expect.stringMatching(text)));
  });
});
