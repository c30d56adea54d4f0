import { mainnet } from "./addresses.ts";
import type { Builder } from "./createBuilder.ts";
import { initCode, published } from "./publishedCode.ts";

const folder = "@safe-global/safe-contracts/build/artifacts/contracts";

/** Deploys Safe 1.4.1 by Safe's own factory: the addresses prove that the published code is the one on Ethereum. */
export async function placeSafe(builder: Builder): Promise<void> {
  const { safe } = mainnet;
  const contracts = [
    [safe.singleton, "Safe.sol/Safe"],
    [safe.factory, "proxies/SafeProxyFactory.sol/SafeProxyFactory"],
    [safe.fallbackHandler, "handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler"],
    [safe.multiSend, "libraries/MultiSend.sol/MultiSend"],
    [safe.signMessageLib, "libraries/SignMessageLib.sol/SignMessageLib"],
  ] as const;
  for (const [address, path] of contracts) {
    await builder.create2(safe.singletonFactory, address, initCode(published(`${folder}/${path}`)));
  }
}
