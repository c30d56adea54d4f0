import type { Hono } from "hono";
import type { Route } from "./Route.ts";

/** Has an app answer by routes. */
export function mountRoutes(app: Hono, routes: Iterable<Route>): Hono {
  for (const { before = [], method, path, respond } of routes) {
    app.on(method.toUpperCase(), [path], ...before, respond);
  }
  return app;
}
