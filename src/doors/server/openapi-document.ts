import { z } from "zod";
import type { Route } from "./route.ts";

interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/** The interface for programs, as OpenAPI 3.1: what each route takes is made of the schemas by which it is checked. */
export function openApiDocument(routes: readonly Route[], version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  return {
    openapi: "3.1.0",
    info: {
      title: "Holdfast",
      version,
      description: "The dashboard's interface. Answers are as src/doors/server/api/ types them.",
    },
    security: [{ token: [] }, { cookie: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        cookie: { type: "apiKey", in: "cookie", name: "holdfast-PORT" },
      },
      schemas: {
        Error: {
          type: "object",
          required: ["error"],
          properties: {
            error: {
              type: "object",
              required: ["code", "message"],
              properties: { code: { type: "string" }, message: { type: "string" } },
            },
          },
        },
      },
    },
  };
}

function operationOf(route: Route): object {
  const { method, path, summary, query, body } = route;
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
    })),
    ...(query ? queryParameters(jsonSchema(query)) : []),
    ...(method === "POST"
      ? [{ name: "X-Holdfast", in: "header", required: true, schema: { const: "1" } }]
      : []),
  ];
  return {
    summary,
    operationId: `${method.toLowerCase()} ${path}`.replaceAll(/\W+(\w?)/g, (_, next: string) =>
      next.toUpperCase(),
    ),
    parameters,
    ...(body && {
      requestBody: { required: true, content: { "application/json": { schema: jsonSchema(body) } } },
    }),
    responses: {
      200: { description: summary, content: { [contentTypeOf(route)]: {} } },
      default: {
        description: "What could not be done, and what to do next",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

function queryParameters({ properties = {}, required = [] }: JsonSchema): object[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

// What arrives, before it is a number or a flag.
function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...plain } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return plain as JsonSchema;
}

function contentTypeOf({ lines, file, events }: Route): string {
  if (events) return "text/event-stream";
  if (lines) return "application/x-ndjson";
  return file ? "application/octet-stream" : "application/json";
}
