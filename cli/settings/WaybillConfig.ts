import type { TrustRoots } from "../../src/calls/verify/TrustRoots.ts";

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
