import {
  type Abi,
  type Address,
  type ContractFunctionName,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  parseAbi,
} from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAccount, readAddress } from "../internal/readAddress.ts";
import { readList, readObject } from "../internal/readParts.ts";
import { readUint256 } from "../internal/readUint256.ts";
import { approve } from "./approve.ts";
import type { Call } from "./Call.ts";
import type { Mutability } from "./contractCall.ts";
import { decodeCall } from "./decodeCall.ts";
import {
  type EncodeWithLiveBalancesParameters,
  encodeWithLiveBalances,
  type Splice,
} from "./encodeWithLiveBalances.ts";
import { proxyFunctions } from "./serviceFunctions.ts";

const vaultAbi = /* @__PURE__ */ parseAbi([
  "function deposit(uint256 assets, address receiver) returns (uint256 shares)",
]);

/** Offset of `assets` in the calldata of a vault's `deposit`: after the selector. */
const assetsOffset = 4;

/** An output currency of the target, and its recipient. */
export type ProxyOutput = {
  /** The zero address is the native currency. */
  token: Address;
  recipient: Address;
  /** Minimum gain of the recipient, in the token's smallest unit; zero for no minimum. */
  minimum: bigint;
};

export type ProxyStepParameters<
  abi extends Abi | readonly unknown[] = Abi,
  functionName extends ContractFunctionName<abi, Mutability> = ContractFunctionName<abi, Mutability>,
> = {
  /** A deployed `BalanceProxy` on the destination chain. */
  proxy: Address;
  /** Token that arrives on the router; the step spends all of it. */
  token: Address;
  /**
   * Minimum that must arrive, in the token's smallest unit. Default, and zero: all that the proxy pulls. State a minimum
   * for a token that takes a fee on transfers or rounds them.
   */
  minimumReceived?: bigint | undefined;
  /** Contract that spends the token, for example a vault. */
  address: Address;
  /** Receives the unspent rest of the token. */
  recipient: Address;
  /**
   * Approves zero first. An allowance that an earlier user left on the shared router makes USDT-like tokens reject the
   * next approval. Turn it off to save a call with other tokens.
   * @default true
   */
  resetFirst?: boolean | undefined;
  /** Output currencies with a minimum, or that the executor receives and must forward. */
  outputs?: readonly ProxyOutput[] | undefined;
} & EncodeWithLiveBalancesParameters<abi, functionName>;

export type ProxyStepReturnType = readonly Call[];

/**
 * Composes calls that spend the whole arrived amount of a token: approve the proxy, call it, revoke the approval. For
 * `EXACT_INPUT`, whose amount is unknown when the calls are composed (specification, call-execution rule 3). Uses the
 * proxy's cheapest function that fits: `depositErc4626` for a vault deposit to the recipient, else `spend`, else
 * `execute`.
 *
 * @param parameters Proxy, token, and the function to call with at least one live balance among its arguments.
 * @returns Four calls, or three without `resetFirst`. Keep them together and in order.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 *
 * @example
 * import { parseAbi } from "viem";
 * import { balanceOf, proxyStep } from "waybill";
 *
 * const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
 * const recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
 * const calls = proxyStep({
 *   abi: parseAbi(["function deposit(uint256 assets, address receiver) returns (uint256)"]),
 *   address: "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512",
 *   args: [balanceOf(token), recipient],
 *   functionName: "deposit",
 *   proxy: "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0",
 *   recipient,
 *   token,
 * });
 */
export function proxyStep<
  const abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Mutability>,
>(parameters: ProxyStepParameters<abi, functionName>): ProxyStepReturnType {
  const { resetFirst = true } = parameters;
  const address = readAccount(parameters.address, "address");
  const proxy = readAccount(parameters.proxy, "proxy");
  const recipient = readAccount(parameters.recipient, "recipient");
  const token = readAccount(parameters.token, "token");
  const minimumReceived = readUint256(parameters.minimumReceived ?? 0n, "minimumReceived");
  const outputs = readOutputs(parameters.outputs ?? [], token);
  const { data, splices } = encodeWithLiveBalances(parameters);
  assertSplices(splices, [token, ...outputs.map((output) => output.token)]);

  const step = { address, data, minimumReceived, recipient, splices, token };
  const vaultDeposit = outputs.length === 0 ? encodeVaultDeposit(parameters.abi as Abi, step) : undefined;
  const proxyData = vaultDeposit ?? encodeSpend(step, outputs) ?? encodeExecute(step, outputs);
  return [
    ...approve({ resetFirst, spender: proxy, token }),
    { data: proxyData, to: proxy, value: 0n },
    // The router is shared: a remaining allowance lets the next caller spend tokens that are left there later.
    ...approve({ amount: 0n, spender: proxy, token }),
  ];
}

/** A step in the proxy's terms. */
type Step = {
  readonly address: Address;
  readonly data: Hex;
  readonly minimumReceived: bigint;
  readonly recipient: Address;
  readonly splices: readonly Splice[];
  readonly token: Address;
};

/** Undefined unless the step splices one balance of one token. */
function encodeSpend(step: Step, outputs: readonly ProxyOutput[]): Hex | undefined {
  const { address, data, minimumReceived, recipient, splices, token } = step;
  const [only, ...others] = splices;
  if (only === undefined || others.length > 0 || outputs.length > 0) return undefined;
  if (!isAddressEqual(only.token, token)) return undefined;
  return encodeFunctionData({
    abi: proxyFunctions,
    args: [token, minimumReceived, address, BigInt(only.offset), data, recipient],
    functionName: "spend",
  });
}

function encodeExecute(step: Step, outputs: readonly ProxyOutput[]): Hex {
  const { address, data, minimumReceived, recipient, splices, token } = step;
  const assets = [
    { minimumOutput: 0n, minimumReceived, recipient, token },
    ...outputs.map((output) => ({
      minimumOutput: output.minimum,
      minimumReceived: 0n,
      recipient: output.recipient,
      token: output.token,
    })),
  ];
  const steps = [
    {
      approvedToken: token,
      data,
      sendNativeBalance: false,
      splices: splices.map((splice) => ({ offset: BigInt(splice.offset), token: splice.token })),
      target: address,
      value: 0n,
    },
  ];
  return encodeFunctionData({ abi: proxyFunctions, args: [assets, steps], functionName: "execute" });
}

/** The contract rejects a repeated currency and an output to the zero address. */
function readOutputs(outputs: readonly ProxyOutput[], token: Address): readonly ProxyOutput[] {
  const named = [token];
  return readList(outputs, "outputs", (item, parameter) => {
    const output = readObject(item, parameter);
    const read = {
      minimum: readUint256(output["minimum"], `${parameter}.minimum`),
      recipient: readAccount(output["recipient"], `${parameter}.recipient`),
      token: readAddress(output["token"], `${parameter}.token`),
    };
    if (named.some((other) => isAddressEqual(other, read.token))) {
      throw new InvalidParameterError({
        parameter: `${parameter}.token`,
        reason: `${read.token} is named twice`,
      });
    }
    named.push(read.token);
    return read;
  });
}

function assertSplices(splices: readonly Splice[], named: readonly Address[]): void {
  if (splices.length === 0) {
    throw new InvalidParameterError({ parameter: "args", reason: "no argument is a live balance" });
  }
  for (const splice of splices) {
    if (!named.some((token) => isAddressEqual(token, splice.token))) {
      throw new InvalidParameterError({
        parameter: "args",
        reason: `the live balance of ${splice.token} is neither the token spent nor an output`,
      });
    }
  }
}

/**
 * Encodes the proxy's `depositErc4626`, which costs less gas than `spend`. Returns undefined when the step does not
 * fit: the function sends shares and the rest of the token to one receiver, and reverts unless the vault returns a
 * number of shares.
 */
function encodeVaultDeposit(abi: Abi, step: Step): Hex | undefined {
  const { address, data, minimumReceived, recipient, splices, token } = step;
  const [only, ...others] = splices;
  const call = decodeCall(vaultAbi, data);
  if (call === undefined || only === undefined || others.length > 0) return undefined;
  const isDeposit =
    only.offset === assetsOffset &&
    isAddressEqual(only.token, token) &&
    isAddressEqual(call.args[1], recipient) &&
    !isAddressEqual(address, token) &&
    returnsShares(abi);
  if (!isDeposit) return undefined;
  return encodeFunctionData({
    abi: proxyFunctions,
    args: [address, token, minimumReceived, recipient],
    functionName: "depositErc4626",
  });
}

function returnsShares(abi: Abi): boolean {
  return abi.some(
    (item) =>
      item.type === "function" &&
      item.name === "deposit" &&
      item.inputs.map(({ type }) => type).join() === "uint256,address" &&
      item.outputs.map(({ type }) => type).join() === "uint256",
  );
}
