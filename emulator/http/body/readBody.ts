import type { HttpBindings } from "@hono/node-server";
import type { Context as HonoContext } from "hono";
import * as z from "zod";
import { chosenBy, describeUnknown } from "./unknownNames.ts";

/** Maximum body length; many times a quote with 256 large calls. */
const maxBodyBytes = 512 * 1024;
/** Bytes of a longer body that are read and dropped, so that its sender reads the answer. */
const maxDrainedBytes = 8 * 1024 * 1024;

/** The body exceeds the limit. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";
}

/** The connection closed before the end of the body. */
export class BodyAbortedError extends Error {
  override readonly name = "BodyAbortedError";
}

/** Reads a request's body as text and keeps at most half a megabyte in memory. */
export async function readBody(http: HonoContext): Promise<string> {
  const body = await readBytes(http).catch((cause) => {
    throw new BodyAbortedError("The body did not come to its end", { cause });
  });
  if (body === undefined) throw new BodyTooLargeError(`The body is longer than ${maxBodyBytes} bytes`);
  const text = body.toString("utf8");
  http.set("body", text);
  return text;
}

/** Returns the body; `undefined` if it is too long. */
async function readBytes({ env, req }: HonoContext): Promise<Buffer | undefined> {
  // Node reads no further than the announced length, and its adapter reads such a body without a costly web stream.
  const announced = Number(req.header("content-length") ?? Number.POSITIVE_INFINITY);
  if (announced <= maxBodyBytes) return Buffer.from(await req.arrayBuffer());
  const kept: Uint8Array[] = [];
  let size = 0;
  const stream = req.raw.body as (ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) | null;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    if (size <= maxBodyBytes) kept.push(chunk);
    if (size <= maxDrainedBytes) continue;
    // Close the connection: the rest of the body would be parsed as the next request.
    (env as Partial<HttpBindings> | undefined)?.incoming?.destroy();
    break;
  }
  return size > maxBodyBytes ? undefined : Buffer.concat(kept);
}

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
  const read = readWith(body, schema, "body");
  noteUnknown(http, body, schema);
  return read;
}

/** Header of answers to requests with names that are ignored. */
export const unknownHeader = "x-waybill-unknown";

/** Names what an answer ignores in a header, which the log repeats. */
function noteUnknown(http: HonoContext, value: unknown, schema: z.core.$ZodType): void {
  const sentences = describeUnknown(value, schema);
  if (sentences.length === 0) return;
  http.header(unknownHeader, sentences.join(" "));
  // Without this, browser pages cannot read the header.
  http.header("Access-Control-Expose-Headers", unknownHeader, { append: true });
}

/** Parses the query parameters by a schema. */
export function readQuery<Schema extends z.core.$ZodType>(
  http: HonoContext,
  schema: Schema,
): z.output<Schema> {
  const query = http.req.query();
  const read = readWith(query, schema, "query");
  noteUnknown(http, query, schema);
  return read;
}

/** Parses a value by a schema; `root` names the value in errors about the whole. */
export function readWith<Schema extends z.core.$ZodType>(
  value: unknown,
  schema: Schema,
  root: string,
): z.output<Schema> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const { issues } = result.error;
  const [issue] = issues;
  const isOfNoForm = schema instanceof z.core.$ZodDiscriminatedUnion && issue?.code === "invalid_union";
  if (isOfNoForm || issues.some(({ code, path }) => code === "unrecognized_keys" && path.length === 0)) {
    const [sentence] = describeUnknown(value, chosenBy(value, schema));
    if (sentence !== undefined)
      throw new InvalidRequestError(`Invalid request: ${sentence}`, { cause: result.error });
  }
  const path = issue === undefined || issue.path.length === 0 ? root : issue.path.join(".");
  throw new InvalidRequestError(`Invalid request: \`${path}\`: ${issue?.message ?? "not as documented"}`, {
    cause: result.error,
  });
}
