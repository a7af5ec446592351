/** The look of an exported page: readable on a phone and a wide screen, by day and by night, and on paper. */
export const pageStyle = `
:root { color-scheme: light dark; --text: #1c1e21; --dim: #6a7077; --page: #fdfdfc; --block: #f2f2ef; --line: #dddcd6; --accent: #0f6b63; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e3df; --dim: #9a9c9f; --page: #17191b; --block: #212427; --line: #363a3e; --accent: #6cc5b9; --bad: #f2928b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 46rem; padding: 2rem 1.25rem 4rem; background: var(--page); color: var(--text); font: 1rem/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
h2, h3, h4 { font-size: 1.1rem; margin: 1.2em 0 .4em; }
header { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; }
header span { color: var(--dim); font-size: .85rem; margin-right: 1.2em; }
code, pre { font: .87em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--block); border-radius: 6px; padding: .75rem 1rem; overflow: auto; max-height: 30rem; white-space: pre-wrap; }
code { background: var(--block); border-radius: 4px; padding: .1em .3em; }
pre code { background: none; padding: 0; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; }
blockquote { border-left: 3px solid var(--line); color: var(--dim); margin: 0; padding-left: 1rem; }
a { color: var(--accent); }
.prompt { border-left: 3px solid var(--accent); background: var(--block); border-radius: 0 8px 8px 0; padding: .75rem 1.1rem; margin: 1.75rem 0 1rem; }
.prompt > :last-child, .answer > :last-child { margin-bottom: 0; }
.facts { color: var(--dim); font-size: .8rem; margin: 0; }
.tool, .folded, .notification { margin: .4rem 0; font-size: .92rem; }
.notification { color: var(--accent); }
.agent { border-left: 2px solid var(--line); margin: .6rem 0; padding-left: 1rem; }
.agent > summary { color: var(--accent); font-size: .92rem; }
summary { cursor: pointer; }
.folded > summary, .state, .notice, .image { color: var(--dim); }
.state { font-size: .85em; white-space: nowrap; }
.error { color: var(--bad); }
.compaction { display: flex; align-items: center; gap: 1rem; color: var(--dim); font-size: .85rem; margin: 2.5rem 0; }
.compaction::before, .compaction::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
@media print { pre { max-height: none; } .prompt { break-inside: avoid; } }
`;
