import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { JsonSchema, OpenApiDocument } from "../../../scripts/openapi/OpenApiDocument.ts";

/** Id of the document among its schemas. */
const documentId = "openapi.json";

/**
 * Validates values by a document's own schemas, with a validator independent of their generator.
 *
 * @returns Mismatches of a value; empty if it fits.
 */
export function ajvWitness(
  document: OpenApiDocument,
): (schema: JsonSchema, body: unknown) => readonly string[] {
  const ajv = new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
  });
  addFormats.default(ajv);
  // Keywords of OpenAPI, not of JSON Schema: the document only holds the targets of references.
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema({ ...document }, documentId);
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  return (schema, body) => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', `"${documentId}#/components/`);
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as JsonSchema);
    compiled.set(text, validate);
    if (validate(body)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}
