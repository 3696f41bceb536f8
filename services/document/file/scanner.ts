/** Scans files for malware by the INSTREAM command of clamd. An unknown answer counts as a failure. */
import { createConnection, type Socket } from "node:net";
import { unavailable } from "../../../shared/errors.ts";
import type { Metrics } from "../../../shared/telemetry/metrics.ts";
import { readVerdict, type ScanVerdict } from "./scanner.rules.ts";

/** A file in the scanner. Everything fails with Service.Unavailable while the scanner is down. */
type Scan = {
  /** Waits while the scanner is behind. */
  write(bytes: Buffer): Promise<void>;
  /** Verdict on the whole file. */
  verdict(): Promise<ScanVerdict>;
  /** Ends a scan whose verdict is not needed any more. */
  close(): void;
};

export type Scanner = {
  /** Fails immediately for a moment after a failure, so that no queue builds up at a scanner that hangs. */
  refuseIfAway(): void;
  open(signal?: AbortSignal): Scan;
};

export type ScannerAddress = { host: string; port: number };

/** The largest file, on a scanner that is busy; below the lease of the sweep. */
const SCAN_MS = 30_000;
const CONNECT_MS = 3_000;
const REST_MS = 3_000;
const MAX_ANSWER_BYTES = 1_024;
const COMMAND = Buffer.from("zINSTREAM\0");
const NO_MORE = Buffer.alloc(4);

/** For an installation that decided to have none. */
export const NO_SCANNER: Scanner = {
  refuseIfAway: () => undefined,
  open: () => ({
    write: async () => undefined,
    verdict: async () => "clean",
    close: () => undefined,
  }),
};

export function createScanner(
  { host, port }: ScannerAddress,
  metrics: Pick<Metrics, "increment">,
  { withinMs = SCAN_MS, restMs = REST_MS } = {},
): Scanner {
  let restsUntil = Number.NEGATIVE_INFINITY;
  return {
    refuseIfAway() {
      if (performance.now() < restsUntil) throw unavailable("The malware scanner");
    },
    open(signal) {
      const socket = createConnection({ host, port, noDelay: true });
      const ends = AbortSignal.any([AbortSignal.timeout(withinMs), ...(signal ? [signal] : [])]);
      const onEnd = () => socket.destroy(new Error("It took too long."));
      socket.setTimeout(CONNECT_MS, onEnd).once("connect", () => socket.setTimeout(0));
      if (ends.aborted) onEnd();
      ends.addEventListener("abort", onEnd, { once: true });
      const answer = answerOf(socket);
      let isAnswered = false;
      const noteAnswer = () => {
        isAnswered = true;
      };
      answer.then(noteAnswer, noteAnswer);
      socket.write(COMMAND);
      let isCounted = false;
      const failed = (cause: unknown): never => {
        if (!isCounted) metrics.increment("pbo_document_scans_total", { result: "failed" });
        isCounted = true;
        // A caller that had no more time says nothing about the scanner.
        if (!signal?.aborted) restsUntil = performance.now() + restMs;
        throw unavailable("The malware scanner", cause);
      };

      return {
        async write(bytes) {
          // It may refuse before it has all of the file, and then reads no more of it.
          if (isAnswered) return void (await answer.then((text) => readVerdict(text, true)).catch(failed));
          const length = Buffer.alloc(4);
          length.writeUInt32BE(bytes.length);
          socket.write(length);
          if (!socket.write(bytes)) await Promise.race([drained(socket), answer]).catch(failed);
        },
        async verdict() {
          const isEarly = isAnswered;
          socket.write(NO_MORE);
          const verdict = await answer.then((text) => readVerdict(text, isEarly)).catch(failed);
          metrics.increment("pbo_document_scans_total", { result: verdict });
          return verdict;
        },
        close() {
          ends.removeEventListener("abort", onEnd);
          socket.destroy();
        },
      };
    },
  };
}

const drained = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once("drain", resolve));

/** Answer at the close of the connection, possibly before the end of the file. */
function answerOf(socket: Socket): Promise<string> {
  let heard = "";
  return new Promise((resolve, reject) => {
    let failure: Error | null = null;
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      heard = (heard + text).slice(0, MAX_ANSWER_BYTES);
      if (heard.includes("\0")) resolve(heard);
    });
    socket.on("error", (error) => {
      failure = error;
    });
    socket.on("close", () => (heard ? resolve(heard) : reject(failure ?? new Error("It said nothing."))));
  });
}
