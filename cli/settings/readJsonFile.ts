import { readFile } from "node:fs/promises";
import { usageError } from "../terminal/CommandError.ts";

/**
 * Reads a JSON file; `-` reads stdin.
 *
 * @throws CommandError that names the file, for one that cannot be read or is no JSON.
 */
export async function readJsonFile(file: string): Promise<unknown> {
  let text: string;
  try {
    text = file === "-" ? await readStdin() : await readFile(file, "utf8");
  } catch (cause) {
    throw usageError(`${file} cannot be read.`, cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw usageError(`${file} is not JSON.`, cause);
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
