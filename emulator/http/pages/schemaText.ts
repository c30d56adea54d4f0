import { html } from "hono/html";
import type { JsonSchema } from "../openapi/OpenApiDocument.ts";
import type { Html } from "./page.ts";

const fewValues = 8;
/** Words before and after the value of each bound. */
const bounds = {
  minimum: ["at least", ""],
  exclusiveMinimum: ["more than", ""],
  maximum: ["at most", ""],
  minLength: ["at least", " characters"],
  maxLength: ["at most", " characters"],
  minItems: ["at least", " entries"],
  maxItems: ["at most", " entries"],
  pattern: ["matches", ""],
  default: ["when left out", ""],
} as const satisfies Partial<Record<keyof JsonSchema, readonly [string, string]>>;
/** A bound of the number format only; not shown. */
const largest = Number.MAX_SAFE_INTEGER;

/** Anchor of a schema on the page. */
export function schemaAnchor(name: string): string {
  return `schema-${name}`;
}

/** Describes a JSON Schema in words, with links to named schemas. */
export function schemaText(schema: JsonSchema): Html {
  const { $ref, allOf, anyOf, enum: values, items, oneOf, properties = {} } = schema;
  if ($ref !== undefined) return link($ref);
  if (schema.not !== undefined) return html`must not be there`;
  if (values !== undefined) return choice(values);
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (allOf !== undefined) return html`${allOf.map(part)}`;
  const any = anyOf ?? oneOf;
  if (any !== undefined) return joined(any, " or ");
  if (items !== undefined) return html`list of ${schemaText(items as JsonSchema)}${boundsText(schema)}`;
  if (Object.keys(properties).length > 0) return html`object ${fieldList(schema)}`;
  const { additionalProperties: each } = schema;
  if (typeof each === "object") return html`object of ${schemaText(each)}`;
  return html`${typeText(schema)}${boundsText(schema)}`;
}

/** Lists the fields of an object, nested ones included. */
export function fieldList({ properties = {}, required = [] }: JsonSchema): Html {
  return html`<ul class="fields">${Object.entries(properties).map(
    ([name, field]) =>
      html`<li><code>${name}</code>${required.includes(name) ? "" : " (optional)"}: ${schemaText(field as JsonSchema)}</li>`,
  )}</ul>`;
}

function link(reference: string): Html {
  const name = reference.split("/").at(-1) ?? "";
  return html`<a href="#${schemaAnchor(name)}">${name}</a>`;
}

/** One part of an `allOf`: a named schema, or additional fields. */
function part(schema: JsonSchema, index: number): Html {
  const text = schema.properties === undefined ? schemaText(schema) : fieldList(schema);
  return html`${index === 0 ? "" : " with "}${text}`;
}

function choice(values: readonly unknown[]): Html {
  const all = values.map((value, index) => html`${index === 0 ? "" : ", "}<code>${value}</code>`);
  if (values.length === 1) return html`${all}`;
  if (values.length <= fewValues) return html`one of ${all}`;
  return html`<details><summary>one of ${values.length} values</summary>${all}</details>`;
}

function joined(schemas: readonly JsonSchema[], word: string): Html {
  return html`${schemas.map((schema, index) => html`${index === 0 ? "" : word}${schemaText(schema)}`)}`;
}

function typeText({ type }: JsonSchema): string {
  if (type === undefined) return "anything";
  return typeof type === "string" ? type : type.join(" or ");
}

function boundsText(schema: JsonSchema): Html | string {
  const said = Object.entries(bounds).filter(([key]) => schema[key] !== undefined && schema[key] !== largest);
  if (said.length === 0) return "";
  return html` <span class="muted">(${said.map(
    ([key, [before, behind]], index) =>
      html`${index === 0 ? "" : ", "}${before} <code>${String(schema[key])}</code>${behind}`,
  )})</span>`;
}
