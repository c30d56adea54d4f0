import * as z from "zod";
import { defineRoute, type Route } from "../../route/Route.ts";
import { consolePath } from "./consoleFiles.ts";
import { openApiPath, referencePath } from "./reference.ts";

/** `GET /`. */
export function documentRoutes(): readonly Route[] {
  return [
    defineRoute({
      method: "get",
      path: "/",
      operationId: "getDoors",
      tag: "Documents",
      summary: "Where console and reference are",
      answers: {
        200: { body: doorsSchema, description: "Their paths" },
        302: { description: "For browsers: leads to the console" },
      },
      handle: ({ http }) =>
        http.req.header("accept")?.includes("text/html")
          ? http.redirect(consolePath)
          : http.json({ console: consolePath, openapi: openApiPath, reference: referencePath }),
    }),
  ];
}

const doorsSchema = z.strictObject({ console: z.string(), openapi: z.string(), reference: z.string() });
