import {
  methods,
  RequestError,
  type ClientContext,
  type SessionConfigOption,
  type SessionModeState,
  type SetSessionConfigOptionResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { Fence } from "../known/index.ts";

/** What a session says of its modes when it is opened. */
export interface OfferedModes {
  sessionId: string;
  modes?: SessionModeState | null | undefined;
  configOptions: readonly SessionConfigOption[];
}

/**
 * Puts a session into the mode in which its agent asks. Returns why it is not in it; undefined when the agent confirmed
 * that it is.
 */
export async function enterFence(
  agent: ClientContext,
  offered: OfferedModes,
  fence: Fence,
): Promise<string | undefined> {
  try {
    for (const [id, value] of Object.entries(wantedBy(fence))) {
      const isOption = offered.configOptions.some((option) => option.id === id);
      const problem = isOption
        ? await chooseOption(agent, offered, { id, value })
        : await chooseMode(agent, offered, value);
      if (problem !== undefined) return problem;
    }
    return undefined;
  } catch (error) {
    if (error instanceof RequestError) return error.message;
    throw error;
  }
}

// The options of a session that keep its agent asking; its mode is one of them.
function wantedBy({ mode, options }: Fence): Record<string, string> {
  return { ...(mode !== undefined && { [MODE]: mode }), ...options };
}

const MODE = "mode";

async function chooseOption(
  agent: ClientContext,
  { sessionId, configOptions }: OfferedModes,
  { id, value }: { id: string; value: string },
): Promise<string | undefined> {
  if (isChosen(configOptions, { id, value })) return undefined;
  const request = { sessionId, configId: id, value };
  const { configOptions: now } = (await agent.request(
    methods.agent.session.setConfigOption,
    request,
  )) as SetSessionConfigOptionResponse;
  return isChosen(now ?? [], { id, value }) ? undefined : `it did not set ${id} to "${value}"`;
}

function isChosen(
  options: readonly SessionConfigOption[],
  { id, value }: { id: string; value: string },
): boolean {
  return options.some((option) => option.id === id && option.currentValue === value);
}

// Of agents that have modes and no options; the answer is all that they confirm with.
async function chooseMode(
  agent: ClientContext,
  { sessionId, modes }: OfferedModes,
  modeId: string,
): Promise<string | undefined> {
  if (modes?.currentModeId === modeId) return undefined;
  if (!modes?.availableModes.some(({ id }) => id === modeId)) return `it has no mode "${modeId}"`;
  await agent.request(methods.agent.session.setMode, { sessionId, modeId });
  return undefined;
}

/** Whether an update says that the session has left the mode in which its agent asks. */
export function leavesFence(update: SessionUpdate, fence: Fence): boolean {
  if (update.sessionUpdate === "current_mode_update")
    return fence.mode !== undefined && update.currentModeId !== fence.mode;
  if (update.sessionUpdate !== "config_option_update") return false;
  const wanted = wantedBy(fence);
  return update.configOptions.some(({ id, currentValue }) => id in wanted && currentValue !== wanted[id]);
}
