import type { z } from "zod";
import type { Api, RouteName } from "./api/index.ts";
import type { FileAnswer } from "./answers/file-answer.ts";
import type { ServerWorld } from "./server-world.ts";

type PathOf<Name extends string> = Name extends `${string}{${infer Key}}${infer Rest}`
  ? { [K in Key]: string } & PathOf<Rest>
  : unknown;
type QueryOf<Name extends RouteName> = Api[Name] extends { query: infer Query } ? Query : undefined;
type BodyOf<Name extends RouteName> = Api[Name] extends { body: infer Body } ? Body : undefined;

/** What a handler gets: path, query and body are checked. */
export interface RouteContext<Name extends RouteName> {
  path: PathOf<Name>;
  query: QueryOf<Name>;
  body: BodyOf<Name>;
  world: ServerWorld;
  /** What the browser is known by; undefined for a program. */
  cookie: string | undefined;
  /** Of a browser that comes back to a stream of events. */
  lastEventId: string | undefined;
  /** Aborted when whoever asked is gone, and when the server ends. */
  signal: AbortSignal;
}

type SchemasOf<Name extends RouteName> = (Api[Name] extends { query: infer Query }
  ? { query: z.ZodType<Query> }
  : unknown) &
  (Api[Name] extends { body: infer Body } ? { body: z.ZodType<Body> } : unknown);

type HandlerOf<Name extends RouteName> = Api[Name] extends { answer: infer Answer }
  ? { answer: (context: RouteContext<Name>) => Promise<Answer> }
  : Api[Name] extends { lines: infer Line }
    ? { lines: (context: RouteContext<Name>) => AsyncIterable<Line> }
    : Api[Name] extends { file: true }
      ? { file: (context: RouteContext<Name>) => Promise<FileAnswer> }
      : Api[Name] extends { events: unknown }
        ? { events: (context: RouteContext<Name>) => AsyncIterable<string> }
        : never;

/** The schemas and the handler of one route of the contract. */
export type RouteDefinition<Name extends RouteName> = { summary: string } & SchemasOf<Name> & HandlerOf<Name>;

/** A route whose types were checked against the contract: what the app needs of it. */
export interface Route {
  name: RouteName;
  method: "GET" | "POST";
  /** As the contract has it: `/api/tasks/{id}`. */
  path: string;
  summary: string;
  query?: z.ZodType;
  body?: z.ZodType;
  answer?: (context: UntypedContext) => Promise<unknown>;
  lines?: (context: UntypedContext) => AsyncIterable<unknown>;
  file?: (context: UntypedContext) => Promise<FileAnswer>;
  /** The text of a stream of server-sent events. */
  events?: (context: UntypedContext) => AsyncIterable<string>;
}

// Only `defineRoute` makes routes, so that what arrives here has passed the schemas of the same route.
type UntypedContext = RouteContext<never>;

/** Ties a handler to a route of the contract: its path, query, body and answer are those of `Api`. */
export function defineRoute<Name extends RouteName>(name: Name, definition: RouteDefinition<Name>): Route {
  const [method, path] = name.split(" ") as ["GET" | "POST", string];
  return { ...(definition as object as Route), name, method, path };
}
