import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { type ContractTransactionResponse, type Overrides, ZeroAddress } from "ethers";
import type { RelayRouterV2_1, RelayRouterV3 } from "../../../../typechain-types/index.ts";

export const ROUTER_VERSIONS = ["RelayRouterV3", "RelayRouterV2_1"] as const;
export type RouterVersion = (typeof ROUTER_VERSIONS)[number];

/** The metadata of every call; version 2.1 takes none. */
export const METADATA = `0x${"5a".repeat(32)}`;

const TAKES_METADATA: readonly string[] = ["multicall", "cleanupErc20s", "cleanupNative"];

/** A call in the form of routers and approval proxies. */
export interface RouterCall {
  target: string;
  allowFailure: boolean;
  value: bigint;
  callData: string;
}

type Sent = Promise<ContractTransactionResponse>;

/** One interface for both versions of a router: version 3 takes metadata as the last argument of some functions. */
export async function deployRouter(ethers: HardhatEthers, version: RouterVersion) {
  const router = (await ethers.deployContract(version as string)) as unknown as
    | RelayRouterV3
    | RelayRouterV2_1;
  const complete = (name: string, args: readonly unknown[]) =>
    version === "RelayRouterV3" && TAKES_METADATA.includes(name) ? [...args, METADATA] : args;
  const as = (signer?: Parameters<typeof router.connect>[0]) => {
    const connected = signer === undefined ? router : router.connect(signer);
    return (name: string, args: readonly unknown[], overrides: Overrides = {}): Sent =>
      connected.getFunction(name)(...complete(name, args), overrides);
  };
  const send = as();
  const multicallArgs = (
    calls: readonly RouterCall[],
    refundTo: unknown,
    nftRecipient: unknown = ZeroAddress,
  ) => [calls, refundTo, nftRecipient];
  return {
    router,
    as,
    send,
    multicall: (...[calls, refundTo, overrides = {}, nftRecipient]: MulticallArguments) =>
      send("multicall", multicallArgs(calls, refundTo, nftRecipient), overrides),
    /** Calldata of a function; addresses must be resolved. */
    encode: (name: string, args: readonly unknown[]) => {
      const {
        interface: abi,
      }: { interface: { encodeFunctionData(name: string, args: readonly unknown[]): string } } = router;
      return abi.encodeFunctionData(name, complete(name, args));
    },
  };
}

type MulticallArguments = [
  calls: readonly RouterCall[],
  refundTo: unknown,
  overrides?: Overrides,
  nftRecipient?: unknown,
];

export function routerCall(target: string, callData = "0x", value = 0n, allowFailure = false): RouterCall {
  return { target, allowFailure, value, callData };
}
