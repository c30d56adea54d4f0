import { type Abi, type Address, type Hex, type StateOverride, zeroAddress } from "viem";
import { ChainReadFailedError } from "../errors/ChainReadFailedError.ts";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAccount, readAddress } from "../internal/readAddress.ts";
import { readList, readObject } from "../internal/readParts.ts";
import { readUint256 } from "../internal/readUint256.ts";
import { type ChainClient, callChain } from "./callChain.ts";
import {
  encodeRead,
  interpretReads,
  planReads,
  readerOverride,
  type SimulatedAllowance,
  type SimulatedBalance,
  type SimulatedLeftover,
} from "./callReads.ts";
import { decodeResults } from "./decodeCanonical.ts";
import { decodeRevert, type Revert } from "./decodeRevert.ts";
import { type GasSource, measureGas, type SimulatedLog } from "./measureGas.ts";
import { overrideBalance } from "./overrideBalance.ts";
import { type RouterVersion, readRouterVersion, withMetadata } from "./RouterVersion.ts";
import { encodeOverload, serviceFunctions } from "./serviceFunctions.ts";
import { type ToCallParameters, toCall } from "./toCall.ts";

/** Sender of the simulated calls. Its key is unknown. */
const simulator = "0x00000000000000000000000000000000005157Ab";

export type SimulateCallsParameters = {
  txs: readonly ToCallParameters[];
  /** Router on the destination chain, which executes the calls. */
  router: Address;
  /** @default "v3" */
  routerVersion?: RouterVersion | undefined;
  /** Arriving balances of the router, in smallest units; the zero address is the native currency. */
  balances?: readonly { readonly token: Address; readonly amount: bigint }[] | undefined;
  /** Receives the rest of the native currency, and NFTs. */
  recipient: Address;
  /** ABIs whose errors are decoded, in addition to the service's and common tokens'. */
  abis?: readonly Abi[] | undefined;
  /** Accounts whose balances are reported, in addition to router and recipient. */
  accounts?: readonly Address[] | undefined;
  blockNumber?: bigint | undefined;
  /** Measures gas, with one more request for each call and one for the router. Default: true. */
  gas?: boolean | undefined;
};

/** Result of a call. */
export type SimulatedCall = (
  | { readonly success: true; readonly returnData: Hex }
  | { readonly success: false; readonly returnData: Hex; readonly revert: Revert }
) & {
  /**
   * Gas that this call adds to the transaction, calldata included. Negative if it clears storage that an earlier call
   * has filled. Undefined from the first failing call on, and when `gasSource` is.
   */
  readonly gasUsed: bigint | undefined;
};

export type SimulateCallsReturnType = {
  /**
   * Balances of router, recipient and `accounts` before and after the calls, in the native currency and each token that
   * `balances` or the calls name. The router hands its native currency to the recipient at the end.
   */
  readonly balances: readonly SimulatedBalance[];
  /** Allowances of the router that the calls give or change. */
  readonly allowances: readonly SimulatedAllowance[];
  /** What stays on the router, which is shared: the next caller can take it. */
  readonly leftovers: readonly SimulatedLeftover[];
  /**
   * Events of the whole transaction in order, the router's included. Undefined when a call fails, without `gas`, and on nodes
   * without `eth_simulateV1`.
   */
  readonly events: readonly SimulatedLog[] | undefined;
  /** In the order of `txs`. Calls after a failed one run as if it were absent. */
  readonly calls: readonly SimulatedCall[];
  /** Index of the first failing call; undefined when all succeed. */
  readonly failedIndex: number | undefined;
  /** Source of the gas figures; undefined when the node supports none. */
  readonly gasSource: GasSource | undefined;
  /** Gas of the whole transaction to the router; undefined when a call fails. */
  readonly gasUsed: bigint | undefined;
};

/**
 * Simulates calls as the router executes them: one `eth_call` of the router's `multicall`, with the arriving balances
 * as state overrides. Needs a node that supports state overrides. Gas comes from `eth_simulateV1` if the node has it,
 * else from an estimate.
 *
 * @param client Reads the destination chain.
 * @returns The result of each call, and the index of the first failing one.
 * @throws {InvalidParameterError} For an invalid argument, by name; also for a token whose balance slot is
 * unknown.
 * @throws {ChainReadFailedError} When the chain does not answer.
 *
 * @example
 * import { createPublicClient, getAddress, http } from "viem";
 * import { simulateCalls } from "waybill";
 * import { createClient, getChains } from "waybill/client";
 *
 * const { chains } = await getChains(createClient({ baseUrl: "http://127.0.0.1:4000" }));
 * const router = chains.find(({ id }) => id === 31338)?.contracts?.v3?.erc20Router;
 * if (!router) throw new Error("the chain has no router");
 * const client = createPublicClient({ transport: http("http://127.0.0.1:8546") });
 * const recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
 * const { failedIndex, gasSource, gasUsed } = await simulateCalls(client, {
 *   balances: [{ amount: 1n, token: "0x0000000000000000000000000000000000000000" }],
 *   recipient,
 *   router: getAddress(router),
 *   txs: [{ data: "0x", to: recipient, value: 1n }],
 * });
 * console.log(failedIndex); // undefined
 * console.log(gasSource, gasUsed);
 */
export async function simulateCalls(
  client: ChainClient,
  parameters: SimulateCallsParameters,
): Promise<SimulateCallsReturnType> {
  const { abis, gas = true } = parameters;
  const simulation = readSimulation(parameters);
  const { blockNumber, recipient, router, tokens, value } = simulation;
  const stateOverride = await Promise.all(
    tokens.map((each) => overrideBalance(client, { ...each, blockNumber, owner: router })),
  );
  const { answers, made, reads } = await runCalls(client, simulation, { abis, stateOverride });
  const failure = made.findIndex(({ success }) => !success);
  const failedIndex = failure < 0 ? undefined : failure;
  const counts = Array.from({ length: (failedIndex ?? made.length) + 1 }, (_, count) => count);
  const datas = counts.map((count) => encodeMulticall(simulation, { allowFailure: false, count }));
  const measured = gas
    ? await measureGas(client, { blockNumber, datas, sender: simulator, stateOverride, to: router, value })
    : undefined;
  return {
    ...interpretReads(reads, answers, { recipient, router }),
    calls: made.map(({ returnData, success }, index): SimulatedCall => {
      const [before, after] = [measured?.gas[index], measured?.gas[index + 1]];
      const gasUsed = before === undefined || after === undefined ? undefined : after - before;
      if (success) return { gasUsed, returnData, success };
      return { gasUsed, returnData, revert: decodeRevert(returnData, abis), success };
    }),
    events: failedIndex === undefined ? measured?.logs : undefined,
    failedIndex,
    gasSource: measured?.source,
    gasUsed: failedIndex === undefined ? measured?.gas.at(-1) : undefined,
  };
}

type RunParameters = { readonly abis: readonly Abi[] | undefined; readonly stateOverride: StateOverride };

/** Runs the calls between two rounds of reads. Nodes that do not override code read no native balances. */
async function runCalls(client: ChainClient, simulation: Simulation, parameters: RunParameters) {
  const { tokens, ...rest } = simulation;
  const reads = planReads({ ...rest, tokens: tokens.map(({ token }) => token) });
  try {
    return await runWithReads(client, simulation, { ...parameters, reads });
  } catch (error) {
    if (!(error instanceof ChainReadFailedError) || error.retryable) throw error;
    const fewer = reads.filter(({ token }) => token !== zeroAddress);
    return runWithReads(client, simulation, { ...parameters, reads: fewer });
  }
}

async function runWithReads(
  client: ChainClient,
  simulation: Simulation,
  { abis, reads, stateOverride }: RunParameters & { readonly reads: ReturnType<typeof planReads> },
) {
  const { blockNumber, calls, router, value } = simulation;
  const encoded = reads.map((read) => encodeRead(read, router));
  const isNative = reads.some(({ token }) => token === zeroAddress);
  const money = { address: simulator, balance: value + 10n ** 24n } as const;
  const { data, failed } = await callChain(client, "simulating calls", {
    account: simulator,
    blockNumber,
    data: encodeMulticall(
      { ...simulation, calls: [...encoded, ...calls, ...encoded] },
      { allowFailure: true, count: calls.length + 2 * reads.length },
    ),
    stateOverride: [money, ...(isNative ? [readerOverride] : []), ...stateOverride],
    to: router,
    value,
  });
  if (failed) {
    const reason = `it refuses the calls: ${decodeRevert(data, abis).text}`;
    throw new InvalidParameterError({ parameter: "router", reason });
  }
  const results = readResults(data);
  const end = reads.length + calls.length;
  return {
    answers: { after: results.slice(end), before: results.slice(0, reads.length) },
    made: results.slice(reads.length, end),
    reads,
  };
}

type Simulation = ReturnType<typeof readSimulation>;

function readSimulation(parameters: SimulateCallsParameters) {
  const routerVersion = readRouterVersion(parameters.routerVersion);
  const blockNumber =
    parameters.blockNumber === undefined ? undefined : readUint256(parameters.blockNumber, "blockNumber");
  const router = readAccount(parameters.router, "router");
  const recipient = readAccount(parameters.recipient, "recipient");
  const calls = readList(parameters.txs, "txs", (input, parameter) => {
    const { data, to, value } = toCall(input as ToCallParameters, parameter);
    return { data, to, value };
  });
  const accounts = readList(parameters.accounts ?? [], "accounts", readAccount);
  const sums = new Map<string, { amount: bigint; parameter: string; token: Address }>();
  readList(parameters.balances ?? [], "balances", (item, at) => {
    const { amount, token: input } = readObject(item, at);
    const token = readAddress(input, `${at}.token`);
    const before = sums.get(token.toLowerCase()) ?? { amount: 0n, parameter: `${at}.token`, token };
    const sum = readUint256(before.amount + readUint256(amount, `${at}.amount`), `${at}.amount`);
    sums.set(token.toLowerCase(), { ...before, amount: sum });
  });
  const value = sums.get(zeroAddress)?.amount ?? 0n;
  sums.delete(zeroAddress);
  return {
    accounts,
    blockNumber,
    calls,
    recipient,
    router,
    routerVersion,
    tokens: [...sums.values()],
    value,
  };
}

/** Encodes the router's calldata for the first `count` calls. */
function encodeMulticall(
  { calls, recipient, routerVersion }: Simulation,
  { allowFailure, count }: { allowFailure: boolean; count: number },
): Hex {
  const made = calls
    .slice(0, count)
    .map(({ data, to, value }) => ({ allowFailure, callData: data, target: to, value }));
  const args = withMetadata([made, recipient, recipient], routerVersion);
  return encodeOverload(serviceFunctions, "multicall", args);
}

/** Results of the calls; rejects a target that is no router. */
function readResults(data: Hex) {
  try {
    return decodeResults(data);
  } catch (cause) {
    throw new InvalidParameterError({ cause, parameter: "router", reason: "it is no router" });
  }
}
