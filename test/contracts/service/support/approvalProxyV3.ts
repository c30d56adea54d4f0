import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import type { RouterCall } from "./proxySignatures.ts";

/** A local approval proxy with its router, Permit2, and a user who holds two tokens. */
export async function deployApprovalProxyV3(ethers: HardhatEthers) {
  const [owner, user, recipient, relayer] = await ethers.getSigners();
  if (!owner || !user || !recipient || !relayer) throw new Error("The local chain has too few accounts.");
  const router = await ethers.deployContract("RelayRouterV3");
  const permit2 = await ethers.deployContract("WitnessPermit2");
  const proxy = await ethers.deployContract("RelayApprovalProxyV3", [owner, router, permit2]);
  const token = await ethers.deployContract("LocalToken", ["Dollar", "USD", 6, owner.address]);
  const bearer = await ethers.deployContract("AuthorizationToken");
  await token.mint(user, 1_000n);
  await bearer.mint(user, 1_000n);
  const vault = await ethers.deployContract("LocalVault", [token, "Dollar Vault", "vUSD"]);
  const { chainId } = await ethers.provider.getNetwork();
  const block = await ethers.provider.getBlock("latest");
  if (!block) throw new Error("The local chain has no block.");
  const deadline = BigInt(block.timestamp) + 3_600n;
  const all = { owner, user, recipient, relayer, router, permit2, proxy, token, bearer, vault };
  return { ...all, chainId, deadline };
}

export type ApprovalProxyV3 = Awaited<ReturnType<typeof deployApprovalProxyV3>>;

/** Deposits 300 into the vault for the recipient. */
export async function depositCalls({ token, vault, recipient }: ApprovalProxyV3): Promise<RouterCall[]> {
  const spender = await vault.getAddress();
  const approve = token.interface.encodeFunctionData("approve", [spender, 300n]);
  const deposit = vault.interface.encodeFunctionData("deposit", [300n, recipient.address]);
  return [
    { target: await token.getAddress(), allowFailure: false, value: 0n, callData: approve },
    { target: spender, allowFailure: false, value: 0n, callData: deposit },
  ];
}
