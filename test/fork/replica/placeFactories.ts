import type { Hex } from "viem";
import { permit2InitCode } from "../../../emulator/chains/setup/placeContracts.ts";
import { mainnet } from "./addresses.ts";
import type { Builder } from "./createBuilder.ts";
import { readPrivate } from "./publishedCode.ts";

/**
 * Transaction that deploys the deterministic deployment proxy on every chain. Its signature is made of twos instead of by a
 * key, and the signer's address follows from it.
 */
const create2FactoryTransaction: Hex = `0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba0${"22".repeat(32)}a0${"22".repeat(32)}`;

const createXFile = "dist/src/internal/execution/strategy/createx-artifact.js";

/** Deploys the factories, Permit2 and Multicall3. */
export async function placeFactories(builder: Builder): Promise<void> {
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
