import { html } from "hono/html";
import type { Content, DocumentedAnswer, Operation, Parameter } from "../openapi/OpenApiDocument.ts";
import { type Html, schemaText } from "./schemaText.ts";
import { withCode } from "./withCode.ts";

/** One operation: what it takes, and each answer it gives. */
export function operationSection(method: string, path: string, operation: Operation): Html {
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
    ? "Takes an API key in the header x-api-key, and needs none."
    : "Needs an API key in the header x-api-key.";
}

function parameterTable(operationId: string, parameters: readonly Parameter[]): Html {
  return html`<h4>Parameters</h4>
<div class="scroll" role="region" aria-label="Parameters of ${operationId}" tabindex="0">
<table>
<caption>Parameters of ${operationId}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Required</th><th scope="col">Value</th></tr></thead>
<tbody>
${parameters.map(parameterRow)}
</tbody>
</table>
</div>`;
}

function parameterRow({ content, description, explode, in: place, name, required, schema }: Parameter): Html {
  const value = content === undefined ? schemaText(schema ?? {}) : contentText(content);
  return html`<tr><th scope="row"><code>${name}</code></th><td>${place}</td><td>${required ? "yes" : "no"}</td>
<td>${value}${content === undefined ? "" : ", as JSON"}${explode === false ? ", with commas between" : ""}${
    description === undefined ? "" : html`<br>${withCode(description)}`
  }</td></tr>`;
}

function answerTable(operationId: string, responses: Operation["responses"]): Html {
  return html`<h4>Answers</h4>
<div class="scroll" role="region" aria-label="Answers of ${operationId}" tabindex="0">
<table>
<caption>Answers of ${operationId}</caption>
<thead><tr><th scope="col">Status</th><th scope="col">When</th><th scope="col">Body</th></tr></thead>
<tbody>
${Object.entries(responses).map(([status, answer]) => answerRow(status, answer))}
</tbody>
</table>
</div>`;
}

function answerRow(status: string, { content, description, headers = {} }: DocumentedAnswer): Html {
  const names = Object.keys(headers);
  return html`<tr><th scope="row">${status}</th><td>${withCode(description)}${
    names.length === 0 ? "" : html`<br><span class="muted">Headers: ${names.join(", ")}</span>`
  }</td><td>${content === undefined ? "none" : contentText(content)}</td></tr>`;
}

function contentText(content: Content): Html {
  return html`${Object.entries(content).map(([type, { schema }]) =>
    type === "application/json" ? schemaText(schema) : html`${type}`,
  )}`;
}
