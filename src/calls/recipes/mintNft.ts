import { type Abi, type Address, type ContractFunctionName, encodeFunctionData, type Hex } from "viem";
import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { readAccount } from "../../internal/readAddress.ts";
import { readUint256 } from "../../internal/readUint256.ts";
import { approve } from "../approve.ts";
import type { Call } from "../Call.ts";
import { type ContractCallParameters, contractCall, type Mutability } from "../contractCall.ts";
import { proxyFunctions } from "../serviceFunctions.ts";

export type MintNftParameters<
  abi extends Abi | readonly unknown[] = Abi,
  functionName extends ContractFunctionName<abi, Mutability> = ContractFunctionName<abi, Mutability>,
> = Omit<ContractCallParameters<abi, functionName>, "value"> & {
  /** A deployed `BalanceProxy` on the destination chain. */
  proxy: Address;
  /** Payment token, which arrives on the router. */
  token: Address;
  /** Price of the mint, in the token's smallest unit. The step reverts when less arrives. */
  price: bigint;
  /** Receives the NFTs and the rest of the token. */
  recipient: Address;
  /**
   * `"caller"`: the function mints to its caller, and the proxy forwards the NFTs. The step reverts unless one arrives by
   * a safe mint. `"argument"`: the function mints to an account among its `args`, which must include `recipient`.
   * @default "caller"
   */
  mintsTo?: "caller" | "argument" | undefined;
};

export type MintNftReturnType = readonly Call[];

/**
 * Composes calls that mint an NFT and pay with an arrived token. The proxy forwards NFTs that a safe mint sends to the
 * caller. For a function that mints to a named account, pass the recipient in `args` and `mintsTo: "argument"`.
 *
 * @returns Four calls. Keep them together and in order.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 *
 * @example
 * import { parseAbi } from "viem";
 * import { mintNft } from "waybill";
 *
 * const calls = mintNft({
 *   abi: parseAbi(["function buy(uint256 quantity)"]),
 *   address: "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512",
 *   args: [1n],
 *   functionName: "buy",
 *   price: 2_500_000n,
 *   proxy: "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0",
 *   recipient: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
 *   token: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
 * });
 */
export function mintNft<
  const abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Mutability>,
>(parameters: MintNftParameters<abi, functionName>): MintNftReturnType {
  const address = readAccount(parameters.address, "address");
  const price = readUint256(parameters.price, "price");
  const proxy = readAccount(parameters.proxy, "proxy");
  const recipient = readAccount(parameters.recipient, "recipient");
  const token = readAccount(parameters.token, "token");
  const { data } = contractCall({ ...parameters, value: 0n } as ContractCallParameters);
  const mintsTo = readMintsTo(parameters.mintsTo, data, recipient);
  const step = {
    approvedToken: token,
    data,
    sendNativeBalance: false,
    splices: [],
    target: address,
    value: 0n,
  };
  const assets = [{ minimumOutput: 0n, minimumReceived: price, recipient, token }];
  const steps = [step];
  const proxyData =
    mintsTo === "argument"
      ? encodeFunctionData({ abi: proxyFunctions, args: [assets, steps], functionName: "execute" })
      : encodeFunctionData({
          abi: proxyFunctions,
          args: [{ assets, nftRecipient: recipient, steps }],
          functionName: "executeWithNftRecipient",
        });
  return [
    ...approve({ resetFirst: true, spender: proxy, token }),
    { data: proxyData, to: proxy, value: 0n },
    // The router is shared: a remaining allowance lets the next caller spend tokens that are left there later.
    ...approve({ amount: 0n, spender: proxy, token }),
  ];
}

/** NFTs that are minted to an account other than the recipient would be lost without an error. */
function readMintsTo(mintsTo: unknown, data: Hex, recipient: Address): "caller" | "argument" {
  if (mintsTo === undefined || mintsTo === "caller") return "caller";
  if (mintsTo !== "argument") {
    throw new InvalidParameterError({ parameter: "mintsTo", reason: 'is neither "caller" nor "argument"' });
  }
  if (!data.toLowerCase().includes(recipient.slice(2).toLowerCase())) {
    throw new InvalidParameterError({ parameter: "args", reason: `does not include ${recipient}` });
  }
  return mintsTo;
}
