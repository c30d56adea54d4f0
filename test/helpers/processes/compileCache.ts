import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Environment of started processes, which share compiled modules: a start takes half of its CPU time. Node compares the
 * content of each module.
 */
export const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), "waybill-compile-cache") };
