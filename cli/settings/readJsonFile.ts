import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { CommandError, usageError } from "../terminal/CommandError.ts";

/** More than any file of the command has, in bytes. Parsing more would end the process without a message. */
const largest = 32_000_000;

/**
 * Reads a JSON file; `-` reads stdin.
 *
 * @throws CommandError that names the file, for one that cannot be read, is larger than 32 MB, or is no JSON.
 */
export async function readJsonFile(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readText(file === "-" ? process.stdin : createReadStream(file), file);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw usageError(`${file} cannot be read.`, cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw usageError(`${file} is not JSON.`, cause);
  }
}

async function readText(stream: Readable, file: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += (chunk as Buffer).length;
    if (size > largest) throw usageError(`${file} is larger than ${largest} bytes.`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}
