import Anthropic from "@anthropic-ai/sdk";
import { answerEventBytesMax, answerSilenceMsMax } from "./limits.ts";
import { runnerError } from "../../errors.ts";
import { failOnFlood } from "./fail-on-flood.ts";
import { failOnSilence } from "./fail-on-silence.ts";

export interface ApiAccess {
  /** Default: ANTHROPIC_API_KEY of the request's environment. */
  apiKey?: string | undefined;
  /** For gateways and OAuth, instead of a key. Default: ANTHROPIC_AUTH_TOKEN. */
  authToken?: string | undefined;
  /** Default: ANTHROPIC_BASE_URL, else the vendor's own. */
  baseUrl?: string | undefined;
  /** Default: the global one. */
  fetch?: typeof fetch | undefined;
  /** A server that is silent for so long is given up, and the model asked again. */
  silenceMsMax?: number | undefined;
}

/**
 * The API's client, which neither reads this process's environment nor looks for credentials on the disk: it gets what
 * the request has. Throws `api_key_missing` when that is nothing.
 */
export function openClient(access: ApiAccess, env: Readonly<Record<string, string | undefined>>): Anthropic {
  const { fetch = globalThis.fetch, silenceMsMax = answerSilenceMsMax } = access;
  return new Anthropic({
    ...credentialOf(access, env),
    baseURL: access.baseUrl || env["ANTHROPIC_BASE_URL"] || null,
    fetch: failOnFlood(failOnSilence(fetch, { silenceMsMax }), { eventBytesMax: answerEventBytesMax }),
    // Until the first byte of an answer; from then on the line above.
    timeout: silenceMsMax,
    // Retries are ours, because each is told; so is what goes wrong, because the SDK would print it.
    maxRetries: 0,
    logLevel: "off",
    openTelemetry: false,
  });
}

function credentialOf(
  access: ApiAccess,
  env: Readonly<Record<string, string | undefined>>,
): { apiKey: string; authToken: null } | { apiKey: null; authToken: string } {
  const apiKey = access.apiKey || (access.authToken ? undefined : env["ANTHROPIC_API_KEY"]);
  if (apiKey) return { apiKey, authToken: null };
  const authToken = access.authToken || env["ANTHROPIC_AUTH_TOKEN"];
  if (authToken) return { apiKey: null, authToken };
  throw runnerError(
    "api_key_missing",
    "Cannot ask the Messages API: no key; set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN for a gateway)",
  );
}
