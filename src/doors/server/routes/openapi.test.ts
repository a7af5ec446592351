import { expect, test } from "vitest";
import { dashboardWorld } from "../../../../test/support/dashboard-world.ts";
import { routes } from "../route-list.ts";

test("GET /api/openapi.json has every route, with what it takes", async () => {
  await using world = await dashboardWorld();
  const document = (await world.ask("GET /api/openapi.json")) as {
    paths: Record<string, Record<string, { parameters: object[]; requestBody?: object }>>;
  };
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.toSorted()).toEqual(routes.map(({ name }) => name).toSorted());
  expect(document.paths["/api/tasks"]!["get"]!.parameters).toContainEqual({
    name: "kind",
    in: "query",
    required: false,
    schema: { type: "string", enum: ["local_bash", "local_agent", "remote_agent"] },
  });
  expect(document.paths["/api/tasks/{id}/stop"]!["post"]).toMatchObject({
    parameters: [
      { name: "id", in: "path" },
      { name: "X-Holdfast", in: "header" },
    ],
    requestBody: {
      content: { "application/json": { schema: { properties: { force: { type: "boolean" } } } } },
    },
  });
});
