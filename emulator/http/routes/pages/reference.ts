import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { compress } from "hono/compress";
import * as z from "zod";
import { packageRoot } from "../../../chains/packageRoot.ts";
import { defineRoute, type Route } from "../../route/Route.ts";

export const openApiPath = "/openapi.json";
export const referencePath = "/docs";

const folder = join(import.meta.dirname, "..", "..", "reference");

/** `GET /openapi.json` and `GET /docs`. */
export function referenceRoutes(): readonly Route[] {
  const common = { before: [compress()], method: "get", tag: "Documents" } as const;
  return [
    defineRoute({
      ...common,
      path: openApiPath,
      operationId: "getDocument",
      summary: "This document",
      answers: { 200: { body: openApiSchema, description: "OpenAPI 3.1" } },
      handle: ({ http }) =>
        http.body(readFileSync(join(packageRoot, "api", "openapi.json")), 200, {
          "Content-Type": "application/json",
        }),
    }),
    defineRoute({
      ...common,
      path: referencePath,
      operationId: "getReference",
      summary: "The operations of this document, for people",
      answers: { 200: { description: "A page", mediaType: "text/html" } },
      handle: ({ http }) =>
        http.html(readFileSync(join(folder, "index.html"), "utf8"), 200, {
          "Cache-Control": "no-store",
          "Content-Security-Policy": policy,
          "Referrer-Policy": "no-referrer",
          "X-Content-Type-Options": "nosniff",
        }),
    }),
  ];
}

/** The page loads its own files and calls this server, nothing else. Its pictures are in its style sheets. */
const policy =
  "default-src 'none'; base-uri 'none'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; img-src data:; script-src 'self'; style-src 'self'";

/** Files of the page: ours, and those of Swagger UI. */
export function referenceFiles(): Hono {
  const files = new Hono();
  // The published package holds a copy of the kit; a clone has it as a development dependency.
  const kit = existsSync(join(folder, "swagger-ui.css"))
    ? folder
    : dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  for (const file of ["start.js", "style.css"]) serve(folder, file);
  for (const file of ["swagger-ui-bundle.js", "swagger-ui.css"]) serve(kit, file);
  return files;

  function serve(from: string, file: string) {
    files.use(`${referencePath}/${file}`, compress(), serveStatic({ path: join(from, file) }));
  }
}

const openApiSchema = z.looseObject({
  openapi: z.string().regex(/^3\.1\./),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
});
