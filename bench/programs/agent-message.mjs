// A message of an agent as a model would send it, about a kilobyte long.
const WORDS =
  "The build fails because the second test reads a file before the first one has written it. ".repeat(8);

export function agentMessage(number) {
  return {
    id: `msg_${String(number).padStart(24, "0")}`,
    model: "bench",
    role: "assistant",
    type: "message",
    content: [{ type: "text", text: `${number}. ${WORDS}` }],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 1000,
      output_tokens: 100,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  };
}
