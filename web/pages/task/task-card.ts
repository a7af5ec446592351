import type { Answer } from "../../api/route-shapes.ts";

export type TaskCardData = Answer<"GET /api/tasks/{id}">;
