import type { TrustedChain, TrustRoots } from "./TrustRoots.ts";

/** The same on every chain with Cancun. Source: `contract-addresses.mdx` of the service's documentation. */
const cancun = {
  depository: "0x4cd00e387622c35bddb9b4c962c136462338bc31",
  // Permit2's own deployment, the same on every chain (github.com/Uniswap/permit2, README).
  permit2: "0x000000000022d473030f116ddee9f6b43ac78ba3",
  routers: [
    {
      approvalProxy: "0xccc88a9d1b4ed6b0eaba998850414b24f1c315be",
      router: "0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f",
      version: "v3",
    },
    {
      approvalProxy: "0x58cc3e0aa6cd7bf795832a225179ec2d848ce3e7",
      router: "0x3ec130b627944cad9b2750300ecb0a695da522b6",
      version: "v2.1",
    },
  ],
} as const satisfies Partial<TrustedChain>;

/**
 * Contracts and solver of the public service. Chain names come from published orders and the protocol's documentation.
 * Names no `outputGuard`, because no deployment is known; `docs/reference/execute.md` explains how to add one.
 */
export const productionTrust: TrustRoots = {
  chains: [
    // The wrapped ether of each chain: WETH9 on Ethereum, the OP Stack's predeploy, and Arbitrum's gateway token.
    { ...cancun, chainId: 1, name: "ethereum", wrappedNative: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2" },
    { ...cancun, chainId: 10, name: "optimism", wrappedNative: "0x4200000000000000000000000000000000000006" },
    { ...cancun, chainId: 8453, name: "base", wrappedNative: "0x4200000000000000000000000000000000000006" },
    {
      ...cancun,
      chainId: 42161,
      name: "arbitrum",
      wrappedNative: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
    },
  ],
  // From the same page. The published signature record in `test/vectors` recovers to this address.
  solvers: ["0xf70da97812cb96acdf810712aa562db8dfa3dbef"],
};
