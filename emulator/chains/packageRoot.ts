import { join } from "node:path";

/** The folder that holds `api/` and `artifacts/`: the repository's, or `dist` of the published package, which has the same layout. */
export const packageRoot = join(import.meta.dirname, "..", "..");
