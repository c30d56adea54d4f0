import { createRequire } from "node:module";
import { html } from "hono/html";
import * as z from "zod";
import { describeApi } from "../../openapi/describeApi.ts";
import type { OpenApiDocument } from "../../openapi/OpenApiDocument.ts";
import { code, type Html, htmlPage, page, table } from "../../pages/page.ts";
import { defineRoute, type Route, type RouteDocument } from "../../route/Route.ts";
import { consolePath } from "./consoleFiles.ts";

const referencePath = "/docs";
const openApiPath = "/openapi.json";

const { version } = createRequire(import.meta.url)("@waybill/emulator/package.json") as { version: string };

/** `GET /`, `GET /openapi.json` and `GET /docs`. */
export function documentRoutes(all: () => readonly RouteDocument[]): readonly Route[] {
  const document = once(() => describeApi(all(), version));
  const common = { method: "get", tag: "Documents" } as const;
  return [
    defineRoute({
      ...common,
      path: "/",
      operationId: "getDoors",
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
    defineRoute({
      ...common,
      path: openApiPath,
      operationId: "getDocument",
      summary: "This document",
      answers: { 200: { body: openApiSchema, description: "OpenAPI 3.1" } },
      handle: ({ http }) => http.json(document()),
    }),
    defineRoute({
      ...common,
      path: referencePath,
      operationId: "getReference",
      summary: "The operations of this document, for people",
      answers: { 200: { description: "A page", mediaType: "text/html" } },
      handle: ({ http }) => htmlPage(http, operationsPage(document())),
    }),
  ];
}

/** The operations by tag. The document has their parameters, bodies and answers. */
export function operationsPage({ info, paths, tags }: OpenApiDocument): Html {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: code(`${method.toUpperCase()} ${path}`),
      operation,
    })),
  );
  return page({
    content: html`${tags.map(({ name: tag }) =>
      table(
        tag,
        operations
          .filter(({ operation }) => operation.tags.includes(tag))
          .map(({ name, operation }) => [name, operation.summary]),
      ),
    )}`,
    header: html`<header>
<h1>${info.title}</h1>
<p>Version ${info.version}. Parameters, bodies and answers: <a href="${openApiPath}">openapi.json</a>.</p>
</header>`,
    title: `${info.title}: reference`,
  });
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const doorsSchema = z.strictObject({ console: z.string(), openapi: z.string(), reference: z.string() });

const openApiSchema = z.looseObject({
  openapi: z.string().regex(/^3\.1\./),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
});
