import { type Hex, parseAbi, parseEther, parseUnits } from "viem";
import type { Rpc } from "../../../emulator/chains/rpc.ts";
import { permit2InitCode, readArtifact } from "../../../emulator/chains/setup/placeContracts.ts";
import { mainnet } from "./addresses.ts";
import { type Builder, createBuilder, builder as owner } from "./createBuilder.ts";
import { placeAave } from "./placeAave.ts";
import { placeUniswapV2, placeUniswapV3 } from "./placeUniswap.ts";
import { initCode, published, readPrivate } from "./publishedCode.ts";

/** Deploys everything to an empty development node. */
export async function buildReplica(rpc: Rpc): Promise<void> {
  const builder = createBuilder(rpc);
  await placeFactories(builder);
  await placeTokens(builder);
  await placeUniswapV2(builder);
  await placeUniswapV3(builder);
  await placeAave(builder);
  await placeSafe(builder);
}

/**
 * Transaction that deploys the deterministic deployment proxy on every chain. Its signature is made of twos instead of by a
 * key, and the signer's address follows from it.
 */
const create2FactoryTransaction: Hex = `0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba0${"22".repeat(32)}a0${"22".repeat(32)}`;

const createXFile = "dist/src/internal/execution/strategy/createx-artifact.js";

/** Deploys the factories, Permit2 and Multicall3. */
async function placeFactories(builder: Builder): Promise<void> {
  await builder.presigned(mainnet.create2Factory, create2FactoryTransaction);
  const createX = await readPrivate("@nomicfoundation/ignition-core", createXFile, "presignedTx");
  await builder.presigned(mainnet.createX, createX);
  // Safe's factory has the same code, and an account that signs for each chain.
  const proxyCode = await builder.rpc("eth_getCode", [mainnet.create2Factory, "latest"]);
  await builder.place(mainnet.safe.singletonFactory, proxyCode as Hex);
  await builder.construct(mainnet.permit2, permit2InitCode());
  const multicall3 = await readPrivate("viem", "_esm/constants/contracts.js", "multicall3Bytecode");
  await builder.construct(mainnet.multicall3, multicall3);
}

/** The builder's inventory, from which pools are filled. */
const dollars = parseUnits("10000000000", 6);
const ether = parseEther("10000000");

const mintAbi = parseAbi(["function mint(address to, uint256 amount)"]);
const wrapAbi = parseAbi(["function deposit() payable"]);

/** Deploys the tokens and the vault, and mints to the builder. */
async function placeTokens(builder: Builder): Promise<void> {
  const weth = published("canonical-weth/build/contracts/WETH9");
  await builder.construct(mainnet.weth, initCode(weth));
  await builder.construct(mainnet.usdc, initCode(readArtifact("mocks/UsdcLikeToken"), [owner]));
  await builder.construct(mainnet.usdt, initCode(readArtifact("mocks/UsdtLikeToken"), [owner]));
  const vault = readArtifact("service/currencies/LocalVault");
  await builder.construct(mainnet.vault, initCode(vault, [mainnet.usdc, "Vault of USD Coin", "vUSDC"]));
  for (const address of [mainnet.usdc, mainnet.usdt]) {
    await builder.send({ abi: mintAbi, address, args: [owner, dollars], functionName: "mint" });
  }
  await builder.send({ abi: wrapAbi, address: mainnet.weth, functionName: "deposit", value: ether });
}

const safeFolder = "@safe-global/safe-contracts/build/artifacts/contracts";

/** Deploys Safe 1.4.1 by Safe's own factory: the addresses prove that the published code is the one on Ethereum. */
async function placeSafe(builder: Builder): Promise<void> {
  const { safe } = mainnet;
  const contracts = [
    [safe.singleton, "Safe.sol/Safe"],
    [safe.factory, "proxies/SafeProxyFactory.sol/SafeProxyFactory"],
    [safe.fallbackHandler, "handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler"],
  ] as const;
  for (const [address, path] of contracts) {
    await builder.create2(safe.singletonFactory, address, initCode(published(`${safeFolder}/${path}`)));
  }
}
