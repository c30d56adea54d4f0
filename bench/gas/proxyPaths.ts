import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { MaxUint256 } from "ethers";
import { asset, deployProxyStage, step } from "../../test/helpers/contracts/proxyStage.ts";
import { type Path, type Sending, TOKEN_AMOUNT } from "./Path.ts";

/** The caller is the recipient, refilled before each run. */
async function deployVaultStage(ethers: HardhatEthers) {
  const stage = await deployProxyStage(ethers);
  const token = await ethers.deployContract("PlainToken");
  const vault = await ethers.deployContract("LocalVault", [token, "Vault", "vLUSD"]);
  // `deposit(0, caller)`: the amount is the word after the selector.
  const data = vault.interface.encodeFunctionData("deposit", [0n, stage.caller.address]);
  return { ...stage, data, token, vault };
}

/** The approved contract deposits by itself. */
export const erc4626Deposit: Path = async (ethers) => {
  const { caller, proxy, token, vault } = await deployVaultStage(ethers);
  await token.connect(caller).approve(proxy, MaxUint256);
  const send: Sending = async () => {
    await token.mint(caller, TOKEN_AMOUNT);
    return proxy.connect(caller).depositErc4626(vault, token, TOKEN_AMOUNT, caller);
  };
  return { ours: [proxy], send };
};

export const pulledVaultDeposit: Path = async (ethers) => {
  const { caller, data, executor, proxy, token, vault } = await deployVaultStage(ethers);
  await token.connect(caller).approve(proxy, MaxUint256);
  const send: Sending = async () => {
    await token.mint(caller, TOKEN_AMOUNT);
    return proxy.connect(caller).spend(token, TOKEN_AMOUNT, vault, 4n, data, caller);
  };
  return { ours: [proxy, executor], send };
};

export const prefundedVaultDeposit: Path = async (ethers) => {
  const { caller, data, executor, token, vault } = await deployVaultStage(ethers);
  const send: Sending = async () => {
    await token.mint(executor, TOKEN_AMOUNT);
    return executor.connect(caller).spend(token, TOKEN_AMOUNT, vault, 4n, data, caller);
  };
  return { ours: [executor], send };
};

export const executedVaultDeposit: Path = async (ethers) => {
  const { data, token, vault, ...stage } = await deployVaultStage(ethers);
  const { caller, executor } = stage;
  const assets = [asset(stage, { token, minimumReceived: TOKEN_AMOUNT, recipient: caller })];
  const steps = [step({ target: vault, approvedToken: token, data, splices: [{ offset: 4n, token }] })];
  const send: Sending = async () => {
    await token.mint(executor, TOKEN_AMOUNT);
    return executor.connect(caller).execute(assets, steps);
  };
  return { ours: [executor], send };
};

/** The floor of the paths that pull. */
export const minimalPulledVaultDeposit: Path = async (ethers) => {
  const { caller, token, vault } = await deployVaultStage(ethers);
  const minimal = await ethers.deployContract("MinimalZap");
  await token.connect(caller).approve(minimal, MaxUint256);
  const send: Sending = async () => {
    await token.mint(caller, TOKEN_AMOUNT);
    return minimal.connect(caller).zapPull(token, vault, caller, TOKEN_AMOUNT);
  };
  return { ours: [minimal], send };
};

/** The floor of the paths that are pre-funded. */
export const minimalPrefundedVaultDeposit: Path = async (ethers) => {
  const { caller, token, vault } = await deployVaultStage(ethers);
  const minimal = await ethers.deployContract("MinimalZap");
  const send: Sending = async () => {
    await token.mint(minimal, TOKEN_AMOUNT);
    return minimal.connect(caller).zap(token, vault, caller);
  };
  return { ours: [minimal], send };
};
