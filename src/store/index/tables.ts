/** The version of all tables together. Another number makes an older index be built anew. */
export const INDEX_VERSION = 7;

/**
 * Every table of index.db. All of it is derived from files, may be deleted at any moment, and is never asked for the truth.
 *
 * - `files`: which state of a file each part (listing, usage, health, words) was derived from. covered-files.ts holds the one
 *   rule for "is it current". Its rows lie in the order of part and path, so that those of a folder are read in one go.
 *   `stamp` is a number for path, inode, size and time: its sum tells whether all files of a folder are as they were.
 * - `file_data`: what a part keeps of a file when one value is enough. A table of its own, so that a look at all files does
 *   not read past it.
 * - `usage_keys`: which file has which message (53-bit hash of its ids), to find the files that copied messages.
 * - `usage_cells`: sums of messages by day, model, side chain and file; each message in the cell of the oldest file that
 *   has it. `usage_state` has one row: the prices that the cells were made with, a number that is another after each write,
 *   and a sum over keys and cells.
 * - `tasks`: ended tasks. An ending never changes, so its columns are final, but for `told`: 0 while nobody has taken the
 *   notice, 1 when somebody has, 2 if its record says that there is none; and for `worded`: 1 once the words of the task are
 *   in the index, too. `listed` is what a list shows, and `facts` what a table of all tasks has in addition, both as sealed JSON
 *   (sealed-text.ts).
 * - `task_state` has one row: when the names in all task folders were last compared with `tasks`, and a sum over `tasks`.
 * - `task_folders`: when the names in a task folder were last changed, as of its last comparison, and which tasks in it had not
 *   ended. While its time is the same, so are its names.
 * - `documents`, `words`: the lines of transcripts that a search can find, where they stand and which words they have, never
 *   their texts (src/search/word-index.ts). `task_words`: the same for tasks, by the row of the task.
 */
export const TABLES = `
  CREATE TABLE files (
    id INTEGER NOT NULL UNIQUE, part TEXT NOT NULL, path TEXT NOT NULL,
    inode REAL NOT NULL, size INTEGER NOT NULL, mtime REAL NOT NULL, stamp INTEGER NOT NULL,
    covered INTEGER NOT NULL, head TEXT NOT NULL, tail TEXT NOT NULL,
    PRIMARY KEY (part, path)
  ) WITHOUT ROWID;
  CREATE TABLE file_data (file INTEGER PRIMARY KEY, data NOT NULL);

  CREATE TABLE usage_keys (file INTEGER NOT NULL, key INTEGER NOT NULL, PRIMARY KEY (file, key)) WITHOUT ROWID;
  CREATE INDEX usage_keys_by_key ON usage_keys (key);
  CREATE TABLE usage_cells (
    day TEXT NOT NULL, model TEXT NOT NULL, sidechain INTEGER NOT NULL, file INTEGER NOT NULL,
    messages REAL NOT NULL, inputTokens REAL NOT NULL, outputTokens REAL NOT NULL, cacheWrite5mTokens REAL NOT NULL,
    cacheWrite1hTokens REAL NOT NULL, cacheReadTokens REAL NOT NULL, placeholders REAL NOT NULL,
    costUsd REAL NOT NULL, unpriced REAL NOT NULL,
    PRIMARY KEY (day, model, sidechain, file)
  ) WITHOUT ROWID;
  CREATE TABLE usage_state (id INTEGER PRIMARY KEY, prices TEXT NOT NULL, lastWrite REAL NOT NULL, checksum REAL NOT NULL);

  CREATE TABLE tasks (
    project TEXT NOT NULL, id TEXT NOT NULL, name TEXT, started TEXT NOT NULL, ended TEXT NOT NULL, status TEXT NOT NULL,
    agent INTEGER NOT NULL, bytes INTEGER NOT NULL, told INTEGER NOT NULL, worded INTEGER NOT NULL DEFAULT 0,
    listed TEXT NOT NULL, facts TEXT NOT NULL DEFAULT '',
    UNIQUE (project, id)
  );
  CREATE INDEX tasks_by_id ON tasks (id, project);
  CREATE INDEX tasks_by_start ON tasks (started);
  CREATE INDEX tasks_of_project ON tasks (project, started);
  CREATE INDEX tasks_by_name ON tasks (name, started) WHERE name IS NOT NULL;
  CREATE INDEX tasks_untold ON tasks (project, id, told) WHERE told <> 1;
  CREATE INDEX tasks_of_agents ON tasks (project, id) WHERE agent = 1;
  CREATE INDEX tasks_unworded ON tasks (project, id) WHERE worded = 0;
  CREATE INDEX tasks_lost ON tasks (project, id) WHERE status = 'lost';
  CREATE TABLE task_state (id INTEGER PRIMARY KEY, walkedAt INTEGER, checksum TEXT);
  CREATE TABLE task_folders (project TEXT PRIMARY KEY, changed TEXT NOT NULL, open TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE documents (
    id INTEGER PRIMARY KEY, file INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL,
    at INTEGER, role TEXT NOT NULL, type TEXT NOT NULL, tools TEXT NOT NULL
  );
  CREATE INDEX documents_by_file ON documents (file);
  CREATE VIRTUAL TABLE words USING fts5 (parts, whole, content = '', contentless_delete = 1, tokenize = 'ascii');
  CREATE VIRTUAL TABLE task_words USING fts5 (parts, whole, content = '', contentless_delete = 1, tokenize = 'ascii');
`;
