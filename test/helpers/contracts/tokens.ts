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

/** Deploys a token with permits that the first account of the local chain may mint. */
export async function deployLocalToken(ethers: HardhatEthers): Promise<TestToken> {
  const [owner] = await ethers.getSigners();
  if (!owner) throw new Error("The local chain has no accounts.");
  const token: BaseContract = await ethers.deployContract("LocalToken", [
    "Local Dollar",
    "LUSD",
    6,
    owner.address,
  ]);
  return token as TestToken;
}
