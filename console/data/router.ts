import { signal } from "@preact/signals";
import { takeKey } from "./session.ts";

/** A view's address: the parts of its path, and its parameters. */
export type Place = { readonly path: readonly string[]; readonly query: URLSearchParams };

function read(): Place {
  takeKey();
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  return {
    path: path.split("/").filter(Boolean).map(decode),
    query: new URLSearchParams(query),
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The present view. */
export const place = signal(read());

addEventListener("hashchange", () => {
  place.value = read();
});

/** The address of a view. */
export function link(
  path: readonly (number | string)[],
  query: Readonly<Record<string, string>> = {},
): string {
  const given = Object.entries(query).filter(([, value]) => value !== "");
  const text = given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
  return `#/${path.map((part) => encodeURIComponent(part)).join("/")}${text}`;
}

/** Shows a view. `replace` leaves no step in the history, for filters. */
export function go(address: string, { replace = false } = {}): void {
  if (!replace) {
    location.hash = address;
    return;
  }
  history.replaceState(null, "", address);
  place.value = read();
}
