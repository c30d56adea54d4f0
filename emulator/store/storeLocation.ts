import { InvalidParameterError } from "../../src/errors/InvalidParameterError.ts";

/** Location of a database. */
export type StoreLocation =
  | { readonly kind: "memory" }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "postgres"; readonly url: string };

/** A scheme has two letters or more; a single letter is a drive. */
const scheme = /^([a-z][a-z0-9+.-]+):/i;

/**
 * Parses the location of a database.
 *
 * @throws InvalidParameterError for any other text. The message does not repeat it: it may contain a password.
 */
export function storeLocation(url: string): StoreLocation {
  const name = scheme.exec(url)?.[1]?.toLowerCase();
  if (name === "postgres" || name === "postgresql") return { kind: "postgres", url: readable(url) };
  if (name !== undefined && name !== "sqlite") {
    throw invalid(`there is no database for the scheme \`${name}:\``);
  }
  const path = name === undefined ? url : url.slice("sqlite:".length).replace(/^\/\//, "");
  if (path === ":memory:") return { kind: "memory" };
  if (path === "" || path.includes("\0")) throw invalid("it names no file");
  return { kind: "file", path };
}

/** A location for messages and logs, without user and password. */
export function describeLocation(location: StoreLocation): string {
  if (location.kind === "memory") return "the database in memory";
  if (location.kind === "file") return location.path;
  const { host, pathname } = new URL(location.url);
  return `postgres://${host}${pathname}`;
}

function readable(url: string): string {
  if (!URL.canParse(url)) throw invalid("it is not a URL");
  return url;
}

function invalid(reason: string): InvalidParameterError {
  return new InvalidParameterError({ parameter: "database", reason });
}
