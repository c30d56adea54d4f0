import type { Hex } from "viem";
import * as z from "zod";
import { readParameters } from "../src/client/internal/parameters.ts";
import { InvalidParameterError } from "../src/errors/InvalidParameterError.ts";
import { type CorsOrigins, isLoopback } from "./access/hostRule.ts";
import type { Activity } from "./activity/Activity.ts";
import { type Fork, forkEngines } from "./chains/chainDefinitions.ts";
import type { ExternalChain } from "./chains/evm/connectChain.ts";
import type { StartTime } from "./chains/startTime.ts";
import type { EmulatorConfig } from "./context/EmulatorConfig.ts";
import type { PrivateChain } from "./context/places.ts";
import { configChangeSchema } from "./control/settings/openConfig.ts";
import type { LogEntry } from "./log/LogEntry.ts";

/** What {@link startEmulator} takes. */
export type StartEmulatorParameters = {
  /** Port of the API; 0 picks a free port. @default 4000 */
  port?: number | undefined;
  /** Address that the API and the local chains listen on. @default "127.0.0.1" */
  hostname?: string | undefined;
  /** Number of local chains, from 1 to 8. @default 2, or the number of `chainIds`; 1 with `forks` */
  chainCount?: number | undefined;
  /** Ids of the local chains, one for each chain. @default 31337 and on */
  chainIds?: readonly number[] | undefined;
  /** Ports of the local chains, one for each chain; 0 picks a free port. @default 8545 and on; free ports if one is in use */
  chainPorts?: readonly number[] | undefined;
  /**
   * External chains, in place of the local ones. Their nodes must accept transactions of the test mnemonic's accounts. The
   * service's contracts are deployed to each chain that the database has no record of.
   */
  chains?: readonly ExternalChain[] | undefined;
  /**
   * Public chains to fork, in addition to the local chains. A fork keeps its chain id. The service's contracts, tokens and pools
   * are used where they stand, and deployed where they do not; accounts and solver are funded. Answers of the upstream are kept
   * on disk by block: a second start from the same block needs no upstream. @default none
   */
  forks?: readonly Fork[] | undefined;
  /**
   * Database: `:memory:`, the path of a SQLite file with or without `sqlite:` before it, or `postgres://…`, which needs the
   * package `pg`. @default ":memory:"
   */
  database?: string | undefined;
  /** Empties the database before the start. No other process may use it then. @default false */
  reset?: boolean | undefined;
  /** Generation of the router and approval proxy that swaps and calls go through. @default "v3" */
  routerVersion?: EmulatorConfig["routerVersion"] | undefined;
  /** Structured logger. Secrets are never passed to it. @default no log */
  log?: ((entry: LogEntry) => void) | undefined;
  /** Called for each quote, deposit, fill, refund, webhook and fault. It must not throw. @default none */
  onActivity?: ((activity: Activity) => void) | undefined;
  /**
   * Start of the clock: Unix milliseconds or a date. The clock runs on from there, and local chains follow it. A function
   * replaces the system clock instead; it returns Unix milliseconds. @default Date.now
   */
  now?: StartTime | (() => number) | undefined;
  /** Source of 32 random bytes, for request ids, salts and keys. @default the system's secure random source */
  random32?: (() => Hex) | undefined;
  /**
   * Makes a run repeatable: ids, keys and random faults derive from the seed. The same seed and the same calls give the same
   * results. Anyone with the seed can derive the keys. Excludes `random32`.
   */
  seed?: string | undefined;
  /**
   * Browser origins that may read the API, connect to the stream and call the JSON-RPC of the local chains: any, a list, or
   * none. @default true
   */
  cors?: CorsOrigins | undefined;
  /**
   * Counts requests without an API key as the first key's, so that clients that send none, such as the service's official client
   * to a local address, can fill fast and be sponsored. The service refuses them. Only on loopback. @default false
   */
  defaultKey?: boolean | undefined;
  /** Accepts what the service documents as refused, and refunds without `refundTo`; see `docs/reference/conformance.md`. @default false */
  lenient?: boolean | undefined;
  /** Enforces the service's rate limits. @default false */
  rateLimits?: boolean | undefined;
  /**
   * Time from which `GET /requests/v2` answers 410, by the emulator's clock: a date and time (ISO 8601, UTC), or `never`.
   * @default "2026-11-24T00:00:00.000Z"
   */
  requestsV2Sunset?: string | undefined;
  /**
   * Minimum time from a deposit to the stream's `success`, in milliseconds, so that a wallet first reads the response to its
   * own transaction. 0 disables it. @default 10
   */
  successDelayMs?: number | undefined;
  /** Amount that the solver lends to one request: dollars, as a decimal number. @default "10000000" */
  capacityPerRequest?: string | undefined;
  /** Amount that the solver advances to one fast fill: dollars, as a decimal number. @default "10000" */
  advancePerRequest?: string | undefined;
  /** Amount that the solver advances to the fast fills of one API key, until deposits pay it back: dollars. @default "50000" */
  advancePerKey?: string | undefined;
  /** Allows webhook targets on other machines. @default false */
  allowRemoteWebhooks?: boolean | undefined;
  /**
   * File to record the run to, for `replayRun`: seed, start, and every input from outside. Inputs then run one after the other.
   * Only with local chains and a database in memory.
   */
  record?: string | undefined;
  /**
   * Chains that `GET /chains` and the listings of requests hide unless a query names their UUIDs. Everything else works as on
   * other chains. @default none
   */
  privateChains?: readonly PrivateChain[] | undefined;
  /** Opens the perps exchange, chain 1337, on a ledger in the database. @default false */
  perps?: boolean | undefined;
  /** Opens an SVM chain, 792703809, on a log in the database. Needs the package `litesvm`. @default false */
  svm?: boolean | undefined;
  /** Keeps the state of each block for `control.chains.reorg`, at some memory for each block. @default false */
  reorgs?: boolean | undefined;
};

export const defaultHostname = "127.0.0.1";

const port = z.int().min(0).max(65_535);
const text = z.string().min(1).optional();
const callback = z.custom((value) => typeof value === "function", "not a function").optional();
const flag = z.boolean().optional();

/** The other parameters are validated by the parts that use them. */
const schema = configChangeSchema.extend({
  chainIds: z.array(z.number()).optional(),
  chainPorts: z.array(port).optional(),
  chains: z.array(z.object({ id: z.int().positive(), name: text, rpcUrl: z.string() })).optional(),
  cors: z.union([z.boolean(), z.array(z.string())]).optional(),
  database: text,
  defaultKey: flag,
  forks: z
    .array(
      z.object({
        block: z.int().min(0).optional(),
        engine: z.enum(forkEngines).optional(),
        id: z.int().positive(),
        rpcUrl: z.url({ protocol: /^https?$/ }),
      }),
    )
    .optional(),
  hostname: text,
  log: callback,
  onActivity: callback,
  perps: flag,
  port: port.optional(),
  privateChains: z.array(z.object({ id: z.int().positive(), uuid: z.uuid() })).optional(),
  random32: callback,
  record: text,
  reset: flag,
  seed: text,
  svm: flag,
  successDelayMs: z.number().min(0).max(60_000).optional(),
});

/**
 * Validates the shape of start parameters before anything is started.
 *
 * @throws InvalidParameterError that names the parameter.
 */
export function assertStartParameters(parameters: StartEmulatorParameters): void {
  const known = Object.entries(parameters).filter(
    ([name, value]) => name in schema.shape && value !== undefined,
  );
  readParameters(schema, Object.fromEntries(known));
  if (parameters.defaultKey === true && !isLoopback(parameters.hostname ?? defaultHostname)) {
    const reason = "other machines could spend as the first key: only on loopback";
    throw new InvalidParameterError({ parameter: "defaultKey", reason });
  }
}
