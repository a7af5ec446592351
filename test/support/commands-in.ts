/** What a shell makes of a line: its commands, without what they read from and write to. */
function commandsIn(line: string): string[][] {
  return line
    .split(/ (?:\||&&) /)
    .map((part) =>
      [...part.replace(/ [<>] .*$/, "").matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
        ([, single, double, plain]) => (single ?? double ?? plain)!,
      ),
    );
}

/** What those of them that are Holdfast's are given. */
export function callsIn(line: string): string[][] {
  return commandsIn(line).flatMap(([program, ...argv]) => (program === "holdfast" ? [argv] : []));
}
