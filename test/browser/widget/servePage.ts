import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";

const folder = import.meta.dirname;
const page = (apiUrl: string) => `<!doctype html>
<html lang="en" data-api-url="${apiUrl}">
<head><meta charset="utf-8"><title>Widget</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/app.css"></head>
<body><div id="root" style="width: 500px"></div><script type="module" src="/app.js"></script></body>
</html>`;

/**
 * Bundles a page with the kit and serves it on loopback.
 *
 * @param entry Its script, in the folder `page`.
 * @param apiUrl The service that its document names.
 */
export async function servePage(
  entry: string,
  apiUrl: string,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { outputFiles } = await build({
    bundle: true,
    define: { global: "globalThis", "process.env.NODE_ENV": '"production"' },
    entryPoints: [join(folder, "page", entry)],
    format: "esm",
    jsx: "automatic",
    logLevel: "warning",
    target: "es2024",
    write: false,
  });
  const files: Readonly<Record<string, readonly [type: string, content: string]>> = {
    "/": ["text/html", page(apiUrl)],
    "/app.css": [
      "text/css",
      await readFile(join(folder, "node_modules/@relayprotocol/relay-kit-ui/dist/styles.css"), "utf8"),
    ],
    "/app.js": ["text/javascript", outputFiles[0]?.text ?? ""],
  };
  const server = createServer(({ url = "" }, answer) => {
    const [type, content] = files[url] ?? ["text/plain", ""];
    answer.writeHead(url in files ? 200 : 404, { "content-type": type }).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  };
}
