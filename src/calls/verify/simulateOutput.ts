import {
  type Address,
  decodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  pad,
  parseAbiParameters,
  type StateOverride,
  zeroAddress,
} from "viem";
import { type ChainClient, callChain } from "../callChain.ts";
import { placeBalance } from "../placeBalance.ts";
import type { OutputClaim } from "./OutputClaim.ts";
import { proofFunctions } from "./proofFunctions.ts";
import type { RoutedCall } from "./VerifyQuoteParameters.ts";

/** Answers with the native balance of the account in its calldata; in the simulation alone. */
const nativeProbe = {
  address: "0x00000000000000000000000000000000ba1a4ce5",
  code: "0x5f35315f5260205ff3",
} as const;
const results = /* @__PURE__ */ parseAbiParameters(["(bool success, bytes returnData)[]"]);

/**
 * Makes the calls of a claim on a node, with the input put on the router, and reads the account's balance around them.
 *
 * @returns What the account would have gained, or would hold where the claim begins.
 * @throws InvalidParameterError when the input cannot be put on the router; ChainReadFailedError.
 */
export async function simulateOutput(
  client: ChainClient,
  claim: OutputClaim,
  input: { readonly currency: Address; readonly amount: bigint; readonly sender: Address },
): Promise<bigint | undefined> {
  const { account, calls, currency, index, kind, router, version } = claim;
  const probe = probeOf(currency, account);
  const before = kind === "gain" ? [probe] : [];
  const probed = [...before, ...calls.slice(0, index), probe, ...calls.slice(index)];
  const isNative = input.currency === zeroAddress;
  const stateOverride: StateOverride = [
    nativeProbe,
    { address: input.sender, balance: input.amount + 10n ** 24n },
    ...(isNative
      ? []
      : [
          await placeBalance(client, {
            amount: input.amount,
            blockNumber: undefined,
            owner: router,
            parameter: "quote.details.currencyIn",
            token: input.currency,
          }),
        ]),
  ];
  const args = [probed, input.sender, input.sender, ...(version === "v3" ? ["0x"] : [])];
  const { data, failed } = await callChain(client, "simulating a quote", {
    account: input.sender,
    data: encodeFunctionData({
      abi: proofFunctions.filter(({ inputs, name }) => name === "multicall" && inputs.length === args.length),
      args: args as never,
      functionName: "multicall",
    }),
    stateOverride,
    to: router,
    value: isNative ? input.amount : 0n,
  });
  if (failed) return undefined;
  const returned = decodeAbiParameters(results, data)[0];
  const balanceAt = (at: number) => BigInt(returned[at]?.returnData ?? "0x0");
  return kind === "gain" ? balanceAt(index + 1) - balanceAt(0) : balanceAt(index);
}

function probeOf(currency: Address, account: Address): RoutedCall {
  const isNative = currency === zeroAddress;
  const callData: Hex = isNative
    ? pad(account)
    : encodeFunctionData({ abi: erc20Abi, args: [account], functionName: "balanceOf" });
  return { allowFailure: false, callData, target: isNative ? nativeProbe.address : currency, value: 0n };
}
