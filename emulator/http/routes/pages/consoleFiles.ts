import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../chains/packageRoot.ts";
import { assertFound, defineRoute, notFound, type Route } from "../../route/Route.ts";

export const consolePath = "/console";

/** The built console; see `scripts/build/console.ts`. */
const folder = join(packageRoot, "console", "dist");
const files = [
  ["", "index.html", "text/html"],
  ["/app.js", "app.js", "text/javascript"],
  ["/app.css", "app.css", "text/css"],
] as const;

/** The console loads its own files and calls its own origin, nothing else. */
const policy = [
  "default-src 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "script-src 'self'",
  "style-src 'self'",
].join("; ");

/** `GET /console` and its files. */
export function consoleRoutes(): readonly Route[] {
  return files.map(([path, name, mediaType]) =>
    defineRoute({
      method: "get",
      path: `${consolePath}${path}`,
      operationId: { "app.css": "getConsoleStyle", "app.js": "getConsoleScript", "index.html": "getConsole" }[
        name
      ],
      tag: "Documents",
      summary:
        name === "index.html"
          ? "The console: requests, chains and control, for people"
          : "A part of the console",
      answers: {
        200: { description: "The file", mediaType },
        404: notFound("The console is not built"),
      },
      handle: ({ http }) => {
        const content = assertFound(read(name), "The console is not built: run `npm run setup`");
        http.header("cache-control", "no-cache");
        http.header("content-security-policy", policy);
        http.header("referrer-policy", "no-referrer");
        http.header("x-content-type-options", "nosniff");
        return http.body(content, 200, { "content-type": `${mediaType}; charset=utf-8` });
      },
    }),
  );
}

function read(name: string): string | undefined {
  try {
    return readFileSync(join(folder, name), "utf8");
  } catch {
    return undefined;
  }
}
