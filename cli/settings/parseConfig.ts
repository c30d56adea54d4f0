import * as z from "zod";
import type { TrustRoots } from "../../src/calls/verify/TrustRoots.ts";
import { usageError } from "../terminal/CommandError.ts";

/** Where a secret is: an environment variable, or a file relative to the configuration. Never the secret itself. */
export type SecretSource = { readonly env: string } | { readonly file: string };

/** Default export of `waybill.config.ts`; `docs/command.md` has an example. */
export type WaybillConfig = {
  /** URL of the service. Excludes `emulator`. */
  readonly url?: string | undefined;
  /** URL of the service's stream of statuses. @default none: statuses are polled */
  readonly wsUrl?: string | undefined;
  /** File that `waybill emulator --out` wrote, relative to the configuration: URL, keys, chains and solver. */
  readonly emulator?: string | undefined;
  /** Key for `x-api-key`. It is sent to `url` alone. */
  readonly apiKey?: SecretSource | undefined;
  /** Key for `/admin` of an emulator. It is sent to `url` alone. */
  readonly adminKey?: SecretSource | undefined;
  /** Private key of the account that pays. It never leaves the process, and pays at `url` alone. */
  readonly privateKey?: SecretSource | undefined;
  /**
   * Contracts and solvers against which quotes of `url` are proven. @default those of the public service for its URL, and of
   * the file for `emulator`
   */
  readonly trust?: TrustRoots | undefined;
  /** Account that signs records and orders. */
  readonly solver?: string | undefined;
  /** Nodes by chain id. @default those that the service names */
  readonly chains?: Readonly<Record<string, { readonly rpcUrl: string }>> | undefined;
};

const text = z.string().min(1);
const secret = z.union([z.strictObject({ env: text }), z.strictObject({ file: text })], {
  error: 'a key is { env: "NAME" } or { file: "path" }, never the key itself',
});
const httpUrl = z.url({ error: "not a URL of http or https", protocol: /^https?$/ });

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "not an address");
const trustedChain = z.strictObject({
  chainId: z.int().positive(),
  depositCurrencies: z.array(text).optional(),
  depository: text.optional(),
  name: text,
  outputGuard: address.optional(),
  permit2: address.optional(),
  relayReceiver: address.optional(),
  routers: z.array(
    z.strictObject({ approvalProxy: address, router: address, version: z.enum(["v2.1", "v3"]) }),
  ),
  vmType: text.optional(),
  wrappedNative: address.optional(),
});

const schema = z.strictObject({
  adminKey: secret.optional(),
  apiKey: secret.optional(),
  chains: z
    .record(
      z.string().regex(/^\d{1,15}$/, "a chain id is a whole number"),
      z.strictObject({ rpcUrl: httpUrl }),
    )
    .optional(),
  emulator: text.optional(),
  privateKey: secret.optional(),
  solver: address.optional(),
  trust: z.strictObject({ chains: z.array(trustedChain), solvers: z.array(address) }).optional(),
  url: httpUrl.optional(),
  wsUrl: z.url({ error: "not a URL of ws or wss", protocol: /^wss?$/ }).optional(),
});

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
  return parsed.data as WaybillConfig;
}
