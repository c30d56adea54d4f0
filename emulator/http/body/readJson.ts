import type { Context as HonoContext } from "hono";
import * as z from "zod";
import { readBody } from "./readBody.ts";

/** The request does not match its schema; the message names the path. */
export class InvalidRequestError extends Error {
  override readonly name = "InvalidRequestError";
}

/** Parses a JSON body by a schema. A missing optional body is an empty object. */
export async function readJson<Schema extends z.core.$ZodType>(
  http: HonoContext,
  schema: Schema,
  { isOptional = false }: { readonly isOptional?: boolean | undefined } = {},
): Promise<z.output<Schema>> {
  const text = await readBody(http);
  if (isOptional && text === "") return readWith({}, schema, "body");
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new InvalidRequestError("The body is not JSON", { cause });
  }
  return readWith(body, schema, "body");
}

/** Parses the query parameters by a schema. */
export function readQuery<Schema extends z.core.$ZodType>(
  http: HonoContext,
  schema: Schema,
): z.output<Schema> {
  return readWith(http.req.query(), schema, "query");
}

/** Parses a value by a schema; `root` names the value in errors about the whole. */
export function readWith<Schema extends z.core.$ZodType>(
  value: unknown,
  schema: Schema,
  root: string,
): z.output<Schema> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue === undefined || issue.path.length === 0 ? root : issue.path.join(".");
  throw new InvalidRequestError(`Invalid request: \`${path}\`: ${issue?.message ?? "not as documented"}`, {
    cause: result.error,
  });
}
