// The texts of all transcripts into a contentless FTS5 table, and nothing else: fts5-ingest.mjs CONFIG_DIR DATABASE
import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { report } from "./report.mjs";

const [configDir, file] = process.argv.slice(2);
const ROWS_A_TRANSACTION = 2000;

await report({ work: async () => ingest(), resultOf: (rows) => rows });

function ingest() {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536");
  database.exec("CREATE TABLE lines (id INTEGER PRIMARY KEY, file INTEGER, offset INTEGER, length INTEGER)");
  database.exec("CREATE VIRTUAL TABLE words USING fts5 (text, content = '')");
  const addLine = database.prepare("INSERT INTO lines (file, offset, length) VALUES (?, ?, ?)");
  const addWords = database.prepare("INSERT INTO words (rowid, text) VALUES (?, ?)");
  const names = fs.readdirSync(path.join(configDir, "projects"), { recursive: true });
  let rows = 0;
  database.exec("BEGIN");
  for (const [index, name] of names.filter((each) => each.endsWith(".jsonl")).entries()) {
    const bytes = fs.readFileSync(path.join(configDir, "projects", name));
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      const text = textOf(JSON.parse(bytes.toString("utf8", start, end)));
      if (text !== "") {
        const { lastInsertRowid } = addLine.run(index, start, end - start);
        addWords.run(lastInsertRowid, text);
        if (++rows % ROWS_A_TRANSACTION === 0) database.exec("COMMIT; BEGIN");
      }
      start = end + 1;
    }
  }
  database.exec("COMMIT");
  database.close();
  return rows;
}

function textOf({ type, message, content, summary, customTitle, aiTitle, attachment }) {
  if (type === "progress") return "";
  if (!message)
    return [content, summary, customTitle, aiTitle, attachment?.content].filter(isText).join("\n");
  return isText(message.content)
    ? message.content
    : message.content.map(textOfBlock).filter(isText).join("\n");
}

function textOfBlock({ type, text, thinking, name, input, content }) {
  if (type === "tool_use") return [name, ...valuesIn(input)].join("\n");
  if (type === "tool_result")
    return isText(content) ? content : content?.map((block) => block.text ?? "").join("\n");
  return text ?? thinking;
}

function valuesIn(value) {
  if (isText(value)) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(valuesIn) : [];
}

function isText(value) {
  return typeof value === "string" && value !== "";
}
