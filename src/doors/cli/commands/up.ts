import { defineCommand, type Command } from "../command.ts";
import { beyondThisMachine } from "../dashboard/beyond-this-machine.ts";
import { openBrowser } from "../dashboard/open-browser.ts";
import { endGently } from "../end-gently.ts";
import { parseCount } from "../option-values.ts";
import { readOwnVersion } from "../own-version.ts";

export const command: Command = defineCommand({
  examples: [
    { line: "holdfast up", text: "serves this machine, opens your browser; Ctrl+C ends it, tasks go on" },
    { line: "holdfast up --port 8080 --no-open", text: "another port; prints the address only" },
    {
      line: "holdfast up --host 0.0.0.0 --name box.example --tls-cert c.pem --tls-key k.pem --token-file t",
      text: "for other machines, too",
    },
  ],
  options: [
    {
      flags: "--port <n>",
      text: "where it listens (4747, or any other when that is in use)",
      parse: parseCount,
    },
    { flags: "--no-open", text: "do not open a browser" },
    {
      flags: "--host <address>",
      text: "listen beyond this machine; needs a certificate and a token of yours",
    },
    { flags: "--name <name>", text: "with --host: how browsers call this machine" },
    { flags: "--tls-cert <file>", text: "with --host: the certificate, PEM", kind: "file" },
    { flags: "--tls-key <file>", text: "with --host: its key, PEM", kind: "file" },
    {
      flags: "--token-file <file>",
      text: "with --host: a file with the token that browsers must have, 24 letters or more",
      kind: "file",
    },
  ],
  async run(context, { options }) {
    const { environment, isJson, say } = context;
    const open = beyondThisMachine(options, environment.cwd);
    const runtime = await context.runtime();
    const { serveDashboard } = await import("../../server/serve-dashboard.ts");
    const signal = endGently();
    const dashboard = await serveDashboard({
      runtime,
      version: readOwnVersion(),
      cwd: environment.cwd,
      userName: environment.userName,
      port: options.port,
      open,
    });
    const { origin, url } = dashboard;
    if (isJson) await context.writeJson({ origin, url, pid: process.pid });
    else await context.writeLines([url]);
    if (open)
      say(
        `Everyone who can reach ${origin} and has the token may read your sessions and run commands as you. Keep the token secret, or serve this machine only: holdfast up`,
      );
    const isOpened = options.open && !open && (await openBrowser(dashboard.urlOnce(), environment));
    if (!isJson)
      say(
        `${isOpened ? "Opened in your browser." : "Open this address in your browser."} Ctrl+C ends the dashboard; your tasks go on.`,
      );
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    await dashboard.close();
    await runtime.close();
  },
});
