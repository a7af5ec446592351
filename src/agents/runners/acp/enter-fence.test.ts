import { describe, expect, test } from "vitest";
import { play, runnerRequest, type Played } from "../../../../test/support/runner-request.ts";
import { acpWorld as world, type AcpWorld as World } from "../../../../test/support/acp-world.ts";
import { acpRunner } from "./index.ts";

async function run(
  { cwd, options }: World,
  given: Partial<Parameters<typeof runnerRequest>[0]> & { prompt: string },
): Promise<Played> {
  const { request } = runnerRequest({ cwd, ...given });
  return play(acpRunner(options), request);
}

describe("an agent with a fence", () => {
  const fenced = (...modes: string[]): World => {
    const { options, ...rest } = world(...modes);
    return {
      ...rest,
      options: { ...options, name: "careless", fence: { says: "its mode ask", mode: "ask" } },
    };
  };

  test("puts the agent into the mode that asks before the first prompt", async () => {
    const here = fenced("careless");
    const { end } = await run(here, { prompt: "echo hello", permission: "ask" });
    expect(end).toEqual({ reason: "done" });
    expect(here.log().slice(-2)).toEqual(["mode ask", 'prompt ["echo hello"]']);
  });

  test.each([
    [["careless", "stuck"], 'it did not set mode to "ask"'],
    [[], 'it has no mode "ask"'],
  ])("refuses one that does not confirm it: %j", async (modes, why) => {
    const here = fenced(...modes);
    const { error } = await run(here, { prompt: "echo hello", permission: "deny" });
    expect(error).toMatchObject({
      code: "agent_unfenced",
      message: expect.stringContaining(why) as unknown,
    });
    expect(here.log().join()).not.toContain("prompt");
  });

  test("ends one that leaves the mode", async () => {
    const { error } = await run(fenced("careless"), { prompt: "drift", permission: "rules" });
    expect(error).toMatchObject({ code: "agent_unfenced" });
  });

  test("leaves it as it is where everything is allowed", async () => {
    const here = fenced("careless", "stuck");
    const { end } = await run(here, { prompt: "echo hello", permission: "allow" });
    expect(end).toEqual({ reason: "done" });
    expect(here.log().join()).not.toContain("mode");
  });

  test("is not started when it has none, unless everything is allowed", async () => {
    const here = world();
    const unfenced: World = { ...here, options: { ...here.options, fence: "none" } };
    const { error } = await run(unfenced, { prompt: "echo hello", permission: "ask" });
    expect(error).toMatchObject({ code: "agent_unfenced" });
    expect(here.log()).toEqual([]);
    expect((await run(unfenced, { prompt: "echo hello", permission: "allow" })).end).toEqual({
      reason: "done",
    });
  });
});
