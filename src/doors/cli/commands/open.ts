import { codeOf } from "../../../lib/errors.ts";
import { defineCommand, type Command, type CommandContext } from "../command.ts";
import { openBrowser } from "../dashboard/open-browser.ts";
import { cliError } from "../errors.ts";
import { findNamedSession } from "../session-argument.ts";

export const command: Command = defineCommand({
  arguments: [
    {
      name: "id",
      text: "a task or a session",
      kind: ["task", "session"],
      isOptional: true,
    },
  ],
  examples: [
    { line: "holdfast open", text: "the dashboard that runs: see holdfast up" },
    { line: "holdfast open @last", text: "the newest task in it" },
    { line: "holdfast open 1b3e --no-open", text: "only print the address of a session in it" },
  ],
  options: [{ flags: "--no-open", text: "only print the address" }],
  async run(context, { arguments: [id], options }) {
    const { environment } = context;
    const { findServers } = await import("../../server/access/announced-servers.ts");
    const server = findServers(environment.home)[0];
    if (!server)
      throw cliError("no_dashboard", "Cannot open the dashboard: none runs on this home", {
        fields: { suggestion: { verb: "up" } },
      });
    const page = new URL(id === undefined ? "/" : await pageOf(context, id), server.origin);
    page.searchParams.set("token", await askCode(server));
    const isOpened = options.open && (await openBrowser(page.href, environment));
    if (context.isJson) return context.writeJson({ url: page.href, isOpened });
    if (isOpened) return context.say("Opened in your browser.");
    await context.writeLines([page.href]);
    context.say("This address lets one browser in, once, within a minute.");
  },
});

/** Where the page shows it: a task by its id or name, else a session. */
async function pageOf(context: CommandContext, id: string): Promise<string> {
  const { tasks } = await context.runtime();
  try {
    return `/tasks/${(await tasks.find(id)).record.id}`;
  } catch (error) {
    if (codeOf(error) !== "task_not_found") throw error;
  }
  const { sessionId, projectKey } = await findNamedSession(context, id);
  return `/sessions/${sessionId}?project=${encodeURIComponent(projectKey)}`;
}

// The token itself never stands in the command line of a browser, which others can read.
async function askCode({ origin, token }: { origin: string; token: string }): Promise<string> {
  const answer = await fetch(`${origin}/api/enter`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      "X-Holdfast": "1",
    },
    body: "{}",
  }).catch(() => undefined);
  if (!answer?.ok)
    throw cliError("no_dashboard", `Cannot open the dashboard: the one at ${origin} does not answer`, {
      fields: { suggestion: { verb: "up" } },
    });
  return ((await answer.json()) as { code: string }).code;
}
