import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  pad,
  type StateOverride,
  zeroAddress,
} from "viem";
import { type ChainClient, callChain } from "./callChain.ts";
import { decodeResults } from "./decodeCanonical.ts";
import { overrideBalance } from "./overrideBalance.ts";
import { withMetadata } from "./RouterVersion.ts";
import {
  encodeCall,
  type OutputClaim,
  type QuoteSimulator,
  type RoutedCall,
  type SimulatedInput,
} from "./verify/routedCalls.ts";

/** Returns the native balance of the account in its calldata. Exists only in the simulation. */
const nativeProbe = {
  address: "0x00000000000000000000000000000000ba1a4ce5",
  code: "0x5f35315f5260205ff3",
} as const;

/**
 * Simulates routes whose output no guard can enforce, for `verifyQuote` and `execute` with `allowSimulatedOutput`. One
 * `eth_call` executes the router's calls on overridden balances and reads the output before and after. A venue may
 * behave differently in the real transaction, so this is weaker than a guard.
 *
 * @param client Reads the origin chain. Use your own node, not one that the service names.
 * @returns The `simulate` function of a quote policy. It throws ChainReadFailedError when the node fails.
 *
 * @example
 * import { createPublicClient, http } from "viem";
 * import { quoteSimulator } from "waybill";
 *
 * const client = createPublicClient({ transport: http("http://127.0.0.1:8545") });
 * const verify = { allowSimulatedOutput: true, minimumOutput: 9_000_000n, simulate: quoteSimulator(client) };
 * console.log(typeof verify.simulate); // "function"
 */
export function quoteSimulator(client: ChainClient): QuoteSimulator {
  return (claim, input) => simulateOutput(client, claim, input);
}

async function simulateOutput(
  client: ChainClient,
  claim: OutputClaim,
  input: SimulatedInput,
): Promise<bigint | undefined> {
  const { account, calls, currency, index, kind, router, version } = claim;
  const probe = probeOf(currency, account);
  const after = kind === "gain" ? [probe] : [];
  const probed = [...calls.slice(0, index), probe, ...calls.slice(index), ...after];
  const isNative = input.currency === zeroAddress;
  const stateOverride: StateOverride = [
    nativeProbe,
    { address: input.sender, balance: input.amount + 10n ** 24n },
    ...(isNative
      ? []
      : [
          await overrideBalance(client, {
            amount: input.amount,
            blockNumber: undefined,
            owner: router,
            parameter: "quote.details.currencyIn",
            token: input.currency,
          }),
        ]),
  ];
  const args = withMetadata([probed, input.sender, input.sender], version);
  const { data, failed } = await callChain(client, "simulating a quote", {
    account: input.sender,
    data: encodeCall("multicall", args),
    stateOverride,
    to: router,
    value: isNative ? input.amount : 0n,
  });
  if (failed) return undefined;
  const returned = decodeResults(data);
  const balanceAt = (at: number) => BigInt(returned[at]?.returnData ?? "0x0");
  return kind === "gain" ? balanceAt(calls.length + 1) - balanceAt(index) : balanceAt(index);
}

function probeOf(currency: Address, account: Address): RoutedCall {
  const isNative = currency === zeroAddress;
  const callData: Hex = isNative
    ? pad(account)
    : encodeFunctionData({ abi: erc20Abi, args: [account], functionName: "balanceOf" });
  return { allowFailure: false, callData, target: isNative ? nativeProbe.address : currency, value: 0n };
}
