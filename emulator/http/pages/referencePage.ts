import { html } from "hono/html";
import type { Content, OpenApiDocument, Operation, Parameter } from "../openapi/OpenApiDocument.ts";
import { code, consoleStyle, type Html, page, table } from "./page.ts";
import { fieldList, schemaAnchor, schemaText } from "./schemaText.ts";

type Entry = { readonly method: string; readonly path: string; readonly operation: Operation };

/** The OpenAPI document as one self-contained page without scripts. */
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
  return page({
    content: html`${sections.map(({ description, entries: own, name }) => section(name, description, own))}
${section("Sent by the emulator", "What the emulator posts, and the answer it expects.", sent)}
<section aria-labelledby="schemas">
<h2 id="schemas">Schemas</h2>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<article aria-labelledby="${schemaAnchor(name)}">
<h3 id="${schemaAnchor(name)}">${name}</h3>
${schema.properties === undefined ? html`<div>${schemaText(schema)}</div>` : fieldList(schema)}
</article>
`,
)}
</section>`,
    header: html`<a class="skip" href="#content">To the content</a>
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
</nav>`,
    style: referenceStyle,
    title: `${info.title}: reference`,
  });
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

/** Section of one operation: parameters, body and answers. */
function operationSection(method: string, path: string, operation: Operation): Html {
  const { deprecated, description, operationId, parameters = [], requestBody, summary } = operation;
  return html`<article aria-labelledby="${operationId}">
<h3 id="${operationId}"><code><span class="method">${method}</span> ${path}</code></h3>
<p>${deprecated === true ? html`<strong>Deprecated.</strong> ` : ""}${withCode(summary)}.</p>
${description === undefined ? "" : html`<p>${withCode(description)}</p>`}
<p class="muted">${securityText(operation)}</p>
${parameters.length === 0 ? "" : parameterTable(operationId, parameters)}
${requestBody === undefined ? "" : html`<h4>Body</h4><div>${contentText(requestBody.content)}</div>`}
${answerTable(operationId, operation.responses)}
</article>`;
}

function securityText({ security = [] }: Operation): string {
  const names = security.flatMap((requirement) => Object.keys(requirement));
  if (names.includes("adminKey")) return "Needs the admin key in the header x-admin-key.";
  if (names.length === 0) return "Signed, not authorised by a key.";
  const isOptional = security.some((requirement) => Object.keys(requirement).length === 0);
  return isOptional
    ? "Takes an optional API key in the header x-api-key."
    : "Needs an API key in the header x-api-key.";
}

function parameterTable(operationId: string, parameters: readonly Parameter[]): Html {
  const rows = parameters.map(({ content, description, explode, in: place, name, required, schema }) => [
    code(name),
    place,
    required ? "yes" : "no",
    html`${content === undefined ? schemaText(schema ?? {}) : contentText(content)}${
      content === undefined ? "" : ", as JSON"
    }${explode === false ? ", with commas between" : ""}${
      description === undefined ? "" : html`<br>${withCode(description)}`
    }`,
  ]);
  return html`<h4>Parameters</h4>
${table(`Parameters of ${operationId}`, rows, ["Name", "In", "Required", "Value"])}`;
}

function answerTable(operationId: string, responses: Operation["responses"]): Html {
  const rows = Object.entries(responses).map(([status, { content, description, headers = {} }]) => {
    const names = Object.keys(headers);
    const listed =
      names.length === 0 ? "" : html`<br><span class="muted">Headers: ${names.join(", ")}</span>`;
    return [status, html`${withCode(description)}${listed}`, content ? contentText(content) : "none"];
  });
  return html`<h4>Answers</h4>
${table(`Answers of ${operationId}`, rows, ["Status", "When", "Body"])}`;
}

function contentText(content: Content): Html {
  return html`${Object.entries(content).map(([type, { schema }]) =>
    type === "application/json" ? schemaText(schema) : html`${type}`,
  )}`;
}

function withCode(text: string): Html {
  return html`${text.split("`").map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}

/** Style of the reference: the console's, with additions for a long page. */
export const referenceStyle = `${consoleStyle}
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
nav ul, ul.fields { padding-left: 1.25rem; margin: 0.25rem 0; }
article { border-top: 1px solid var(--line); padding-top: 0.5rem; }
.method { text-transform: uppercase; }
`;
