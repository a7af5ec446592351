// The least that a search with an index takes: looks at every transcript of CLAUDE_CONFIG_DIR, whether it is as the index
// knows it, and asks FTS5 for the best: fts5-query.mjs DATABASE QUERY LIMIT. Reads no message and shows nothing but numbers.
// Loads nothing that it does not need (see report.mjs).
const fs = process.getBuiltinModule("node:fs");
const { DatabaseSync } = process.getBuiltinModule("node:sqlite");

const STDOUT = 1;
const [file, query, limit] = process.argv.slice(2);
const database = new DatabaseSync(file, { readOnly: true });
const covered = new Map(rowsOf("SELECT path, size FROM files"));
const isCurrent = listSizes(`${process.env.CLAUDE_CONFIG_DIR}/projects`).every(
  ([path, size]) => covered.get(path) === size,
);
const best = rowsOf(
  "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?",
  query,
  Number(limit),
);
const [[total]] = rowsOf("SELECT count(*) FROM words WHERE words MATCH ?", query);
fs.writeSync(STDOUT, `${JSON.stringify({ isCurrent, best: best.length, total })}\n`);

function rowsOf(sql, ...values) {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement.all(...values);
}

function listSizes(root) {
  const sizes = [];
  const dirs = fs.readdirSync(root).map((name) => `${root}/${name}`);
  for (const dir of dirs)
    for (const name of fs.readdirSync(dir)) {
      const path = `${dir}/${name}`;
      if (name.endsWith(".jsonl")) sizes.push([path, fs.statSync(path).size]);
      // A session's own folder, of which only the sub-agents matter here.
      else if (!name.includes(".")) dirs.push(`${path}/subagents`);
    }
  return sizes;
}
