import type { CommandFamily } from "../command.ts";
import { listed } from "../command-list.ts";

export const command: CommandFamily = {
  examples: [
    {
      line: "holdfast archive --older-than 60d",
      text: "pack what was not used for two months; it stays readable",
    },
    {
      line: "holdfast archive restore 1b3e",
      text: "put a session back, byte for byte; list shows what there is",
    },
    { line: "holdfast archive keep on", text: "copy sessions here before the client deletes them" },
  ],
  unnamed: "add",
  subcommands: [
    listed("add", "Pack sessions that are not used any more", () => import("./archive/add.ts")),
    listed("list", "List what is in the archive", () => import("./archive/list.ts")),
    listed(
      "verify",
      "Compare everything in the archive with its checksums",
      () => import("./archive/verify.ts"),
    ),
    listed("restore", "Put sessions back where they were", () => import("./archive/restore.ts")),
    listed("keep", "Copy sessions before the client deletes them", () => import("./archive/keep.ts")),
  ],
};
