import { type Abi, type Address, type ContractFunctionName, encodeFunctionData } from "viem";
import type { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { readAccount } from "../../internal/readAddress.ts";
import { readUint256 } from "../../internal/readUint256.ts";
import { approve } from "../approve.ts";
import type { Call } from "../Call.ts";
import { type ContractCallParameters, contractCall } from "../contractCall.ts";
import { proxyFunctions } from "../proxyFunctions.ts";

type Mutability = "nonpayable" | "payable";

/** What {@link mintNft} takes. */
export type MintNftParameters<
  abi extends Abi | readonly unknown[] = Abi,
  functionName extends ContractFunctionName<abi, Mutability> = ContractFunctionName<abi, Mutability>,
> = Omit<ContractCallParameters<abi, functionName>, "value"> & {
  /** A deployed `BalanceProxy` on the destination chain. */
  proxy: Address;
  /** The token that the mint is paid in, and that arrives on the router. */
  token: Address;
  /** What the mint costs, in the token's smallest unit; less reverts before the mint is tried. */
  price: bigint;
  /** Who gets the NFTs, and what is left of the token. */
  recipient: Address;
};

/** What {@link mintNft} returns. */
export type MintNftReturnType = readonly Call[];

/** What {@link mintNft} throws. */
export type MintNftErrorType = InvalidParameterError;

/**
 * The calls that mint an NFT and pay for it with a token that arrives. NFTs that the collection mints to its caller by a
 * safe mint are sent on to the recipient; a function that mints to a named account takes the recipient in `args`.
 *
 * @param parameters Collection, function, proxy, token, price, recipient.
 * @returns Four calls, to be kept together and in order.
 * @throws {InvalidParameterError} Naming the argument that does not fit.
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
  const step = {
    approvedToken: token,
    data,
    sendNativeBalance: false,
    splices: [],
    target: address,
    value: 0n,
  };
  const execution = {
    assets: [{ minimumOutput: 0n, minimumReceived: price, recipient, token }],
    nftRecipient: recipient,
    steps: [step],
  };
  return [
    ...approve({ resetFirst: true, spender: proxy, token }),
    {
      data: encodeFunctionData({
        abi: proxyFunctions,
        args: [execution],
        functionName: "executeWithNftRecipient",
      }),
      to: proxy,
      value: 0n,
    },
    // The router is shared: an allowance that stayed would let the next caller spend what is later left there.
    ...approve({ amount: 0n, spender: proxy, token }),
  ];
}
