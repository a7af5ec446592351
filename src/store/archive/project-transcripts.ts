import fs from "node:fs";
import { configPaths, projectKeyMatches } from "../../format/paths.ts";
import { sessionOfAgentFile } from "../list/agent-file.ts";
import type { AnyTranscript } from "../list/all-transcripts.ts";
import { listSessions, type ListContext } from "../list/list-sessions.ts";
import { mayHold } from "../list/project-sessions.ts";
import type { ArchiveContext } from "./archived-copies.ts";
import { withArchived } from "./archived-sessions.ts";

/** Which transcripts are those of a project: of its sessions and their sub-agents, archived ones too. */
export interface ProjectTranscripts {
  /** Whether a folder with this name may hold some. */
  mayHold: (projectKey: string) => boolean;
  has: (transcript: AnyTranscript) => boolean;
}

/** As of this moment. A project is a folder with every folder inside of it, as a list of its sessions has it. */
export function transcriptsOfProject(
  context: ArchiveContext & ListContext,
  project: string,
): ProjectTranscripts {
  const query = { project, counts: false };
  const sessions = new Set(
    withArchived(context, listSessions(context, query), query).map(({ project: key, sessionId }) =>
      idOf(key, sessionId),
    ),
  );
  const paths = configPaths(context.configDir);
  const known = new Map<string, boolean>();
  const look = ({ projectKey, sessionId, agentId, path }: AnyTranscript): boolean => {
    const session = sessionId ?? sessionOfAgentFile(path);
    if (session !== undefined && sessions.has(idOf(projectKey, session))) return true;
    // A sub-agent whose session is gone belongs to whom its folder is named after.
    const isLeft =
      agentId !== undefined &&
      (session === undefined || !fs.existsSync(`${paths.projectDir(projectKey)}/${session}.jsonl`));
    return isLeft && projectKeyMatches(projectKey, project);
  };
  return {
    mayHold: (key) => mayHold(key, { project }),
    has(transcript) {
      const isOurs = known.get(transcript.path) ?? look(transcript);
      known.set(transcript.path, isOurs);
      return isOurs;
    },
  };
}

function idOf(projectKey: string, sessionId: string): string {
  return `${projectKey}/${sessionId}`;
}
