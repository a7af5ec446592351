import { errorOf, offlineError } from "./api-error.ts";
import type { Answer, AnswerRoute, Asked, FileRoute, Line, LinesRoute } from "./route-shapes.ts";

interface AnyAsked {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

interface AskOptions {
  signal?: AbortSignal | undefined;
}

/** Asks one route. Throws `ApiError`; an abort throws what the signal says. */
export async function ask<Route extends AnswerRoute>(
  route: Route,
  asked: Asked<Route>,
  { signal }: AskOptions = {},
): Promise<Answer<Route>> {
  const response = await request(route, asked, signal);
  return (await response.json()) as Answer<Route>;
}

/** The lines of an answer as they are made; leaving the loop gives the rest up. */
export async function* readLines<Route extends LinesRoute>(
  route: Route,
  asked: Asked<Route>,
  { signal }: AskOptions = {},
): AsyncGenerator<Line<Route>> {
  const response = await request(route, asked, signal);
  let rest = "";
  const decoder = new TextDecoder();
  for await (const piece of response.body!) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (line !== "") yield JSON.parse(line) as Line<Route>;
  }
}

/** Where a file is, for a link or an image. */
export function fileUrl<Route extends FileRoute>(route: Route, asked: Asked<Route>): string {
  return urlOf(route, asked);
}

async function request(route: string, asked: AnyAsked, signal: AbortSignal | undefined): Promise<Response> {
  const isWrite = route.startsWith("POST ");
  let response: Response;
  try {
    response = await fetch(urlOf(route, asked), {
      signal: signal ?? null,
      ...(isWrite && {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Holdfast": "1" },
        body: JSON.stringify(asked.body),
      }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof TypeError ? offlineError() : error;
  }
  if (!response.ok) throw await errorOf(response);
  return response;
}

function urlOf(route: string, { path = {}, query = {} }: AnyAsked): string {
  const [, pattern = ""] = route.split(" ");
  const filled = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search === "" ? filled : `${filled}?${search}`;
}
