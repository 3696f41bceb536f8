/** The operator's command line without the time that a process takes to start. */
import { type RunDeps, runAdmin } from "../../../deploy/admin/run.ts";

export type AdminResult = { code: number; out: string; err: string };
type Call = Awaited<ReturnType<RunDeps["connect"]>>["call"];

/** As an operator with a name, unless the command line has one. */
export async function adminCommand(call: Call, given: readonly string[], stdin = ""): Promise<AdminResult> {
  const args = given.includes("--operator") ? given : [...given, "--operator", "tester"];
  const result = { code: 0, out: "", err: "" };
  result.code = await runAdmin(
    {
      connect: async () => ({ call, close: async () => undefined }),
      readStdin: async () => stdin,
      out: (text) => {
        result.out += `${text}\n`;
      },
      err: (text) => {
        result.err += `${text}\n`;
      },
    },
    args,
  );
  return result;
}
