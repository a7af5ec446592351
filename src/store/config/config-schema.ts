import type { Schema } from "./schema.ts";

const price = { type: "number", minimum: 0 } as const;

/** The price of a model: dollars for a million tokens. */
export const priceSchema: Schema = {
  type: "object",
  properties: { input: price, output: price, cacheWrite5m: price, cacheWrite1h: price, cacheRead: price },
  required: ["input", "output"],
  additionalProperties: false,
};

const TIME = "^(?=.*[1-9])\\d+(?:\\.\\d+)?(?:ms|s|m|h|d|w)?$";

/**
 * Every setting, for the file of the user and, as far as projects may have them, for those of projects. Editors get it as
 * docs/config.schema.json, which a test compares with this.
 */
export const configSchema: Schema = {
  type: "object",
  properties: {
    agent: {
      type: "string",
      enum: ["anthropic", "claude", "codex", "gemini", "opencode", "copilot", "qwen", "pi"],
      description: "the agent for chat and agent, unless an option names one",
    },
    model: {
      type: "string",
      minLength: 1,
      description: "the model of that agent; an agent type may have its own",
    },
    permission: {
      type: "string",
      enum: ["deny", "ask", "rules", "allow"],
      default: "ask",
      description: "who decides about tools in chat and agent",
    },
    limits: {
      type: "object",
      description: "limits that end an agent",
      properties: {
        maxTurns: {
          type: "integer",
          minimum: 1,
          description: "end an agent after so many answers of the model",
        },
        maxTokens: { type: "integer", minimum: 1, description: "end an agent after so many tokens" },
        maxCost: { type: "number", exclusiveMinimum: 0, description: "end an agent after so many dollars" },
        timeout: {
          type: "string",
          pattern: TIME,
          description: "end an agent after this time",
          examples: ["30s", "10m", "2h"],
        },
      },
    },
    keep: {
      type: "boolean",
      default: false,
      description: "copy sessions into the archive before the client deletes them",
    },
    prices: {
      type: "object",
      additionalProperties: priceSchema,
      description: "your prices by model, in dollars for a million tokens",
    },
    prune: {
      type: "object",
      description: "when ended tasks are removed",
      properties: {
        automatic: {
          type: "boolean",
          default: true,
          description: "remove old ended tasks whenever a task is started",
        },
        olderThan: {
          type: "string",
          pattern: TIME,
          description: "remove ended tasks that are older (30d)",
          examples: ["12h", "7d", "4w"],
        },
        maxTotal: {
          type: "string",
          pattern: "^(?=.*[1-9])\\d+(?:\\.\\d+)?[kKmMgGtT]?[bB]?$",
          description: "remove the oldest until all outputs fit (64g)",
          examples: ["500m", "5g"],
        },
      },
    },
    hooks: {
      type: "object",
      properties: {
        duplicateLaunch: {
          type: "string",
          enum: ["warn", "ask", "off"],
          default: "warn",
          description: "what happens when a session starts the same work again",
        },
        exitCodes: {
          type: "boolean",
          default: true,
          description: "let the client's commands record their exit code when the client is gone",
        },
      },
    },
    fleet: {
      type: "object",
      properties: {
        servers: {
          type: "array",
          items: { type: "string" },
          description: "addresses of the fleet's servers",
        },
        keys: { type: "string", description: "a folder with a key for each role, or one key" },
        ca: { type: "string", description: "the authority that signed the servers' certificates" },
        cert: { type: "string", description: "this machine's certificate" },
        certKey: { type: "string", description: "the key of that certificate" },
      },
    },
  },
};

/** The variables of a process that come before a setting. */
export const settingVariables: Readonly<Record<string, string>> = {
  "fleet.servers": "HOLDFAST_NATS_URL",
  "fleet.keys": "HOLDFAST_NATS_KEYS",
  "fleet.ca": "HOLDFAST_NATS_CA",
  "fleet.cert": "HOLDFAST_NATS_CERT",
  "fleet.certKey": "HOLDFAST_NATS_CERT_KEY",
};

/** Every setting that has a value of its own, by its path: `limits.maxCost`. */
export const settings: ReadonlyMap<string, Schema> = new Map(leaves(configSchema, []));

function leaves({ properties = {} }: Schema, above: readonly string[]): [string, Schema][] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const path = [...above, key];
    return schema.properties ? leaves(schema, path) : [[path.join("."), schema] as [string, Schema]];
  });
}
