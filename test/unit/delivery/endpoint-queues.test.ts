import { describe, expect, test } from "@jest/globals";
import {
  type AttemptTask,
  createEndpointQueues,
} from "../../../services/delivery/endpoint/endpoint-queues.ts";

const aTask = (given: Partial<AttemptTask>): AttemptTask => ({
  ...{ deliveryId: "d", endpointId: "a", priority: "attempt", drop: () => undefined },
  send: async () => async () => undefined,
  ...given,
});
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Tasks that end when the test says so, and a clock it moves. */
function aScene(options: Partial<Parameters<typeof createEndpointQueues>[0]> = {}) {
  let now = 0;
  const started: string[] = [];
  const errors: unknown[] = [];
  const ends = new Map<string, () => void>();
  const dropped: string[] = [];
  const recorded: string[] = [];
  /** Outcomes are stored immediately, unless the test delays them. */
  const storing = { promise: Promise.resolve(), resolve: (): void => undefined };
  const queues = createEndpointQueues({
    maxInFlight: 100,
    maxPerEndpoint: 4,
    nowMs: () => now,
    onError: (error) => void errors.push(error),
    ...options,
  });
  let made = 0;
  const offer = (endpointId: string, priority: AttemptTask["priority"] = "attempt"): string | null => {
    made += 1;
    const deliveryId = `${endpointId}-${priority}-${made}`;
    const task: AttemptTask = {
      deliveryId,
      endpointId,
      priority,
      send() {
        started.push(deliveryId);
        return new Promise((resolve) => {
          ends.set(deliveryId, () =>
            resolve(() => {
              recorded.push(deliveryId);
              return storing.promise;
            }),
          );
        });
      },
      drop: () => void dropped.push(deliveryId),
    };
    return queues.offer(task) ? deliveryId : null;
  };
  return {
    queues,
    errors,
    started,
    dropped,
    recorded,
    offer,
    holdStoring: () => void Object.assign(storing, Promise.withResolvers<void>()),
    store: () => storing.resolve(),
    pass: (ms: number) => {
      now += ms;
    },
    async end(deliveryId: string) {
      ends.get(deliveryId)?.();
      await turn();
    },
  };
}

describe("endpoint queues", () => {
  test("a process with a full queue takes only a first attempt of an endpoint without one", () => {
    const { offer, queues } = aScene({ maxInFlight: 1, maxPerEndpoint: 1 });
    for (let of = 0; of < 20; of += 1) expect(offer(`e${of}`)).not.toBeNull();
    expect(queues.held()).toBe(20);
    expect([queues.room("e0", "attempt"), offer("e0")]).toEqual([0, null]);
    expect(offer("another")).not.toBeNull();
  });

  test("an endpoint has at most its bound in flight; the next attempt starts when one ends", async () => {
    const scene = aScene();
    const ids = Array.from({ length: 6 }, () => scene.offer("a") ?? "");
    expect(scene.started).toEqual(ids.slice(0, 4));
    await scene.end(ids[0] ?? "");
    expect(scene.started).toEqual(ids.slice(0, 5));
  });

  test("an endpoint that hangs takes what it can and refuses the rest; another is not touched by it", () => {
    const scene = aScene();
    for (let i = 0; i < 4; i += 1) expect(scene.offer("dead")).not.toBeNull();
    scene.pass(10_000);
    expect(scene.offer("dead")).toBeNull();
    const healthy = scene.offer("healthy") ?? "";
    expect(scene.started).toContain(healthy);
  });

  test("the average duration of an endpoint is kept while it is idle", async () => {
    const scene = aScene();
    scene.pass(1_500);
    const id = scene.offer("slow") ?? "";
    // A request that just began says nothing yet.
    expect(scene.queues.room("slow", "attempt")).toBe(43);
    scene.pass(8_000);
    await scene.end(id);
    expect(scene.queues.held()).toBe(0);
    expect(scene.queues.room("slow", "attempt")).toBe(4);
    expect(scene.queues.room("new", "attempt")).toBeGreaterThan(4);
  });

  test("a replay waits for everything else of its endpoint, and takes at most half of it", async () => {
    const scene = aScene();
    const replays = Array.from({ length: 4 }, () => scene.offer("a", "replay") ?? "");
    expect(scene.started).toEqual(replays.slice(0, 2));
    const first = scene.offer("a") ?? "";
    const second = scene.offer("a") ?? "";
    expect(scene.started).toEqual([...replays.slice(0, 2), first, second]);
    const third = scene.offer("a") ?? "";
    await scene.end(replays[0] ?? "");
    expect(scene.started.at(-1)).toBe(third);
  });

  test("a copy of a held attempt is refused", () => {
    const scene = aScene();
    const id = scene.offer("a") ?? "";
    expect(scene.queues.holds(id)).toBe(true);
    expect(scene.queues.offer(aTask({ deliveryId: id }))).toBe(false);
  });

  test("a slot is free after the answer; the attempt is held until its outcome is stored", async () => {
    const scene = aScene({ maxPerEndpoint: 1 });
    const [first, second] = [scene.offer("a") ?? "", scene.offer("a") ?? ""];
    scene.holdStoring();
    await scene.end(first);
    expect(scene.recorded).toEqual([first]);
    expect(scene.started).toEqual([first, second]);
    expect(scene.queues.holds(first)).toBe(true);
    scene.store();
    await turn();
    expect(scene.queues.holds(first)).toBe(false);
  });

  test("while the process stores an outcome per slot, only an endpoint without a request starts one, up to twice the limit", async () => {
    const scene = aScene({ maxInFlight: 2, maxPerEndpoint: 2 });
    const [first, second] = [scene.offer("a") ?? "", scene.offer("a") ?? ""];
    const waiting = scene.offer("a") ?? "";
    scene.holdStoring();
    await scene.end(first);
    expect(scene.started).toEqual([first, second, waiting]);
    await scene.end(second);
    const more = scene.offer("a");
    const other = scene.offer("b") ?? "";
    expect(scene.started).toEqual([first, second, waiting, other]);
    scene.store();
    await turn();
    expect(scene.started).not.toContain(more);
    await scene.end(waiting);
    expect(scene.started).toContain(more);
  });

  test("storing an outcome takes long: the endpoint does not count as one that hangs", async () => {
    const scene = aScene({ maxInFlight: 4 });
    const ids = [scene.offer("a") ?? "", scene.offer("b") ?? "", scene.offer("c") ?? ""];
    scene.holdStoring();
    for (const id of ids) await scene.end(id);
    scene.pass(10_000);
    expect(scene.queues.room("a", "attempt")).toBeGreaterThan(0);
  });

  test("an outcome that cannot be recorded is reported; its slot is free, and the process lives", async () => {
    const scene = aScene({ maxPerEndpoint: 1 });
    const store = () => Promise.reject(new Error("a fault of ours"));
    scene.queues.offer(aTask({ deliveryId: "failed", send: async () => store }));
    const next = scene.offer("a");
    await turn();
    expect(scene.errors).toEqual([new Error("a fault of ours")]);
    expect(scene.started).toEqual([next]);
    expect(scene.queues.holds("failed")).toBe(false);
  });

  test("an announced delivery takes room until it arrives, or for two seconds", () => {
    const scene = aScene();
    const before = scene.queues.room("a", "attempt");
    scene.queues.announce("a", 3);
    expect(scene.queues.room("a", "attempt")).toBe(before - 3);
    scene.offer("a");
    expect(scene.queues.room("a", "attempt")).toBe(before - 3);
    scene.pass(1_999);
    expect(scene.queues.room("a", "attempt")).toBe(before - 3);
    scene.pass(1);
    expect(scene.queues.room("b", "attempt")).toBe(before);
    scene.queues.announce("b", 1);
    expect(scene.queues.room("b", "attempt")).toBe(before - 1);
    scene.pass(2_000);
    expect(scene.queues.room("b", "attempt")).toBe(before);
    scene.queues.announce("b", 2);
    scene.queues.announce("b", 2);
    expect(scene.queues.room("b", "attempt")).toBe(before - 4);
  });

  test("room excludes attempts under way and waiting; the last free place is taken, waiting replays make way", async () => {
    const { offer, queues, end, pass } = aScene();
    const room = () => [queues.room("a", "attempt"), queues.room("a", "replay")];
    pass(1_000);
    expect(room()).toEqual([44, 22]);
    const ids = Array.from({ length: 6 }, () => offer("a") ?? "");
    expect(room()).toEqual([38, 16]);
    pass(100);
    await end(ids[0] ?? "");
    expect(room()).toEqual([39, 17]);
    const taken = Array.from({ length: 40 }, () => offer("a") !== null);
    expect([taken.filter(Boolean).length, taken.at(-1)]).toEqual([39, false]);
    const replays = aScene();
    for (let i = 0; i < 4; i += 1) replays.offer("a", "replay");
    expect([replays.queues.room("a", "attempt"), replays.queues.room("a", "replay")]).toEqual([42, 18]);
  });

  test("a slow endpoint that takes one request at a time: one replay; of two at a time, still one", async () => {
    const slow = aScene({ maxPerEndpoint: 1 });
    const id = slow.offer("a") ?? "";
    slow.pass(8_000);
    await slow.end(id);
    expect(slow.queues.room("a", "replay")).toBe(1);
    const two = aScene({ maxPerEndpoint: 2 });
    const replays = [two.offer("a", "replay"), two.offer("a", "replay")];
    expect(two.started).toEqual(replays.slice(0, 1));
  });

  test("a hanging endpoint in a nearly full process has no room", () => {
    const { offer, queues, pass } = aScene({ maxInFlight: 4 });
    for (const endpoint of ["a", "b", "c"]) offer(endpoint);
    pass(2_000);
    expect([queues.room("a", "attempt"), queues.room("a", "replay")]).toEqual([-1, 0]);
  });

  test("an idle endpoint leaves its share to others", async () => {
    const { offer, started, end } = aScene({ maxInFlight: 8 });
    await end(offer("a") ?? "");
    for (let i = 0; i < 4; i += 1) offer("b");
    expect(started).toHaveLength(5);
  });

  test("the process is full: one of each endpoint up to twice its limit, others when it is below its limit", async () => {
    const scene = aScene({ maxInFlight: 4 });
    const ids = ["a", "a", "b", "b", "c", "c", "d", "e", "f", "g"].map(
      (endpoint) => scene.offer(endpoint) ?? "",
    );
    const [secondOfC = "", ofG = ""] = [ids[5], ids[9]];
    const running = ids.filter((id) => id !== secondOfC && id !== ofG);
    expect(scene.started).toEqual(running);
    for (const id of running.filter((each) => !each.startsWith("c")).slice(0, 4)) await scene.end(id);
    expect(scene.started).toEqual(running);
    await scene.end(running.find((id) => id.startsWith("d")) ?? "");
    expect(scene.started).toEqual([...running, secondOfC]);
    await scene.end(running.find((id) => id.startsWith("e")) ?? "");
    expect(scene.started).toEqual([...running, secondOfC, ofG]);
  });

  test("an endpoint is forgotten: waiting attempts are dropped silently, attempts under way go on", async () => {
    const scene = aScene({ maxPerEndpoint: 1 });
    const [running, waiting, other] = [
      scene.offer("a") ?? "",
      scene.offer("a") ?? "",
      scene.offer("b") ?? "",
    ];
    const replay = scene.offer("a", "replay") ?? "";
    scene.queues.forget("a");
    scene.queues.forget("none");
    expect([running, waiting, replay, other].map(scene.queues.holds)).toEqual([true, false, false, true]);
    await scene.end(running);
    expect([scene.started, scene.recorded, scene.dropped]).toEqual([[running, other], [running], []]);
  });

  test("the attempts in flight of one endpoint", () => {
    const { offer, queues } = aScene();
    const ids = [offer("a"), offer("b"), offer("a")];
    expect(queues.heldIds("a")).toEqual([ids[0], ids[2]]);
  });

  test("stop: waiting attempts are dropped, attempts under way are awaited, no attempt starts", async () => {
    const scene = aScene({ maxPerEndpoint: 1 });
    const [running, waiting] = [scene.offer("a") ?? "", scene.offer("a") ?? ""];
    const replay = scene.offer("a", "replay") ?? "";
    let isStopped = false;
    const stopped = scene.queues.stop().then(() => {
      isStopped = true;
    });
    expect(scene.dropped).toEqual([waiting, replay]);
    expect([running, waiting, replay].map(scene.queues.holds)).toEqual([true, false, false]);
    expect(scene.offer("a")).toBeNull();
    scene.holdStoring();
    await scene.end(running);
    expect(isStopped).toBe(false);
    scene.store();
    await stopped;
    expect(scene.started).toEqual([running]);
  });
});
