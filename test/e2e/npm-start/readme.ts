/** The section "Try it in two minutes" of the README, typed to the letter into three terminals. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { childEnv } from "../../../deploy/lib/child-env.ts";
import { projectDir } from "../../../deploy/lib/paths.ts";
import { waitFor } from "../../support/wait-for.ts";
import { demo, stateDir } from "./state.ts";

const readme = readFileSync(join(projectDir, "README.md"), "utf8");
const section = readme.slice(readme.indexOf("## Try it"), readme.indexOf("## How it is built"));
const blocks = (language: string): string[] =>
  [...section.matchAll(/```(\w*)\n([\s\S]*?)```/g)]
    .filter(([, tag]) => tag === language)
    .map(([, , text = ""]) => text);
const [start = "", receive = "", create = "", status = ""] = blocks("sh");
const [webhookLine = ""] = blocks("");

const UP_WITHIN_MS = 240_000;
const SHOWN_WITHIN_MS = 120_000;
/** The port that the README names. A test takes a free one, and this is the only thing it changes in a command. */
const README_URL = "http://localhost:3000";
const here = (text: string): string => text.replaceAll(README_URL, demo().baseUrl);

type Terminal = { type(commands: string): void; output(): string; close(): Promise<void> };

/** A shell that reads what is typed, in a process group of its own, so that Ctrl-C reaches all that it runs. */
function openTerminal(): Terminal {
  const shell: ChildProcess = spawn("sh", [], {
    cwd: projectDir,
    detached: true,
    env: childEnv({ PBO_TEST_STATE_DIR: stateDir, PBO_PORT: "0" }),
  });
  // Closed when everything that the shell started is gone, not only the shell.
  const closed = once(shell, "close");
  let text = "";
  for (const stream of [shell.stdout, shell.stderr])
    stream?.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
    });
  return {
    type: (commands) => void shell.stdin?.write(commands),
    output: () => text,
    async close() {
      shell.stdin?.end();
      if (shell.pid && shell.exitCode === null) process.kill(-shell.pid, "SIGINT");
      await closed;
    },
  };
}

/** Waits for something on the screen; when it never comes, the test fails with what is there instead. */
const shows = <T>(terminal: Terminal, find: (output: string) => T, timeoutMs = SHOWN_WITHIN_MS) =>
  waitFor(() => find(terminal.output()), { timeoutMs, what: "the terminal" }).catch((error) => {
    throw new Error(`${error.message}\n${terminal.output()}`);
  });

/** Types commands into a new terminal and waits until they are done. */
async function run(commands: string): Promise<string> {
  const terminal = openTerminal();
  terminal.type(`${commands}\necho "done: $?"\n`);
  await shows(terminal, (output) => /done: \d+/.test(output));
  await terminal.close();
  return terminal.output();
}

const terminals: Terminal[] = [];
const open = (): Terminal => {
  const terminal = openTerminal();
  terminals.push(terminal);
  return terminal;
};

afterAll(async () => {
  for (const terminal of terminals.reverse()) await terminal.close();
});

test("before anything runs, every command says what to do", async () => {
  const commands = ["npm run --silent token", "npm run --silent demo", "npm run --silent receiver"];
  for (const output of await Promise.all(commands.map(run)))
    expect(output).toMatch(/Run npm start in another terminal.*\ndone: 1/);
});

describe("after npm start", () => {
  beforeAll(async () => {
    expect(blocks("sh")).toHaveLength(4);
    expect(start).toBe("npm ci && npm start\n");
    const first = open();
    // npm ci has been run: it would remove the packages that this very test uses.
    first.type(start.replace("npm ci && ", ""));
    await shows(first, (output) => output.includes("is running."), UP_WITHIN_MS);
    expect(first.output()).toContain(here(`${README_URL}/docs`));
  });

  test("the documentation opens, the customer is created, its webhook arrives verified, the status is there", async () => {
    const [, docs = ""] = /<(\S+)>/.exec(section) ?? [];
    expect((await fetch(here(docs))).status).toBe(200);

    const second = open();
    second.type(receive);
    await shows(second, (output) => output.includes("Listening on"));

    const third = open();
    third.type(here(create));
    const customerId = await shows(third, (output) => /"customerId":"([^"]+)"/.exec(output)?.[1]);

    const [, shown = ""] = /^\d\d:\d\d:\d\d\.\d{3} (.+)\n$/.exec(webhookLine) ?? [];
    expect(shown).toMatch(/ verified /);
    await shows(second, (output) => output.includes(shown) && output.includes(customerId));

    const asked = third.output().length;
    third.type(here(status));
    const answer = await shows(third, (output) => /\{"isSuccess.*\}/.exec(output.slice(asked))?.[0]);
    expect(JSON.parse(answer)).toMatchObject({
      isSuccess: true,
      value: { customerId, verificationStatus: "PendingVerification", reviewStage: "Queued" },
    });
  });

  test("npm run demo goes from the token to the verified webhooks, and leaves the receiver its own", async () => {
    const output = await run("npm run demo");
    for (const type of ["business.profile.created", "business.person.added", "business.document.confirmed"])
      expect(output).toContain(`${type} verified → 200`);
    expect(output).toContain("done: 0");
    expect(terminals[1]?.output()).not.toContain("business.document.confirmed");
  });
});
