/**
 * Owns the loop of an agent on the Messages API, and its tools (one file each in tools/; api/ is what speaks to the API).
 * Never writes a transcript, a task or a screen: it yields what happened, and starts background work through the request.
 *
 * I1  Nothing of a message is told before the message is whole; only deltas, which are void when an `activity` follows.
 * I2  A tool runs only after its use was told; every use has exactly one result, also when it was refused or broken off.
 * I3  What a tool started in the foreground does not outlive the signal.
 * I4  Key, address and model come from the options and the request, never from this process's environment.
 */
export { anthropicRunner, type AnthropicRunnerOptions } from "./anthropic-runner.ts";
