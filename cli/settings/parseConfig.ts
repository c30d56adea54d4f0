import * as z from "zod";
import { trustSchema } from "../../src/calls/verify/TrustRoots.ts";
import { usageError } from "../terminal/CommandError.ts";

const text = z.string().min(1);
const secret = z.union([z.strictObject({ env: text }), z.strictObject({ file: text })], {
  error: 'a key is { env: "NAME" } or { file: "path" }, never the key itself',
});
const httpUrl = z.url({ error: "not a URL of http or https", protocol: /^https?$/ });
const chainId = z.string().regex(/^\d{1,15}$/, "a chain id is a whole number");

const schema = z.strictObject({
  /** URL of the service. Excludes `emulator`. */
  url: httpUrl.optional(),
  /** URL of the service's stream of statuses. @default none: statuses are polled */
  wsUrl: z.url({ error: "not a URL of ws or wss", protocol: /^wss?$/ }).optional(),
  /** File that `waybill emulator --out` wrote, relative to the configuration: URL, keys, chains and solver. */
  emulator: text.optional(),
  /** Key for `x-api-key`. It is sent to `url` alone. */
  apiKey: secret.optional(),
  /** Key for `/admin` of an emulator. It is sent to `url` alone. */
  adminKey: secret.optional(),
  /** Private key of the account that pays. It never leaves the process, and pays at `url` alone. */
  privateKey: secret.optional(),
  /**
   * Contracts and solvers against which quotes of `url` are proven. @default those of the public service for its URL, and of
   * the file for `emulator`
   */
  trust: z.optional(trustSchema),
  /** Account that signs records and orders. */
  solver: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, "not an address")
    .optional(),
  /** Nodes by chain id. @default those that the service names */
  chains: z.record(chainId, z.strictObject({ rpcUrl: httpUrl })).optional(),
});

/** Where a secret is: an environment variable, or a file relative to the configuration. Never the secret itself. */
export type SecretSource = z.output<typeof secret>;

/** Default export of `waybill.config.ts`; `docs/reference/command.md` has an example. */
export type WaybillConfig = Readonly<z.output<typeof schema>>;

/**
 * Validates what a configuration file exports.
 *
 * @throws CommandError that names the file and the field.
 */
export function parseConfig(value: unknown, file: string): WaybillConfig {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path.join(".") ?? "";
    const field = path === "" ? "the default export" : `\`${path}\``;
    throw usageError(`${file}: ${field} is invalid: ${issue?.message ?? "unknown"}.`);
  }
  if (parsed.data.url !== undefined && parsed.data.emulator !== undefined) {
    throw usageError(`${file}: \`url\` and \`emulator\` exclude each other.`);
  }
  return parsed.data;
}
