/** A request and its answer, bounded in time and in bytes read, whatever the receiver does. */
import type { Dispatcher } from "undici";
import { EXCERPT_BYTES } from "../records/attempt-outcome.rules.ts";
import { SendFault } from "./sender-faults.ts";

export type Reply = {
  statusCode: number;
  retryAfter: string | readonly string[] | undefined;
  body: Uint8Array;
};

/** The status is the answer; the rest of the body is not worth the whole deadline. */
const BODY_WAIT_MS = 5_000;

export class Exchange implements Dispatcher.DispatchHandler {
  readonly reply: Promise<Reply>;
  /** Set by the client: the request goes out on a connection that was open before. */
  usesKeptConnection = false;

  readonly #resolve: (reply: Reply) => void;
  readonly #reject: (error: Error) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #deadline: NodeJS.Timeout;
  #bodyDeadline: NodeJS.Timeout | undefined;
  #head: Omit<Reply, "body"> | null = null;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #isOver = false;

  constructor(timeoutMs: number) {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    this.reply = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#deadline = setTimeout(() => this.stop(new SendFault("Timeout", "deadline passed")), timeoutMs);
  }

  /** Ends the exchange now: with the answer if its head is known, otherwise with this error. */
  stop(error: Error): void {
    this.#end(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new SendFault("Timeout", "too late to send"));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    const isInterim = statusCode < 200;
    if (isInterim || this.#isOver) return;
    this.#head = { statusCode, retryAfter: headers["retry-after"] };
    // Most bodies come in the same packet as their head: they need no timer.
    queueMicrotask(() => this.#waitForBody());
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    // A copy: the parser reuses its memory for the next chunk.
    const wanted = new Uint8Array(chunk.subarray(0, EXCERPT_BYTES - this.#size));
    this.#chunks.push(wanted);
    this.#size += wanted.byteLength;
    if (this.#size >= EXCERPT_BYTES) this.stop(new Error("read enough"));
  }

  onResponseEnd(): void {
    // No error for the usual end: creating one captures a stack.
    this.#end(this.#head ? null : new Error("ended without an answer"));
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#end(error);
  }

  #waitForBody(): void {
    if (this.#isOver) return;
    this.#bodyDeadline = setTimeout(() => this.stop(new SendFault("Timeout", "body too slow")), BODY_WAIT_MS);
  }

  #end(error: Error | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#deadline);
    clearTimeout(this.#bodyDeadline);
    if (this.#head) this.#resolve({ ...this.#head, body: Buffer.concat(this.#chunks) });
    else this.#reject(error ?? new Error("no answer"));
  }
}
