/**
 * What to do next, as data: a verb of Holdfast, or a program of the system. Each door phrases it its own way: a command, a
 * button, a tool call. An argument in angle brackets (`<task>`) is for the reader to fill in.
 */
export type Suggestion =
  | {
      verb: string;
      args?: readonly string[];
      options?: Readonly<Record<string, string | number | true>>;
    }
  | { program: string; args: readonly string[] };
