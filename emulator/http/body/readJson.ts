import type { Context as HonoContext } from "hono";
import * as z from "zod";
import { readBody } from "./readBody.ts";

/** A request that does not have the documented shape; the message says where. */
export class InvalidRequestError extends Error {
  override readonly name = "InvalidRequestError";
}

/** Reads a JSON body by a schema; where it is optional, none at all is an empty object. */
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

/** Reads the query parameters by a schema. */
export function readQuery<Schema extends z.core.$ZodType>(
  http: HonoContext,
  schema: Schema,
): z.output<Schema> {
  return readWith(http.req.query(), schema, "query");
}

/** Reads a value by a schema; `root` is what to call it where no part of it is to blame. */
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
