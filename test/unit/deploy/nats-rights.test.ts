/** The rights of NATS users name the streams, consumers and broadcasts of the code. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { accountsConfig, rpcPermissions, streamsPermissions } from "../../../deploy/nats/permissions.ts";
import { BROADCASTS, STREAM_RIGHTS } from "../../../deploy/nats/rights.ts";
import { SERVICE_NAMES } from "../../../shared/config/config.ts";
import { CONSUMERS } from "../../../shared/jetstream/streams.ts";

const source = (name: string) =>
  readFileSync(join(import.meta.dirname, `../../../services/${name}/${name}.service.ts`), "utf8");

test.each(SERVICE_NAMES)("%s ensures the streams and consumers that its rights name", (name) => {
  const declared = (field: string, table: string) =>
    [
      ...(new RegExp(`${field}: \\[([^\\]]*)\\]`).exec(source(name))?.[1] ?? "").matchAll(
        new RegExp(`${table}\\.(\\w+)`, "g"),
      ),
    ].map(([, key]) => key);
  expect(declared("streams", "STREAMS")).toEqual(STREAM_RIGHTS[name].streams);
  const specs = declared("consumers", "CONSUMERS").map((key) => CONSUMERS[key as keyof typeof CONSUMERS]);
  expect(specs).toEqual(STREAM_RIGHTS[name].consumers);
});

test("every broadcast of the code is in the table", () => {
  const files = (name: string) => globSync(join(import.meta.dirname, `../../../services/${name}/**/*.ts`));
  const senders = SERVICE_NAMES.filter((name) =>
    files(name).some((file) => readFileSync(file, "utf8").includes("broker.broadcast(")),
  );
  expect(senders.sort()).toEqual([...new Set(BROADCASTS.map(({ from }) => from))].sort());
});

test("without a namespace the subjects are those of production", () => {
  expect(streamsPermissions("delivery").publish).toContain(
    "$JS.API.CONSUMER.MSG.NEXT.EVENTS.delivery-record",
  );
  expect(rpcPermissions("gateway").publish).toContain("MOL.REQ.gateway.profile.get.profile.>");
});

test("a user without a password stops the making of the file", () => {
  const without = accountsConfig(new Map([["gateway", "x"]]));
  return expect(without).rejects.toThrow("No password for the NATS user admin");
});
