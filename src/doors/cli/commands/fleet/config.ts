import path from "node:path";
import { defineCommand, type Command } from "../../command.ts";

export const command: Command = defineCommand({
  arguments: [{ name: "dir", text: "where the files are written", kind: "folder" }],
  examples: [
    {
      line: "holdfast fleet config ./cluster --node a=a.example --node b=b.example --node c=c.example",
      text: "a file for each of three nodes, and a key for each role",
    },
  ],
  options: [
    {
      flags: "--node <name=host>",
      text: "a node of the cluster (of 1, 3 or 5); may be repeated",
      parse: parseNode,
      isRepeatable: true,
    },
  ],
  async run(context, { arguments: [dir = ""], options: { node: nodes = [] } }) {
    const { fleet } = await context.runtime();
    const { files, keysDir, certificatesDir } = await fleet.writeConfig(
      path.resolve(context.environment.cwd, dir),
      nodes,
    );
    if (context.isJson) return context.writeJson({ files, keysDir });
    await context.writeLines(files);
    context.say(
      `Put each file on its node, with a certificate in ${certificatesDir}; then run: holdfast fleet init --replicas ${nodes.length}`,
    );
  },
});

function parseNode(text: string): { name: string; host: string } {
  const [name, host, ...rest] = text.split("=");
  if (!name || !host || rest.length > 0) throw new RangeError("It must be name=host.");
  return { name, host };
}
