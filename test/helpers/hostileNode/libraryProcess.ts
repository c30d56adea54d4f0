import { dirname, join } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";

/** The part of the library with state of its own. */
const folder = new URL("../../../src/execute", import.meta.url).pathname;

/** The functions of a fresh process. */
export type LibraryProcess = Pick<typeof import("../../../src/execute/execute.ts"), "execute">;

/**
 * Bundles `src/execute` so that it can be evaluated again and again: each evaluation has the module state of a process that
 * has just started, at a small part of its cost. All other modules are shared.
 */
export async function bundleLibrary(): Promise<() => LibraryProcess> {
  const shared = new Set<string>();
  const bundle: BuildOptions & { write: false } = {
    bundle: true,
    entryPoints: [join(folder, "execute.ts")],
    format: "cjs",
    logLevel: "warning",
    plugins: [shareOthers(shared)],
    write: false,
  };
  const { outputFiles } = await build(bundle);
  const modules = new Map<string, unknown>();
  for (const path of shared) modules.set(path, await import(path));
  const run = new Function("require", "module", outputFiles[0]?.text ?? "");
  return () => {
    const module = { exports: {} };
    run((path: string) => modules.get(path), module);
    return module.exports as LibraryProcess;
  };
}

function shareOthers(shared: Set<string>): Plugin {
  return {
    name: "share-others",
    setup: ({ onResolve }) => {
      onResolve({ filter: /.*/ }, ({ importer, path: name }) => {
        if (importer === "") return undefined;
        const path = name.startsWith(".") ? join(dirname(importer), name) : name;
        if (path.startsWith(folder)) return undefined;
        shared.add(path);
        return { external: true, path };
      });
    },
  };
}
