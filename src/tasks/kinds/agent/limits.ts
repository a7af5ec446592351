/** Agents of one home that run at once in processes of their own: each is a Node process of some 60 MB. */
export const concurrentAgentsMax = 50;
/** Agents that start agents that start agents: deeper has only been seen by mistake. */
export const agentDepthMax = 3;
/** A prompt is one line of a transcript; beyond this it is a file that somebody pasted. */
export const agentPromptBytesMax: number = 10 * 1024 * 1024;
/** Activities that the progress of an agent shows. */
export const agentActivitiesMax = 5;
/** Characters of one activity or of the summary: a line of a list. */
export const agentActivityLengthMax = 200;
/** To-dos that the progress of an agent keeps; a longer list is read in the transcript. */
export const agentTodosMax = 200;
/** Progress is written at most this often, and after the last message in any case. */
export const agentProgressMs = 250;
/** What a runner may take to end once it is told; less than the grace of a stop, so that its ending is still written. */
export const agentAbortMs = 3000;
/** Bytes of one message sent to a running agent. */
export const agentMessageBytesMax: number = 1024 * 1024;
/** Messages waiting for one agent: more than it could ever read between two turns. */
export const agentMessagesMax = 1000;
/** How long an agent that is stopped in its own process may take; its embedder may be busy. */
export const inProcessStopMs = 15_000;
/**
 * Characters of a tool's input that a question carries: some hundred lines, more than anybody reads before he answers. The
 * file it stands in is replaced a few times a second, and goes through the fleet.
 */
export const questionInputLengthMax: number = 16 * 1024;
