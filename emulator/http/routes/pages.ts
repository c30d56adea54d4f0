import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono, type Context as HonoContext, type MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import * as z from "zod";
import { packageRoot } from "../../chains/packageRoot.ts";
import { assertFound, defineRoute, notFound, type Route } from "../route/Route.ts";

const paths = { console: "/console", openapi: "/openapi.json", reference: "/docs" } as const;

const doorsSchema = z.strictObject({ console: z.string(), openapi: z.string(), reference: z.string() });

/** The built console; see `scripts/build/console.ts`. */
const consoleFolder = join(packageRoot, "console", "dist");
const referenceFolder = join(import.meta.dirname, "..", "reference");

/** Pages load their own files and call this server, nothing else. */
const headers = {
  "cache-control": "no-cache",
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; img-src 'self' data:; script-src 'self'; style-src 'self'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** `GET /`, `/console`, `/docs` and `/openapi.json`. */
export function pageRoutes(): readonly Route[] {
  const tag = "Documents";
  const page = { description: "A page", mediaType: "text/html" } as const;
  const show = (http: HonoContext, folder: string) => {
    const file = join(folder, "index.html");
    assertFound(existsSync(file) || undefined, "The console is not built: run `node scripts/setup.mjs`");
    return http.html(readFileSync(file, "utf8"), 200, headers);
  };
  return [
    defineRoute({
      endpoint: "GET /",
      operationId: "getDoors",
      tag,
      summary: "Where console and reference are",
      answers: {
        200: { body: doorsSchema, description: "Their paths" },
        302: { description: "For browsers: leads to the console" },
      },
      handle: ({ http }) =>
        http.req.header("accept")?.includes("text/html") ? http.redirect(paths.console) : http.json(paths),
    }),
    defineRoute({
      endpoint: `GET ${paths.console}`,
      operationId: "getConsole",
      tag,
      summary: "The console: requests, chains and control, for people",
      answers: { 200: page, 404: notFound("The console is not built") },
      handle: ({ http }) => show(http, consoleFolder),
    }),
    defineRoute({
      endpoint: `GET ${paths.openapi}`,
      operationId: "getDocument",
      tag,
      summary: "This document",
      before: [compress()],
      answers: { 200: { body: openApiSchema, description: "OpenAPI 3.1" } },
      handle: ({ http }) =>
        http.body(readFileSync(join(packageRoot, "api", "openapi.json")), 200, {
          "Content-Type": "application/json",
        }),
    }),
    defineRoute({
      endpoint: `GET ${paths.reference}`,
      operationId: "getReference",
      tag,
      summary: "The operations of this document, for people",
      before: [compress()],
      answers: { 200: page },
      handle: ({ http }) => show(http, referenceFolder),
    }),
  ];
}

/** Files of the pages: the console's, the reference's and those of Swagger UI. */
export function pageFiles(): Hono {
  const files = new Hono();
  // The published package holds a copy of the kit; a clone has it as a development dependency.
  const kit = existsSync(join(referenceFolder, "swagger-ui.css"))
    ? referenceFolder
    : dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  const served = [
    [paths.console, consoleFolder, ["app.css", "app.js"]],
    [paths.reference, referenceFolder, ["start.js", "style.css"]],
    [paths.reference, kit, ["swagger-ui-bundle.js", "swagger-ui.css"]],
  ] as const;
  const protect: MiddlewareHandler = async (http, next) => {
    await next();
    for (const [name, value] of Object.entries(headers)) http.header(name, value);
  };
  for (const [path, folder, names] of served) {
    for (const name of names) {
      files.use(`${path}/${name}`, compress(), protect, serveStatic({ path: join(folder, name) }));
    }
  }
  return files;
}

const openApiSchema = z.looseObject({
  openapi: z.string().regex(/^3\.1\./),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
});
