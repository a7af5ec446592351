import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir, TranscriptBuilder } from "../../../test/support/index.ts";
import { plansDir, readPlans } from "./plans.ts";

describe("readPlans()", () => {
  it("finds the plans whose slugs the entries carry, in their order", async () => {
    const configDir = tempDir();
    const transcript = new TranscriptBuilder();
    transcript.prompt("plan it", { slug: "quiet-blue-river" });
    transcript.prompt("again", { slug: "../../evil" });
    transcript.prompt("and again", { slug: "loud-red-hill" });
    transcript.prompt("and again", { slug: "quiet-blue-river" });
    const session = transcript.write(configDir);
    fs.mkdirSync(path.join(configDir, "plans"));
    const file = path.join(configDir, "plans/quiet-blue-river.md");
    fs.writeFileSync(file, "# Plan");
    expect(await readPlans({ configDir, session })).toEqual({
      plans: [
        {
          slug: "quiet-blue-river",
          path: file,
          text: "# Plan",
          updatedAt: fs.statSync(file).mtime.toISOString(),
        },
      ],
      withoutFile: ["loud-red-hill"],
      problems: [{ path: "../../evil", reason: "unsafe-name" }],
    });
  });

  it("looks in the project's plansDirectory", async () => {
    const root = tempDir();
    const transcript = new TranscriptBuilder({ cwd: root });
    transcript.prompt("plan it", { slug: "quiet-blue-river" });
    const session = transcript.write(root);
    fs.mkdirSync(path.join(root, "docs/plans"), { recursive: true });
    fs.writeFileSync(path.join(root, "docs/plans/quiet-blue-river.md"), "# Here");
    const { plans } = await readPlans({
      configDir: root,
      session,
      settingsOf: (cwd) => (cwd === root ? { plansDirectory: "./docs/plans" } : {}),
    });
    expect(plans.map(({ text }) => text)).toEqual(["# Here"]);
  });
});

describe("plansDir()", () => {
  // As the client 2.1.325 was seen to do.
  it.each([
    ["./docs/plans", "/work/docs/plans"],
    ["/work/inner", "/work/inner"],
    ["~/plans", "/work/~/plans"],
    ["../outside", "/config/plans"],
    ["/elsewhere", "/config/plans"],
    [undefined, "/config/plans"],
  ])("takes the setting %s as %s", (plansDirectory, dir) => {
    expect(plansDir({ configDir: "/config", cwd: "/work", plansDirectory })).toBe(dir);
  });
});
