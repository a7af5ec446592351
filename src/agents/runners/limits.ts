/** One line of such an agent: pictures in base64 take megabytes, more than this is a fault. */
export const agentLineBytesMax: number = 64 * 1024 * 1024;
/** The end of its stderr that an error quotes: where programs say why they gave up. */
export const agentStderrTailBytes = 4096;
/** Time to end after it was told to, before it is killed with all that it started. */
export const agentStopGraceMs = 5000;
/** An agent that has ended has said everything within this; only a child of its own still holds the pipe. */
export const agentDrainMs = 1000;
/** Characters of an earlier conversation that are told again to an agent which has lost it, its newest part. */
export const retoldConversationLengthMax = 200_000;
/** The end of a running command's output that whoever watches is told: more than any window shows below a tool. */
export const liveOutputBytesMax = 2048;
/** How often that is told. */
export const liveOutputMs = 100;
