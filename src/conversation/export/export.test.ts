import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import type { Entry } from "../../format/entries/entry.ts";
import { exportHtml } from "./html.ts";
import type { ExportSource } from "./export-source.ts";
import { exportMarkdown } from "./markdown.ts";
import { createNewFile } from "../../doors/cli/export/new-file.ts";
import { redactSecrets, redactTexts } from "./redact-secrets.ts";
import { markdownHtml } from "./safe-html.ts";

// In parts, so that nobody's scanner takes this file for a leak.
const token = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");

describe("redactSecrets()", () => {
  test("takes secrets out of every text, however deep, and counts them", async () => {
    const toolUseResult = { stdout: token, code: 0 };
    const entry: Entry = {
      type: "user",
      uuid: "u",
      message: { content: [{ type: "text", text: `a ${token} b` }] },
      toolUseResult,
    };
    const redaction = { count: 0 };
    const cleaned: Entry[] = [];
    for await (const one of redactSecrets([entry, { type: "mode", mode: "x" }], redaction)) cleaned.push(one);
    expect(cleaned).toEqual([
      {
        type: "user",
        uuid: "u",
        message: { content: [{ type: "text", text: "a [redacted github] b" }] },
        toolUseResult: { stdout: "[redacted github]", code: 0 },
      },
      { type: "mode", mode: "x" },
    ]);
    expect(redaction.count).toBe(2);
    expect(toolUseResult.stdout).toBe(token);
  });

  test("does not obey a comment that asks to look away", async () => {
    const redaction = { count: 0 };
    const texts = [
      "/* secretlint-disable */",
      `// secretlint-disable-next-line\n${token}`,
      `${token} // secretlint-disable-line`,
    ];
    const cleaned = await redactTexts(texts, redaction);
    expect({ hasToken: cleaned.join("").includes(token), count: redaction.count }).toEqual({
      hasToken: false,
      count: 2,
    });
  });

  test("finds secrets in batches of any size", async () => {
    const redaction = { count: 0 };
    const entries = Array.from({ length: 200 }, (_, index) => ({
      type: "tag" as const,
      tag: `${"x".repeat(10_000)} ${index % 50 === 0 ? token : ""}`,
    }));
    let length = 0;
    for await (const entry of redactSecrets(entries, redaction))
      length += JSON.stringify(entry).includes(token) ? 1_000_000 : 1;
    expect({ length, count: redaction.count }).toEqual({ length: 200, count: 4 });
  });
});

describe("markdownHtml()", () => {
  const allowed =
    /^<\/?(?:p|a|code|pre|span|strong|em|br|ul|li|table|thead|tbody|tr|th|td)(?: (?:href|rel|class)="[^"]*")*>$/;
  test.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://evil.example/pixel.png)",
    "[x](javascript:alert(1))",
    "[x](data:text/html;base64,AAAA)",
    "[x](<  jAvAsCrIpT:alert(1)>)",
    '[x](https://ok.example/"onmouseover="alert\\(1\\))',
    "`<b>`\n\n    <i>code</i>",
    '```"><iframe src=//evil>\n<iframe src=//evil></iframe>\n```',
    "<svg/onload=alert(1)>",
    "<!-- <script> -->",
    "<javascript:alert(1)>",
    "|a|\n|-|\n|<img src=x>|",
  ])("makes %j harmless", (text) => {
    const tags = markdownHtml(text).match(/<[^>]*>/g) ?? [];
    expect(tags.filter((tag) => !allowed.test(tag))).toEqual([]);
    expect(tags.join("")).not.toMatch(/href="(?!https:)/);
  });

  test("keeps plain links and the usual marks", () => {
    expect(markdownHtml("**bold** [site](https://example.com/a?b=1&c=2) `code`").trim()).toBe(
      '<p><strong>bold</strong> <a href="https://example.com/a?b=1&#38;c=2" rel="noopener noreferrer nofollow">site</a> <code>code</code></p>',
    );
  });
});

function source(entries: object[]): ExportSource {
  async function* stream(): AsyncGenerator<Entry> {
    yield* entries as Entry[];
  }
  return {
    summary: {
      sessionId: "s1",
      project: "-p",
      path: "/p/s1.jsonl",
      title: 'A <b>"title"</b>',
      agents: 0,
      updatedAt: "2026-01-02T03:04:05.000Z",
      bytes: 1,
    },
    entries: stream(),
    rejections: () => [{ offset: 0, length: 3, reason: "torn" }],
    gaps: [],
    elsewhere: () => undefined,
    agents: [],
  };
}

async function joined(pieces: AsyncIterable<string>): Promise<string> {
  let all = "";
  for await (const piece of pieces) all += piece;
  return all;
}

const hostile = [
  {
    type: "user",
    uuid: "u",
    parentUuid: null,
    message: { role: "user", content: "Is <script>x</script> & `<b>` ok?\u001b[31m" },
  },
  {
    type: "assistant",
    uuid: "a",
    parentUuid: "u",
    message: {
      role: "assistant",
      content: [
        { type: "tool_use", id: "t1", name: "<i>Bash</i>", input: { command: "echo '```'; </pre><script>" } },
      ],
    },
  },
  {
    type: "user",
    uuid: "r",
    parentUuid: "a",
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t1", content: "````\n</pre></details><script>y" }],
    },
  },
];

describe("exportHtml()", () => {
  test("is one page in which only its own markup is markup", async () => {
    const page = await joined(exportHtml(source(hostile)));
    expect(page).not.toMatch(/<script|<i>|<b>x|\u001b/);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/(?:src|href)=|url\(|@import/);
    expect(page.match(/<details/g)?.length).toBe(page.match(/<\/details>/g)?.length);
  });
});

describe("exportMarkdown()", () => {
  test("fences what tools printed so that nothing in it ends the fence", async () => {
    const page = await joined(exportMarkdown(source(hostile)));
    expect(page).toContain("`````text\n````\n</pre></details><script>y\n`````");
    expect(page).toContain('# A &lt;b\\>"title"&lt;/b\\>');
    expect(page).toContain("Is &lt;script>x&lt;/script> & `<b>` ok?");
    expect(page).not.toContain("\u001b");
  });
});

describe("createNewFile()", () => {
  test("makes a private file that is there only when it is whole", async () => {
    const file = path.join(tempDir(), "out.md");
    const out = createNewFile(file, { isReplacing: false });
    await out.write("hello");
    expect(fs.existsSync(file)).toBe(false);
    out.finish();
    out.discard();
    expect({
      text: fs.readFileSync(file, "utf8"),
      mode: fs.statSync(file).mode & 0o777,
      names: fs.readdirSync(path.dirname(file)),
    }).toEqual({
      text: "hello",
      mode: 0o600,
      names: ["out.md"],
    });
  });

  test("leaves what is there, be it a file or a link", () => {
    const dir = tempDir();
    const target = path.join(dir, "target");
    fs.writeFileSync(target, "mine");
    fs.symlinkSync(target, path.join(dir, "link"));
    fs.symlinkSync(path.join(dir, "nowhere"), path.join(dir, "dangling"));
    for (const name of ["target", "link", "dangling"]) {
      expect(() => createNewFile(path.join(dir, name), { isReplacing: false })).toThrow(
        expect.objectContaining({ code: "output_exists" }) as Error,
      );
    }
    expect(fs.readdirSync(dir).sort()).toEqual(["dangling", "link", "target"]);
  });

  test("replaces a link itself when told to, never the file behind it", async () => {
    const dir = tempDir();
    const target = path.join(dir, "target");
    fs.writeFileSync(target, "mine");
    fs.symlinkSync(target, path.join(dir, "link"));
    const out = createNewFile(path.join(dir, "link"), { isReplacing: true });
    await out.write("new");
    out.finish();
    out.discard();
    expect([fs.readFileSync(target, "utf8"), fs.readFileSync(path.join(dir, "link"), "utf8")]).toEqual([
      "mine",
      "new",
    ]);
  });

  test("leaves nothing behind when it is given up", async () => {
    const dir = tempDir();
    const out = createNewFile(path.join(dir, "out"), { isReplacing: false });
    await out.write("half");
    out.discard();
    expect(fs.readdirSync(dir)).toEqual([]);
  });
});
