import { expect, test } from "vitest";
import type { Entry } from "../../format/index.ts";
import { applyFilter, type EntryFilter } from "./entry-filter.ts";

const entry = (type: string, extra: object = {}): Entry =>
  ({ type, uuid: type, parentUuid: null, ...extra }) as Entry;
const user = (content: unknown, extra: object = {}): Entry =>
  entry("user", { message: { role: "user", content }, ...extra });
const assistant = (...content: object[]): Entry =>
  entry("assistant", { message: { id: "m", role: "assistant", content } });
const text = (words: string): object => ({ type: "text", text: words });

const passes = (entries: Entry[], filter: EntryFilter): Entry[] =>
  entries.flatMap((each) => applyFilter(each, filter) ?? []);

const prompt = user("hello", { timestamp: "2026-01-02T00:00:00.000Z" });
const injected = user("caveat", { isMeta: true });
const use = { type: "tool_use", id: "t", name: "Bash", input: {} };
const call = assistant(use);
const result = user([{ type: "tool_result", tool_use_id: "t", content: "x" }]);
const reply = assistant(text("done"));
const closing = entry("system", { subtype: "turn_duration" });
const attachment = entry("attachment", { attachment: {} });
const title = { type: "custom-title", customTitle: "t" } as Entry;
const all = [prompt, injected, call, result, reply, closing, attachment, title];

test.each<[string, EntryFilter, Entry[]]>([
  ["everything without a condition", {}, all],
  [
    "conditions that are undefined for none",
    { types: undefined, since: undefined, withoutTools: undefined },
    all,
  ],
  ["types", { types: ["system", "custom-title"] }, [closing, title]],
  ["no types", { types: [] }, []],
  ["a role", { roles: ["assistant"] }, [call, reply]],
  ["both roles", { roles: ["user", "assistant"] }, [prompt, injected, call, result, reply]],
  ["what people and model said", { withoutSystem: true }, [prompt, call, result, reply]],
  ["no tools", { withoutTools: true }, [prompt, injected, reply, closing, attachment, title]],
  [
    "all conditions at once",
    { roles: ["user"], withoutTools: true, withoutSystem: true, since: new Date(0) },
    [prompt],
  ],
])("applyFilter() lets %s pass", (_what, filter, expected) => {
  expect(passes(all, filter)).toEqual(expected);
});

test("applyFilter() lets a date range pass with both its ends, and nothing without a moment", () => {
  const at = (timestamp: unknown): Entry => entry("user", { timestamp });
  const [before, first, last, after] = [
    "2026-01-01T00:00:00.000Z",
    "2026-01-02T00:00:00.000Z",
    "2026-01-03T01:00:00.000+01:00",
    "2026-01-03T00:00:00.001Z",
  ].map(at) as [Entry, Entry, Entry, Entry];
  const none = [at(undefined), at(null), at("soon"), at({}), title];
  const since = new Date("2026-01-02T00:00:00.000Z");
  const until = new Date("2026-01-03T00:00:00.000Z");
  const entries = [before, first, last, after, ...none];
  expect([passes(entries, { since, until }), passes(entries, { since }), passes(entries, { until })]).toEqual(
    [
      [first, last],
      [first, last, after],
      [before, first, last],
    ],
  );
});

test("applyFilter() keeps of a message with tools what was said, and leaves the entry itself alone", () => {
  const mixed = assistant(text("I look"), use, text("and see"));
  const copy = structuredClone(mixed);
  expect(applyFilter(mixed, { withoutTools: true })).toEqual(assistant(text("I look"), text("and see")));
  expect(mixed).toEqual(copy);
});

test.each([
  "tool_use",
  "tool_result",
  "server_tool_use",
  "web_search_tool_result",
  "mcp_tool_use",
  "mcp_tool_result",
  "code_execution_tool_result",
])("applyFilter() takes %s for a tool block", (type) => {
  expect(applyFilter(assistant({ type }), { withoutTools: true })).toBeUndefined();
});

test.each(["text", "thinking", "image", "tool_reference", "tool_useful", "my_tool"])(
  "applyFilter() takes %s for no tool block",
  (type) => {
    const message = assistant({ type });
    expect(applyFilter(message, { withoutTools: true })).toBe(message);
  },
);

test.each([
  ["no message", entry("user")],
  ["a message of nothing", user([])],
  ["a message of anything", user([null, 7, "text", { text: "no type" }])],
  ["a message that is none", entry("assistant", { message: "x" })],
])("applyFilter() lets an entry with %s pass without tools", (_what, odd) => {
  expect(applyFilter(odd, { withoutTools: true })).toBe(odd);
});
