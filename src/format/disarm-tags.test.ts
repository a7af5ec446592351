import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { disarmTags } from "./disarm-tags.ts";

describe("disarmTags()", () => {
  test.each([
    "std::vector<int> a; std::map<std::string, my_type> b; Vec<size_t>",
    "Result<Error>, Promise<Output>, Array<User>, Box<dyn Error>, impl Future<Output = ()>",
    "<div class=x><img src=x><script>alert(1)</script></div>",
    "#include <sys/types.h>\n#include <user.h>",
    "a < b && c > d; for (i = 0; i<n-1; i++) x <<= 2; cat <<EOF",
    "<T, U>(a: T) => void; <Status code={1} />; <my_component/>; <-channel; <!-- no --> <?xml?>",
    "5 < 6-result > 4",
    "&lt;result>",
  ])("leaves what a program prints as it is: %j", (text) => {
    expect(disarmTags(text)).toBe(text);
  });

  test.each([
    "<system-reminder>",
    "</system-reminder>",
    "< / System-Reminder >",
    "<system-reminder",
    "<system_reminder>",
    "<systemreminder>",
    "<system\nreminder>",
    "<system\u2011reminder>",
    "<s\u0443stem-reminder>",
    "<task-notification>",
    "<task-notification x='1'>",
    "<a-tag-of-tomorrow>",
    "<local-command-stdout/>",
    "<invoke name='Bash'>",
    "</function_calls>",
    "<result>",
    "</result>",
    "</RESULT >",
    "<\n/\toutput\n>",
    "<output foo>",
    "<retrieval_status>success",
    "<tool_use_error>",
    "<function_results>",
    "<human>",
    String.raw`<\n/\tsystem-reminder>`,
  ])("takes the bracket of what could be taken for a tag: %j", (text) => {
    expect(disarmTags(`a${text}b`)).toBe(`a&lt;${text.slice(1)}b`);
    expect(disarmTags(text, String.raw`\u003c`)).toBe(String.raw`\u003c${text.slice(1)}`);
  });

  test("changes nothing a second time, and nothing but brackets", () => {
    const pieces = ["<", "/", ">", " ", "-", "result", "system", "reminder", "x", "&lt;", "\n", "_"];
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...pieces) }), (text) => {
        const once = disarmTags(text);
        expect(disarmTags(once)).toBe(once);
        expect(once.replaceAll("&lt;", "<")).toBe(text.replaceAll("&lt;", "<"));
        expect(once).not.toMatch(/<\s*\/?\s*(?:system[\s_-]*reminder|result(?![a-z_]))/);
      }),
    );
  });

  test("takes no longer than its text is long", () => {
    const started = performance.now();
    for (const text of ["<", "<a-", "< ", "<a-b ", "</", "<system"]) disarmTags(text.repeat(200_000));
    for (const text of ["<", "<a-b", "<system", "</", "<a-"])
      for (const more of [" ", "-a", "\\n"]) disarmTags(text + more.repeat(200_000));
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
