import * as z from "zod";
import { readParameters } from "../src/client/readParameters.ts";
import { configChangeSchema } from "./control/settings/openConfig.ts";

const port = z.int().min(0).max(65_535);
const text = z.string().min(1).optional();
const callback = z.custom((value) => typeof value === "function", "not a function").optional();
const flag = z.boolean().optional();

/** What is not here is refused by the part that it is for. */
const schema = configChangeSchema.extend({
  chainIds: z.array(z.number()).optional(),
  chainPorts: z.array(port).optional(),
  chains: z.array(z.object({ id: z.int().positive(), name: text, rpcUrl: z.string() })).optional(),
  clientLimits: z.record(z.string(), z.number().nonnegative().optional()).optional(),
  cors: z.union([z.boolean(), z.array(z.string())]).optional(),
  database: text,
  hostname: text,
  log: callback,
  port: port.optional(),
  random32: callback,
  reset: flag,
  seed: text,
  successDelayMs: z.number().min(0).max(60_000).optional(),
});

/**
 * Refuses settings of another form before anything is started.
 *
 * @throws InvalidParameterError that names the setting.
 */
export function assertStartParameters(parameters: object): void {
  const known = Object.entries(parameters).filter(
    ([name, value]) => name in schema.shape && value !== undefined,
  );
  readParameters(schema, Object.fromEntries(known));
}
