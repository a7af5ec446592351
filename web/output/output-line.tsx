import { useState } from "preact/hooks";
import { formatBytes } from "../../src/lib/quantities.ts";
import { ansiRuns } from "../text/ansi.ts";
import type { OutputLine } from "./output-buffer.ts";

/** Letters of a line that are shown at once; a longer one is unfolded when somebody wants it. */
const LINE_LETTERS = 16 * 1024;

export function OutputLineView({ line, isFound }: { line: OutputLine | undefined; isFound: boolean }) {
  const [isWhole, setWhole] = useState(false);
  if (!line) return <div class="output-line" />;
  const isCut = !isWhole && line.text.length > LINE_LETTERS;
  const { runs } = ansiRuns(isCut ? line.text.slice(0, LINE_LETTERS) : line.text, line.state);
  return (
    <div class={`output-line ${isFound ? "is-found" : ""}`}>
      {runs.map(({ text, classes }, index) =>
        classes === "" ? (
          text
        ) : (
          <span key={index} class={classes}>
            {text}
          </span>
        ),
      )}
      {isCut && (
        <button type="button" class="button is-quiet" onClick={() => setWhole(true)}>
          … {formatBytes(line.text.length - LINE_LETTERS)} more
        </button>
      )}
    </div>
  );
}
