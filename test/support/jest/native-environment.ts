/** Jest's environment for tests with servers: the worker's own globals, no virtual machine. */

export default class NativeEnvironment {
  readonly global = globalThis;
  readonly #console = globalThis.console;
  readonly #exit = process.exit;

  /**
   * Jest's own stack traces, which it has installed by now, look for source maps; stripped types need none. It also keeps
   * a hundred frames of every error: a twentieth of the work, as every expect makes one.
   */
  async setup(): Promise<void> {
    Reflect.deleteProperty(Error, "prepareStackTrace");
    Error.stackTraceLimit = 10;
  }

  /** Jest puts its own console and exit into every environment; here they would pile up. */
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
