import {
  type Address,
  BaseError,
  concat,
  type Hex,
  hexToBigInt,
  hexToBytes,
  type StateOverride,
  slice,
} from "viem";
import { simulateBlocks } from "viem/actions";
import { ChainReadFailedError, isRefusal } from "../errors/ChainReadFailedError.ts";
import { type ChainClient, callChain } from "./callChain.ts";

/** Sender of the measuring call. Its key is unknown. */
const payer = "0x00000000000000000000000000000000005157ac";
const operation = "measuring gas";

export type MeasureGasParameters = {
  blockNumber: bigint | undefined;
  /** Calldata of each transaction; each is measured on the same state. */
  datas: readonly Hex[];
  /** Sender of the transactions; state overrides fund it. */
  sender: Address;
  /** State overrides besides the sender's balance. */
  stateOverride: StateOverride;
  to: Address;
  value: bigint;
};

/**
 * Source of a gas figure.
 *
 * - `simulated`: `gasUsed` of the node's `eth_simulateV1`; equals a transaction's gas.
 * - `estimated`: measured inside an `eth_call`, plus 21,000 and the calldata by EIP-2028. Refunds for cleared storage
 *   are not subtracted.
 */
export type GasSource = "estimated" | "simulated";

/** Gas of one transaction, and its logs where the node gives them. */
type Measured = { readonly gas: bigint; readonly logs?: readonly SimulatedLog[] };

/** A log of a simulated transaction. */
export type SimulatedLog = { readonly address: Address; readonly data: Hex; readonly topics: readonly Hex[] };

/**
 * Measures the gas of transactions without sending them.
 *
 * @returns Gas of each, in order, and the logs of the last one where the node gives them; `undefined` when the node supports
 * neither method.
 * @throws {ChainReadFailedError} When the chain does not answer.
 */
export async function measureGas(
  client: ChainClient,
  parameters: MeasureGasParameters,
): Promise<
  | { readonly gas: readonly bigint[]; readonly logs?: readonly SimulatedLog[]; readonly source: GasSource }
  | undefined
> {
  for (const [source, measure] of [
    ["simulated", simulate],
    ["estimated", estimate],
  ] as const) {
    const all = await Promise.all(parameters.datas.map((data) => measure(client, data, parameters)));
    if (!all.every((each) => each !== undefined)) continue;
    const logs = all.at(-1)?.logs;
    return { gas: all.map(({ gas }) => gas), source, ...(logs !== undefined && { logs }) };
  }
  return undefined;
}

async function simulate(
  client: ChainClient,
  data: Hex,
  { blockNumber, sender, stateOverride, to, value }: MeasureGasParameters,
): Promise<Measured | undefined> {
  const money = { address: sender, balance: value + 10n ** 24n };
  try {
    const [block] = await simulateBlocks(client, {
      ...(blockNumber === undefined ? {} : { blockNumber }),
      blocks: [{ calls: [{ account: sender, data, to, value }], stateOverrides: [money, ...stateOverride] }],
    });
    const made = block?.calls[0];
    if (made?.status !== "success") return undefined;
    const logs = (made.logs ?? []).map(({ address, data, topics }) => ({ address, data, topics }));
    return { gas: made.gasUsed, logs };
  } catch (cause) {
    // Errors of other kinds are unreadable responses.
    if (isRefusal(cause) || !(cause instanceof BaseError)) return undefined;
    throw new ChainReadFailedError({ cause, operation });
  }
}

/** Overrides the sender's code with a meter, which calls the target and returns its gas and success. */
async function estimate(
  client: ChainClient,
  data: Hex,
  { blockNumber, sender, stateOverride, to, value }: MeasureGasParameters,
): Promise<Measured | undefined> {
  try {
    const answer = await callChain(client, operation, {
      account: payer,
      blockNumber,
      data,
      stateOverride: [
        { address: payer, balance: value + 10n ** 24n },
        { address: sender, code: meterOf(to) },
        ...stateOverride,
      ],
      to: sender,
      value,
    });
    if (answer.data.length !== 130 || !answer.data.endsWith("1")) return undefined;
    const execution =
      hexToBigInt(slice(answer.data, 0, 32)) - callOverhead - (value > 0n ? valueOverhead : 0n);
    return { gas: 21_000n + calldataGas(data) + execution };
  } catch (error) {
    if (error instanceof ChainReadFailedError && !error.retryable) return undefined;
    throw error;
  }
}

/** Gas between the two readings by EIP-2929: seven cheap instructions, a cold account, the reading. */
const callOverhead = 2n * 7n + 3n + 2_600n;
/** Surcharge of a call with value, less the callee's stipend. */
const valueOverhead = 9_000n - 2_300n;

/** Bytecode that forwards its calldata and value between two gas readings. */
function meterOf(target: Address): Hex {
  return concat([
    // calldatacopy(0, 0, calldatasize), with returndatasize for zero
    "0x363d3d37",
    // gas, call(gas, target, callvalue, 0, calldatasize, 0, 0), gas
    "0x5a3d3d363d3473",
    target,
    "0x5af15a",
    // mstore(0, first - second), mstore(32, success), return(0, 64)
    "0x820360005260205260406000f3",
  ]);
}

function calldataGas(data: Hex): bigint {
  return hexToBytes(data).reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 0n);
}
