import v8 from "node:v8";
import vm from "node:vm";
import type { RunnerEvent } from "../../tasks/ports.ts";
import { describe, expect, test } from "vitest";
import { runInFront, type QueryEnd, type QueryEvents } from "./run-in-front.ts";

interface Started {
  handOver: AbortController;
  taken: string[];
  end: Promise<QueryEnd>;
}

const never = new AbortController().signal;

function start(events: QueryEvents, signal = never): Started {
  const taken: string[] = [];
  const handOver = new AbortController();
  const take = async (event: RunnerEvent): Promise<void> =>
    void taken.push(event.kind === "delta" ? event.text : event.kind);
  return { handOver, taken, end: runInFront(events, take, { signal, handOver: handOver.signal }) };
}

describe("runInFront()", () => {
  test("asks for the next event only when the last one was taken", async () => {
    const log: string[] = [];
    async function* events(): QueryEvents {
      yield { kind: "delta", text: "a" };
      log.push("went on");
      return { reason: "max_tokens" };
    }
    const take = async (): Promise<void> => {
      await new Promise(setImmediate);
      log.push("taken");
    };
    const end = runInFront(events(), take, { signal: never, handOver: never });
    expect(await end).toEqual({ kind: "done", reason: "max_tokens" });
    expect(log).toEqual(["taken", "went on"]);
  });

  test("hands over what is still to come, also what it waits for right then", async () => {
    let goOn = (): void => {};
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    async function* events(): QueryEvents {
      yield { kind: "delta", text: "a" };
      await gate;
      yield { kind: "delta", text: "b" };
      return { reason: "done" };
    }
    const { handOver, taken, end } = start(events());
    await expect.poll(() => taken).toEqual(["a"]);
    handOver.abort();
    const handedOver = await end;
    goOn();
    const { rest } = handedOver as Extract<typeof handedOver, { kind: "handed-over" }>;
    expect(await rest.next()).toEqual({ done: false, value: { kind: "delta", text: "b" } });
    expect(await rest.next()).toEqual({ done: true, value: { reason: "done" } });
    expect(taken).toEqual(["a"]);
  });

  test("still takes what an interrupted agent has to say", async () => {
    const abort = new AbortController();
    async function* events(): QueryEvents {
      yield { kind: "delta", text: "a" };
      await new Promise((resolve) => abort.signal.addEventListener("abort", resolve));
      yield { kind: "delta", text: "broken off" };
      throw abort.signal.reason;
    }
    const { taken, end } = start(events(), abort.signal);
    await expect.poll(() => taken).toEqual(["a"]);
    abort.abort();
    expect(await end).toEqual({ kind: "interrupted" });
    expect(taken).toEqual(["a", "broken off"]);
  });

  test("holds no event that was taken, while the query goes on", async () => {
    v8.setFlagsFromString("--expose-gc");
    const collectGarbage = vm.runInNewContext("gc") as () => void;
    const told: WeakRef<RunnerEvent>[] = [];
    let held: number | undefined;
    async function* events(): QueryEvents {
      for (let count = 0; count < 20; count++) {
        const event: RunnerEvent = { kind: "delta", text: "a" };
        told.push(new WeakRef(event));
        yield event;
        // A weak reference holds its object until the next turn of the event loop.
        await new Promise(setImmediate);
      }
      collectGarbage();
      held = told.filter((event) => event.deref() !== undefined).length;
      return { reason: "done" };
    }
    await start(events()).end;
    // The last one may still be on its way.
    expect(held).toBeLessThanOrEqual(1);
  });

  test("says why it failed", async () => {
    async function* events(): QueryEvents {
      yield { kind: "delta", text: "a" };
      throw new Error("no such model");
    }
    expect(await start(events()).end).toEqual({ kind: "failed", message: "no such model" });
  });
});
