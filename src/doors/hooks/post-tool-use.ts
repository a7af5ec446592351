import { appendManifest } from "../../recovery/append-manifest.ts";
import { launchTexts, MONITOR, WORKFLOW, type LaunchLine } from "../../recovery/manifest-line.ts";
import { idField, objectField, shortField, textField, type HookInput } from "./hook-input.ts";
import { agentTranscript, launchOf, manifestPlace, shellOutputFile, type HookWorld } from "./hook-world.ts";
import { logDropped } from "./log-failure.ts";
import { workOf } from "./work-of.ts";
import type { HookAnswer } from "./run-hook.ts";

/** Records a launch by the structured fields of the tool's answer. Of one without an id nothing could be said later. */
export async function postToolUse(input: HookInput, world: HookWorld): Promise<HookAnswer> {
  const response = objectField(input.fields, "tool_response");
  const line = launchIn(input, world, response);
  if (line.agent_id === "") logDropped(world, `the answer of ${textField(input.fields, "tool_name")}`);
  else await appendManifest(manifestPlace(input, world), [line]);
  return {};
}

function launchIn(
  input: HookInput,
  world: HookWorld,
  response: Readonly<Record<string, unknown>>,
): LaunchLine {
  if (response["taskType"] === "local_workflow") return workflowLaunch(input, world, response);
  if (response["status"] === "async_launched") return agentLaunch(input, world, response);
  if (input.fields["tool_name"] !== "Monitor")
    return shellLaunch(input, world, idField(response, "backgroundTaskId"));
  return { ...shellLaunch(input, world, idField(response, "taskId")), subagent_type: MONITOR };
}

// Its folder holds the transcripts of its agents and is named after its run.
function workflowLaunch(
  input: HookInput,
  world: HookWorld,
  response: Readonly<Record<string, unknown>>,
): LaunchLine {
  const id = idField(response, "taskId");
  const tool = objectField(input.fields, "tool_input");
  const script = textField(tool, "script") || textField(tool, "scriptPath") || textField(tool, "name");
  return {
    ...launchTexts({
      description: textField(response, "summary") || textField(response, "workflowName"),
      prompt: script,
    }),
    ...common(input, world, id),
    subagent_type: WORKFLOW,
    output_file: shellOutputFile(input, world, id),
    kind: "local_agent",
    ...workOf(input, { kind: "local_agent", text: script }),
    transcript: shortField(response, "transcriptDir"),
  };
}

function agentLaunch(
  input: HookInput,
  world: HookWorld,
  response: Readonly<Record<string, unknown>>,
): LaunchLine {
  const tool = objectField(input.fields, "tool_input");
  const id = idField(response, "agentId");
  const prompt = textField(tool, "prompt") || textField(response, "prompt");
  return {
    ...launchTexts({
      description: textField(response, "description") || textField(tool, "description"),
      prompt,
    }),
    ...common(input, world, id),
    subagent_type: shortField(tool, "subagent_type"),
    output_file: shortField(response, "outputFile"),
    kind: "local_agent",
    ...workOf(input, { kind: "local_agent", text: prompt, model: shortField(response, "resolvedModel") }),
    transcript: agentTranscript(input, id),
  };
}

function shellLaunch(input: HookInput, world: HookWorld, id: string): LaunchLine {
  const tool = objectField(input.fields, "tool_input");
  const command = textField(tool, "command");
  return {
    ...launchTexts({ description: textField(tool, "description") || command, prompt: command }),
    ...common(input, world, id),
    subagent_type: "shell",
    output_file: shellOutputFile(input, world, id),
    kind: "local_bash",
    ...workOf(input, { kind: "local_bash", text: command }),
  };
}

function common(
  input: HookInput,
  world: HookWorld,
  id: string,
): ReturnType<typeof launchOf> & Pick<LaunchLine, "tool_use_id"> {
  const toolUseId = shortField(input.fields, "tool_use_id");
  return { ...launchOf(input, world, id), ...(toolUseId !== "" && { tool_use_id: toolUseId }) };
}
