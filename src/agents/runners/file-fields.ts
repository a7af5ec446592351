/** The fields in which tools are given a file. Those that are not ours may have more than one: all of them count. */
export const fileFields = [
  "file_path",
  "path",
  "notebook_path",
  "filePath",
  "absolute_path",
  "abs_path",
  "fileName",
  "target",
] as const;

/** All files that a tool is given by name. */
export function filesIn(input: Readonly<Record<string, unknown>>): string[] {
  const { paths, edits } = input;
  const listed = Array.isArray(paths) ? (paths as unknown[]) : [];
  const edited = Array.isArray(edits)
    ? edits.map((edit: unknown) => Object(edit)["file_path"] as unknown)
    : [];
  const named = fileFields.map((field) => input[field]);
  return [...named, ...listed, ...edited].filter((file) => typeof file === "string");
}
