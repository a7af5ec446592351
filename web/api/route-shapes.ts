import type { Api, RouteName } from "../../src/doors/server/api/index.ts";

type PathNames<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

type InPath<Route extends RouteName> = [PathNames<Route>] extends [never]
  ? { path?: never }
  : { path: Record<PathNames<Route>, string> };

// What is undefined is left out.
type InQuery<Route extends RouteName> = Api[Route] extends { query: infer Query }
  ? { query?: { [Key in keyof Query]: Query[Key] | undefined } }
  : { query?: never };

type InBody<Route extends RouteName> = Api[Route] extends { body: infer Body }
  ? { body: Body }
  : { body?: never };

/** What a route is asked with: the parts of its path, its query, its body. */
export type Asked<Route extends RouteName> = InPath<Route> & InQuery<Route> & InBody<Route>;

export type Answer<Route extends RouteName> = Api[Route] extends { answer: infer Value } ? Value : never;
export type Line<Route extends RouteName> = Api[Route] extends { lines: infer Value } ? Value : never;

/** The routes that give an answer as JSON. */
export type AnswerRoute = {
  [Route in RouteName]: Api[Route] extends { answer: unknown } ? Route : never;
}[RouteName];
export type LinesRoute = {
  [Route in RouteName]: Api[Route] extends { lines: unknown } ? Route : never;
}[RouteName];
export type FileRoute = {
  [Route in RouteName]: Api[Route] extends { file: true } ? Route : never;
}[RouteName];
