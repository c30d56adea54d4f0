import { createRequire } from "node:module";
import { dirname } from "node:path";

/** The package's own folder: the same from the TypeScript sources and from the build. */
export const packageRoot = dirname(createRequire(import.meta.url).resolve("waybill/package.json"));
