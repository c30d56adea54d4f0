import { html, raw } from "hono/html";
import type { OpenApiDocument, Operation } from "../openapi/OpenApiDocument.ts";
import { operationSection } from "./operationSection.ts";
import { referenceStyle } from "./referenceStyle.ts";
import { fieldList, type Html, schemaAnchor, schemaText } from "./schemaText.ts";
import { withCode } from "./withCode.ts";

type Entry = { readonly method: string; readonly path: string; readonly operation: Operation };

/** The document for people: one page that needs nothing else, neither files nor scripts. */
export function referencePage(document: OpenApiDocument): Html {
  const { components, info, tags, webhooks } = document;
  const entries = operationsOf(document);
  const sections = tags.map((tag) => ({
    ...tag,
    entries: entries.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const sent = Object.values(webhooks).map(({ post: operation }) => ({
    method: "post",
    operation,
    path: "your endpoint",
  }));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}: reference</title>
<link rel="icon" href="data:,">
<style>${raw(referenceStyle)}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<h1>${info.title}</h1>
<p>${withCode(info.description)}</p>
<p>Version ${info.version}. The same as a document: <a href="/openapi.json">openapi.json</a>.</p>
</header>
<nav aria-label="Operations">
<ul>
${sections.map(({ entries: own, name }) => html`<li>${name}${contents(own)}</li>`)}
<li>Sent by the emulator${contents(sent)}</li>
<li><a href="#schemas">Schemas</a></li>
</ul>
</nav>
<main id="content">
${sections.map(({ description, entries: own, name }) => section(name, description, own))}
${section("Sent by the emulator", "What the emulator posts, and what is expected of the answer.", sent)}
<section aria-labelledby="schemas">
<h2 id="schemas">Schemas</h2>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<article aria-labelledby="${schemaAnchor(name)}">
<h3 id="${schemaAnchor(name)}">${name}</h3>
${schema.properties === undefined ? html`<div>${schemaText(schema)}</div>` : fieldList(schema)}
</article>
`,
)}
</section>
</main>
</body>
</html>`;
}

function operationsOf({ paths }: OpenApiDocument): readonly Entry[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, operation, path })),
  );
}

function contents(entries: readonly Entry[]): Html {
  return html`<ul>${entries.map(
    ({ method, operation, path }) =>
      html`<li><a href="#${operation.operationId}"><span class="method">${method}</span> ${path}</a></li>`,
  )}</ul>`;
}

function section(name: string, description: string, entries: readonly Entry[]): Html {
  const id = `section-${name.toLowerCase().replaceAll(/\W+/g, "-")}`;
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${name}</h2>
<p>${withCode(description)}</p>
${entries.map(({ method, operation, path }) => operationSection(method, path, operation))}
</section>
`;
}
