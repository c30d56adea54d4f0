import {
  type Abi,
  type Address,
  type ContractFunctionName,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
} from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAccount, readAddress } from "../internal/readAddress.ts";
import { readList, readObject } from "../internal/readParts.ts";
import { readUint256 } from "../internal/readUint256.ts";
import { approve } from "./approve.ts";
import type { Call } from "./Call.ts";
import { encodeVaultDeposit } from "./encodeVaultDeposit.ts";
import {
  type EncodeWithLiveBalancesErrorType,
  type EncodeWithLiveBalancesParameters,
  encodeWithLiveBalances,
  type Splice,
} from "./encodeWithLiveBalances.ts";
import { proxyFunctions } from "./proxyFunctions.ts";

type Mutability = "nonpayable" | "payable";

/** A currency the target pays out, and where it must end up. */
export type ProxyOutput = {
  /** The zero address is the native currency. */
  token: Address;
  recipient: Address;
  /** The least by which the recipient's balance must grow, in the token's smallest unit; zero asks for nothing. */
  minimum: bigint;
};

/** What {@link proxyStep} takes. */
export type ProxyStepParameters<
  abi extends Abi | readonly unknown[] = Abi,
  functionName extends ContractFunctionName<abi, Mutability> = ContractFunctionName<abi, Mutability>,
> = {
  /** A deployed `BalanceProxy` on the destination chain. */
  proxy: Address;
  /** The token that arrives on the router and is spent whole. */
  token: Address;
  /** The least that must have arrived, in the token's smallest unit; defaults to anything but nothing. */
  minimumReceived?: bigint | undefined;
  /** The contract that spends the token, for example a vault. */
  address: Address;
  /** Who gets what the target leaves of the token. */
  recipient: Address;
  /**
   * Whether to approve zero first. All users share the router: an allowance that is left there would make tokens
   * like USDT refuse the next one. Turn it off for tokens that are known to take any change, and save a call.
   * @default true
   */
  resetFirst?: boolean | undefined;
  /** Currencies the target pays out that must be bounded or, where they land on the executor, collected. */
  outputs?: readonly ProxyOutput[] | undefined;
} & EncodeWithLiveBalancesParameters<abi, functionName>;

/** What {@link proxyStep} returns. */
export type ProxyStepReturnType = readonly Call[];

/** What {@link proxyStep} throws. */
export type ProxyStepErrorType = EncodeWithLiveBalancesErrorType;

/**
 * The calls that spend whatever amount of a token arrives: approve the proxy, call it, take the approval back. This is the
 * pattern for `EXACT_INPUT`, where the amount is not known when the calls are composed (specification, call-execution
 * rule 3). The proxy's cheapest function that does it is called: `depositErc4626` for a vault's deposit whose receiver is
 * the recipient, else `spend`, else `execute`.
 *
 * @param parameters Proxy, token, and the function to call with at least one live balance among its arguments.
 * @returns Four calls, or three without `resetFirst`, to be kept together and in order.
 * @throws {InvalidParameterError} Naming the argument that does not fit.
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
  const vaultDeposit =
    outputs.length === 0 ? encodeVaultDeposit({ ...step, abi: parameters.abi as Abi }) : undefined;
  const proxyData = vaultDeposit ?? encodeSpend(step, outputs) ?? encodeExecute(step, outputs);
  return [
    ...approve({ resetFirst, spender: proxy, token }),
    { data: proxyData, to: proxy, value: 0n },
    // The router is shared: an allowance that stayed would let the next caller spend what is later left there.
    ...approve({ amount: 0n, spender: proxy, token }),
  ];
}

/** A step as the proxy takes it. */
type Step = {
  readonly address: Address;
  readonly data: Hex;
  readonly minimumReceived: bigint;
  readonly recipient: Address;
  readonly splices: readonly Splice[];
  readonly token: Address;
};

/** Undefined where one balance of one token is not all there is to it. */
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

/** The contract refuses a currency that is named twice, and an output to the zero address. */
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
