/** Jest's environment for tests with servers: the worker's own globals, no virtual machine. */

export default class NativeEnvironment {
  readonly global = globalThis;
  readonly #console = globalThis.console;
  readonly #exit = process.exit;

  /**
   * Jest has installed stack traces that look for source maps. Stripped types need none. Jest also keeps a hundred
   * frames of every error, and every expect makes an error: a twentieth of the work.
   */
  async setup(): Promise<void> {
    Reflect.deleteProperty(Error, "prepareStackTrace");
    Error.stackTraceLimit = 10;
  }

  /** Jest puts its own console and exit into every environment. Without the reset they would accumulate. */
  async teardown(): Promise<void> {
    globalThis.console = this.#console;
    process.exit = this.#exit;
  }

  getVmContext(): null {
    return null;
  }

  exportConditions(): string[] {
    return ["node", "node-addons"];
  }
}
