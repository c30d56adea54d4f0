import { createRequire } from "node:module";
import { dirname } from "node:path";

/** Folder of the package, both from the TypeScript sources and from the build. */
export const packageRoot = dirname(createRequire(import.meta.url).resolve("waybill/package.json"));
