import { useAsked } from "../../parts/asked.ts";
import { closeDialog, Dialog, showDialog } from "../../parts/dialog.tsx";
import { Loading, Trouble } from "../../parts/states.tsx";
import { CodeBlock } from "../../text/code-block.tsx";
import type { Transcript } from "./row-store.ts";

export function showEntry(transcript: Transcript, uuid: string): void {
  showDialog(<EntryDialog transcript={transcript} uuid={uuid} />);
}

function EntryDialog({ transcript: { id, project, agent }, uuid }: { transcript: Transcript; uuid: string }) {
  const { answer, error } = useAsked("GET /api/sessions/{id}/entry/{uuid}", {
    path: { id, uuid },
    query: { project, agent },
  });
  return (
    <Dialog label="The entry as it is stored">
      <div class="dialog-body">
        <h2>The entry as it is stored</h2>
        {answer ? (
          <CodeBlock text={JSON.stringify(answer.entry, null, 2)} language="json" />
        ) : error ? (
          <Trouble error={error} />
        ) : (
          <Loading />
        )}
        <div class="dialog-foot">
          <button type="button" class="button is-main" onClick={closeDialog}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  );
}
