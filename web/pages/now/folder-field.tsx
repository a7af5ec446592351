import { useId } from "preact/hooks";
import { useAsked } from "../../parts/asked.ts";

/** A folder that is typed, with those that fit below it. */
export function FolderField({
  value,
  recent,
  onChange,
  label = "Folder",
}: {
  value: string;
  recent: readonly string[];
  onChange: (folder: string) => void;
  label?: string;
}) {
  const id = useId();
  const { answer } = useAsked(
    "GET /api/folders",
    value.includes("/") ? { query: { typed: value } } : undefined,
  );
  const folders = new Set([...recent, ...(answer?.folders ?? [])]);
  return (
    <label class="labelled is-wide">
      {label}
      <input
        class="field mono"
        list={id}
        value={value}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={id}>
        {[...folders].map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
    </label>
  );
}
