import { Dialog, closeDialog, showDialog } from "../parts/dialog.tsx";

const groups: { title: string; keys: [string, string][] }[] = [
  {
    title: "Everywhere",
    keys: [
      ["Ctrl K", "go to anything"],
      ["n  N", "next, previous that needs you"],
      ["g n", "Now"],
      ["g t", "Tasks"],
      ["g s", "Sessions"],
      ["g /", "Search"],
      ["g u  g r", "Usage, Recover"],
      ["g f  g d", "Fleet, Doctor"],
      ["?", "this help"],
    ],
  },
  {
    title: "In a list",
    keys: [
      ["j  k", "down, up"],
      ["Enter", "open"],
      ["Esc", "back"],
      ["/", "find here"],
    ],
  },
  {
    title: "A question of an agent",
    keys: [
      ["a", "allow once"],
      ["A", "always: shows the rule first"],
      ["d", "deny, with a reason"],
    ],
  },
  {
    title: "A task or a session",
    keys: [
      ["s", "stop"],
      ["f", "follow the end"],
      ["[  ]", "from prompt to prompt"],
      ["{  }", "from failure to failure"],
      ["o  O", "unfold one, all"],
      ["y  Y", "copy its id, its command"],
      ["F", "fork here"],
      ["e", "export"],
    ],
  },
];

export function showHelp(): void {
  showDialog(<Help />);
}

function Help() {
  return (
    <Dialog label="Keys">
      <div class="dialog-body">
        <h2>Keys</h2>
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <div class="help-keys">
              {keys.map(([key, text]) => (
                <div key={key}>
                  <span>{text}</span>
                  <span>
                    {key.split("  ").map((each) => (
                      <kbd key={each}>{each}</kbd>
                    ))}
                  </span>
                </div>
              ))}
            </div>
          </section>
        ))}
        <p class="third">Single keys can be switched off in the settings.</p>
        <div class="dialog-foot">
          <button type="button" class="button is-main" onClick={closeDialog}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  );
}
