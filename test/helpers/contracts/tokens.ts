import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import type { Addressable, BaseContract, Signer } from "ethers";

/** Functions of every test token, whatever they return. */
export interface TestToken extends BaseContract {
  connect(runner: Signer): TestToken;
  mint(to: string | Addressable, amount: bigint): Promise<unknown>;
  approve(spender: string | Addressable, amount: bigint): Promise<unknown>;
  balanceOf(account: string | Addressable): Promise<bigint>;
  allowance(owner: string | Addressable, spender: string | Addressable): Promise<bigint>;
}

/** Awkward tokens that move exactly the given amount. */
export const wellPayingTokens = [
  "LocalToken",
  "LocalTether",
  "NoReturnToken",
  "RevertsOnZeroToken",
  "BlocklistToken",
  "ReentrantToken",
] as const;

/** Deploys a token that the first account of the local chain may mint. */
export async function deployToken(
  ethers: HardhatEthers,
  name: (typeof wellPayingTokens)[number],
): Promise<TestToken> {
  const [owner] = await ethers.getSigners();
  if (!owner) throw new Error("The local chain has no accounts.");
  const args: Partial<Record<string, unknown[]>> = {
    LocalToken: ["Local Dollar", "LUSD", 6, owner.address],
    LocalTether: [owner.address],
  };
  const token: BaseContract = await ethers.deployContract(name as string, args[name] ?? []);
  return token as TestToken;
}
