import type { Result, Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

/**
 * A router that searches once for each path without parameters, and remembers what it found: there are as many as routes.
 * The router that Hono takes for such routes as these searches for every request anew.
 */
export function exactRouter<Target>(): Router<Target> {
  const searched = new TrieRouter<Target>();
  const exact = new Set<string>();
  const found = new Map<string, Result<Target>>();
  return {
    add: (method, path, target) => {
      if (!/[:*]/.test(path)) exact.add(path);
      found.clear();
      searched.add(method, path, target);
    },
    match: (method, path) => {
      if (!exact.has(path)) return searched.match(method, path);
      const name = `${method} ${path}`;
      const result = found.get(name) ?? searched.match(method, path);
      found.set(name, result);
      return result;
    },
    name: "ExactRouter",
  };
}
