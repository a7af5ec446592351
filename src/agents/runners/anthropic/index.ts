/**
 * Owns the loop of an agent on the Messages API, and its tools (one file each in tools/; api/ talks to the API).
 * Never writes a transcript, a task or a screen: it yields what happened, and starts background work through the request.
 *
 * I1  A message is yielded only when it is complete; before that only deltas, which are void if an `activity` follows.
 * I2  A tool runs only after its use was yielded; every use has exactly one result, even if it was refused or interrupted.
 * I3  What a tool started in the foreground does not outlive the signal.
 * I4  Key, address and model come from the options and the request, never from this process's environment.
 */
export { anthropicRunner, type AnthropicRunnerOptions } from "./anthropic-runner.ts";
