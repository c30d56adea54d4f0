import { randomUUID } from "node:crypto";
import {
  closeSync,
  createReadStream,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { keyError, usageError } from "../terminal/CommandError.ts";
import type { SecretSource } from "./parseConfig.ts";

/**
 * Reads a JSON file; `-` reads stdin.
 *
 * @throws CommandError that names the file, for one that cannot be read or is no JSON.
 */
export async function readJsonFile(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await textOf(file === "-" ? process.stdin : createReadStream(file));
  } catch (cause) {
    throw usageError(`${file} cannot be read.`, cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw usageError(`${file} is not JSON.`, cause);
  }
}

/**
 * Reads a secret from its environment variable or its file, without white space around it.
 *
 * @param name What it is, for the error, which never contains the secret.
 * @throws CommandError for a variable that is not set, and for a file that cannot be read.
 */
export function readSecret(source: SecretSource, folder: string, name: string): string {
  if ("env" in source) {
    const value = process.env[source.env]?.trim() ?? "";
    if (value === "") throw keyError(`The ${name} is missing: the variable ${source.env} is not set.`);
    return value;
  }
  let value = "";
  try {
    value = readFileSync(resolve(folder, source.file), "utf8").trim();
  } catch {
    // An empty value is refused too.
  }
  if (value === "") throw keyError(`The ${name} is missing: ${source.file} cannot be read or is empty.`);
  return value;
}

/**
 * Writes a file as a whole, on the disk before it returns: a crash leaves the old or the new content. Other users cannot read it.
 */
export function replaceFile(file: string, text: string): void {
  // Two processes may continue one run at once. A file that was there before could be a link, or readable by others.
  const next = `${file}.${randomUUID()}.next`;
  try {
    // The option writes on after a partial write: a disk that is almost full takes a part without an error.
    writeFileSync(next, text, { flag: "wx", flush: true, mode: 0o600 });
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
