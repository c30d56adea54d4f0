import {
  type Abi,
  type Address,
  decodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbiParameters,
  zeroAddress,
} from "viem";
import type { ChainReadFailedError } from "../errors/ChainReadFailedError.ts";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAccount, readAddress } from "../internal/readAddress.ts";
import { readList, readObject } from "../internal/readParts.ts";
import { readUint256 } from "../internal/readUint256.ts";
import { type ChainClient, callChain } from "./callChain.ts";
import { decodeRevert, type Revert } from "./decodeRevert.ts";
import { type GasSource, measureGas } from "./measureGas.ts";
import { overrideBalance } from "./overrideBalance.ts";
import { type RouterVersion, readRouterVersion } from "./RouterVersion.ts";
import { serviceFunctions } from "./serviceFunctions.ts";
import { type ToCallParameters, toCall } from "./toCall.ts";

/** Sends the calls in the simulation; its key is unknown. */
const simulator = "0x00000000000000000000000000000000005157Ab";
const results = /* @__PURE__ */ parseAbiParameters(["(bool success, bytes returnData)[]"]);

/** Parameters of {@link simulateCalls}. */
export type SimulateCallsParameters = {
  txs: readonly ToCallParameters[];
  /** The router on the destination chain, which makes the calls. */
  router: Address;
  /** @default "v3" */
  routerVersion?: RouterVersion | undefined;
  /** What arrives on the router, in smallest units; the zero address is the native currency. */
  balances?: readonly { readonly token: Address; readonly amount: bigint }[] | undefined;
  /** Who gets what is left of native currency, and NFTs. */
  recipient: Address;
  /** ABIs whose errors are decoded, in addition to the service's and common tokens'. */
  abis?: readonly Abi[] | undefined;
  blockNumber?: bigint | undefined;
  /** Whether gas is measured, which takes one request more for each call, and one for the router. Default true. */
  gas?: boolean | undefined;
};

/** What became of one call. */
export type SimulatedCall = (
  | { readonly success: true; readonly returnData: Hex }
  | { readonly success: false; readonly returnData: Hex; readonly revert: Revert }
) & {
  /**
   * What the transaction takes more with this call than without, its calldata included: below zero where it clears
   * storage that an earlier call has filled. Undefined from the first call that fails on, and where `gasSource` is.
   */
  readonly gasUsed: bigint | undefined;
};

/** What {@link simulateCalls} returns. */
export type SimulateCallsReturnType = {
  /** In the order of `txs`. Calls after a failed one run as if it were absent. */
  readonly calls: readonly SimulatedCall[];
  /** The first call that failed; undefined when all would succeed. */
  readonly failedIndex: number | undefined;
  /** Whether the node's own simulation says what gas was used, or an estimate; undefined where neither could be had. */
  readonly gasSource: GasSource | undefined;
  /** What the whole transaction takes when it is sent to the router; undefined when a call fails. */
  readonly gasUsed: bigint | undefined;
};

/** What {@link simulateCalls} throws. */
export type SimulateCallsErrorType = ChainReadFailedError | InvalidParameterError;

/**
 * Makes calls on a chain as the router would, without sending anything: one `eth_call` of the router's own `multicall`, with
 * what arrives put on it by state overrides. Any node that takes overrides will do. The gas is the node's own figure where it
 * has `eth_simulateV1`, and an estimate elsewhere.
 *
 * @param client Reads the destination chain.
 * @param parameters The calls, the router, what arrives there.
 * @returns What became of each call, and the first that fails.
 * @throws {InvalidParameterError} Naming the argument that does not fit; a token whose balances are not found, too.
 * @throws {ChainReadFailedError} When the chain does not answer, at whatever point.
 *
 * @example
 * import { createPublicClient, http } from "viem";
 * import { simulateCalls } from "waybill";
 * import { createClient, getChains } from "waybill/client";
 *
 * const { chains } = await getChains(createClient({ baseUrl: "http://127.0.0.1:4000" }));
 * const router = chains.find(({ id }) => id === 31338)?.contracts?.v3?.erc20Router;
 * if (router === undefined) throw new Error("the chain has no router");
 * const client = createPublicClient({ transport: http("http://127.0.0.1:8546") });
 * const recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
 * const { failedIndex, gasSource, gasUsed } = await simulateCalls(client, {
 *   balances: [{ amount: 1n, token: "0x0000000000000000000000000000000000000000" }],
 *   recipient,
 *   router,
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
  const { blockNumber, calls, router, tokens, value } = simulation;
  const stateOverride = await Promise.all(
    tokens.map((each) => overrideBalance(client, { ...each, blockNumber, owner: router })),
  );
  const { data, failed } = await callChain(client, "simulating calls", {
    account: simulator,
    blockNumber,
    data: encodeMulticall(simulation, { allowFailure: true, count: calls.length }),
    stateOverride: [{ address: simulator, balance: value + 10n ** 24n }, ...stateOverride],
    to: router,
    value,
  });
  if (failed) {
    const reason = `it refuses the calls: ${decodeRevert(data, abis).text}`;
    throw new InvalidParameterError({ parameter: "router", reason });
  }
  const made = readResults(data);
  const failure = made.findIndex(({ success }) => !success);
  const failedIndex = failure < 0 ? undefined : failure;
  const counts = Array.from({ length: (failedIndex ?? made.length) + 1 }, (_, count) => count);
  const datas = counts.map((count) => encodeMulticall(simulation, { allowFailure: false, count }));
  const measured = gas
    ? await measureGas(client, { blockNumber, datas, sender: simulator, stateOverride, to: router, value })
    : undefined;
  return {
    calls: made.map(({ returnData, success }, index): SimulatedCall => {
      const [before, after] = [measured?.gas[index], measured?.gas[index + 1]];
      const gasUsed = before === undefined || after === undefined ? undefined : after - before;
      if (success) return { gasUsed, returnData, success };
      return { gasUsed, returnData, revert: decodeRevert(returnData, abis), success };
    }),
    failedIndex,
    gasSource: measured?.source,
    gasUsed: failedIndex === undefined ? measured?.gas.at(-1) : undefined,
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
    return { callData: data, target: to, value };
  });
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
  return { blockNumber, calls, recipient, router, routerVersion, tokens: [...sums.values()], value };
}

/** The router's calldata for the first of the calls. */
function encodeMulticall(
  { calls, recipient, routerVersion }: Simulation,
  { allowFailure, count }: { allowFailure: boolean; count: number },
): Hex {
  const made = calls.slice(0, count).map((each) => ({ allowFailure, ...each }));
  const args = [made, recipient, recipient, ...(routerVersion === "v3" ? ["0x"] : [])];
  return encodeFunctionData({
    // Picked here: an overload is else picked by the order in which the members of the calls stand.
    abi: serviceFunctions.filter(({ inputs, name }) => name === "multicall" && inputs.length === args.length),
    args: args as never,
    functionName: "multicall",
  });
}

/** What each call returned, which only a router tells. */
function readResults(data: Hex) {
  try {
    return decodeAbiParameters(results, data)[0];
  } catch (cause) {
    throw new InvalidParameterError({ cause, parameter: "router", reason: "it is no router" });
  }
}
