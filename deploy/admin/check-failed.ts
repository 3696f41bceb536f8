/** A command that checks something found it wrong. */
export class CheckFailed extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = "CheckFailed";
    this.code = code;
  }
}
