import { html } from "hono/html";
import type { OpenApiDocument, Operation } from "../openapi/OpenApiDocument.ts";
import { consoleStyle, type Html, page } from "./page.ts";

type Entry = { readonly method: string; readonly path: string; readonly operation: Operation };

/** The OpenAPI document as one self-contained page without scripts. Parameters, bodies and schemas are JSON Schema. */
export function referencePage({ components, info, paths, tags, webhooks }: OpenApiDocument): Html {
  const entries: readonly Entry[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, operation, path })),
  );
  const sent = Object.values(webhooks).map(({ post: operation }) => ({
    method: "post",
    operation,
    path: "your endpoint",
  }));
  const sections = [
    ...tags.map((tag) => ({
      ...tag,
      entries: entries.filter(({ operation }) => operation.tags.includes(tag.name)),
    })),
    { description: "What the emulator posts, and the answer it expects.", entries: sent, name: "Sent" },
  ];
  return page({
    content: html`${sections.map(
      ({ description, entries, name }) => html`<section aria-label="${name}">
<h2>${name}</h2>
<p>${withCode(description)}</p>
${entries.map(operationSection)}
</section>
`,
    )}
<section aria-labelledby="schemas">
<h2 id="schemas">Schemas</h2>
${Object.entries(components.schemas).map(([name, schema]) => details(name, schema))}
</section>`,
    header: html`<a class="skip" href="#content">To the content</a>
<header>
<h1>${info.title}</h1>
<p>${withCode(info.description)}</p>
<p>Version ${info.version}. The same as a document: <a href="/openapi.json">openapi.json</a>.</p>
</header>
<nav aria-label="Operations">
<ul>
${sections.map(({ entries, name }) => html`<li>${name}${contents(entries)}</li>`)}
<li><a href="#schemas">Schemas</a></li>
</ul>
</nav>`,
    style: referenceStyle,
    title: `${info.title}: reference`,
  });
}

function contents(entries: readonly Entry[]): Html {
  return html`<ul>${entries.map(
    ({ method, operation, path }) =>
      html`<li><a href="#${operation.operationId}"><span class="method">${method}</span> ${path}</a></li>`,
  )}</ul>`;
}

function operationSection({ method, operation, path }: Entry): Html {
  const { deprecated, description, operationId, parameters, requestBody, responses, security, summary } =
    operation;
  return html`<article aria-labelledby="${operationId}">
<h3 id="${operationId}"><code><span class="method">${method}</span> ${path}</code></h3>
<p>${deprecated === true ? html`<strong>Deprecated.</strong> ` : ""}${withCode(summary)}.</p>
${description === undefined ? "" : html`<p>${withCode(description)}</p>`}
${details("Parameters, body and answers", { security, parameters, requestBody, responses })}
</article>`;
}

function details(summary: string, value: unknown): Html {
  return html`<details><summary>${summary}</summary><pre><code>${JSON.stringify(value, null, 2)}</code></pre></details>
`;
}

function withCode(text: string): Html {
  return html`${text.split("`").map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}

/** Style of the reference: the console's, with additions for a long page. */
export const referenceStyle = `${consoleStyle}
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
nav ul { padding-left: 1.25rem; margin: 0.25rem 0; }
pre { overflow-x: auto; }
article { border-top: 1px solid var(--line); padding-top: 0.5rem; }
.method { text-transform: uppercase; }
`;
