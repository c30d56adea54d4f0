import { parseAbi, parseEther, parseUnits } from "viem";
import { readArtifact } from "../../../emulator/chains/setup/placeContracts.ts";
import { mainnet } from "./addresses.ts";
import { type Builder, builder as owner } from "./createBuilder.ts";
import { initCode, published } from "./publishedCode.ts";

/** The builder's inventory, from which pools are filled. */
const dollars = parseUnits("10000000000", 6);
const ether = parseEther("10000000");

const mintAbi = parseAbi(["function mint(address to, uint256 amount)"]);
const wrapAbi = parseAbi(["function deposit() payable"]);

/** Deploys the tokens and the vault, and mints to the builder. */
export async function placeTokens(builder: Builder): Promise<void> {
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
