import type { Address } from "viem";

/**
 * Addresses on Ethereum of the contracts that the replica holds. Sources: each project's own list of deployments; those of Aave
 * are in `@bgd-labs/aave-address-book`, those of Safe in `@safe-global/safe-deployments`. Where an address follows from a
 * creator and a nonce or a salt, the build computes it and fails if it differs.
 */
export const mainnet = {
  aave: {
    aclManager: "0xc2aaCf6553D20d1e9d78E365AAba8032af9c85b0",
    addressesProvider: "0x2f39d218133AFaB8F2B819B1066c7E434Ad94E9e",
    aUsdc: "0x98C23E9d8f34FEFb1B7BD6a91B7FF122F4e16F5c",
    configurator: "0x64b761D848206f447Fe2dd461b0c635Ec39EbB27",
    oracle: "0x54586bE62E3c3580375aE3723C145253060Ca0C2",
    owner: "0x5300A1a15135EA4dc7aD5a167152C01EFc9b192A",
    pool: "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2",
    usdcFeed: "0x3f73F03aa83B2A48ed27E964eD0fDb590332095B",
  },
  create2Factory: "0x4e59b44847b379578588920cA78FbF26c0B4956C",
  createX: "0xba5Ed099633D3B313e4D5F7bdc1305d3c28ba5Ed",
  multicall3: "0xcA11bde05977b3631167028862bE2a173976CA11",
  permit2: "0x000000000022D473030F116dDEE9F6B43aC78BA3",
  safe: {
    factory: "0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67",
    fallbackHandler: "0xfd0732Dc9E303f09fCEf3a7388Ad10A83459Ec99",
    singleton: "0x41675C099F32341bf84BFc5382aF534df5C7461a",
    singletonFactory: "0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7",
  },
  uniswapV2: {
    factory: "0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f",
    router: "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D",
  },
  uniswapV3: {
    factory: "0x1F98431c8aD98523631AE4a59f267346ea31F984",
    positionManager: "0xC36442b4a4522E871399CD717aBDD847Ab11FE88",
    quoter: "0xb27308f9F90D607463bb33eA1BeBb41C27CE5AB6",
    swapRouter02: "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45",
  },
  usdc: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
  usdt: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
  /** A vault of USDC: Steakhouse's on Ethereum, OpenZeppelin's ERC-4626 on the replica. */
  vault: "0xBEEF01735c132Ada46AA9aA4c54623cAA92A64CB",
  weth: "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
} as const satisfies Addresses;

type Addresses = { readonly [name: string]: Address | Addresses };
