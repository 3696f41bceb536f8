/** A shared proxy recognises the process at the other end of a connection. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { expect, test } from "@jest/globals";
import { startJunction } from "../../support/servers/junction.ts";
import { listen } from "../../support/servers/listen.ts";
import { waitFor } from "../../support/wait-for.ts";

/** Says when its connection is open, and when it was reset. */
const CHILD = `const socket = require("node:net").connect(Number(process.argv[1]), "127.0.0.1");
  socket.on("data", () => process.stdout.write("open ")).on("error", () => process.stdout.write("reset "));
  socket.write("hello");`;

test("a wire is of one process: its reset leaves the connections of another alone", async () => {
  const server = await listen(createServer((socket) => socket.pipe(socket)));
  let childPid: number | null = null;
  const junction = await startJunction(server.port, () => [
    { name: "child", pid: () => childPid },
    { name: "own", pid: () => process.pid },
  ]);
  const child = spawn(process.execPath, ["-e", CHILD, String(junction.port)], { stdio: "pipe" });
  childPid = child.pid ?? null;
  let said = "";
  child.stdout.on("data", (text) => {
    said += text;
  });
  const own = connect(junction.port, "127.0.0.1");
  try {
    await waitFor(() => said === "open ", "a connection of the child");
    junction.wire("child").cut();
    await waitFor(() => said === "open reset ", "its reset");
    own.write("still here");
    expect(String(await once(own, "data"))).toBe("still here");
    expect([junction.wire("own").connections(), junction.wire("child").connections()]).toEqual([1, 0]);
  } finally {
    own.destroy();
    child.kill("SIGKILL");
    await junction.close();
    await server.close();
  }
});

test("a process without a name has no way to the server", async () => {
  const server = await listen(createServer((socket) => socket.pipe(socket)));
  const junction = await startJunction(server.port, () => []);
  const own = connect(junction.port, "127.0.0.1");
  const [error] = await once(own, "error");
  expect((error as NodeJS.ErrnoException).code).toBe("ECONNRESET");
  await junction.close();
  await server.close();
});
