import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { expect } from "chai";
import { type Addressable, type BaseContract, ZeroAddress } from "ethers";
import type { BalanceExecutor, BalanceProxy, RelayDepository } from "../../../typechain-types/index.ts";
import type { TestToken } from "./tokens.ts";

type Account = Awaited<ReturnType<HardhatEthers["getSigners"]>>[number];

export interface ProxyStage {
  readonly ethers: HardhatEthers;
  readonly proxy: BalanceProxy;
  readonly executor: BalanceExecutor;
  /** Deploys a target that takes exactly the amount of its calldata, and can leave a rest. */
  readonly depository: RelayDepository;
  readonly caller: Account;
  readonly recipient: Account;
  readonly stranger: Account;
}

export async function deployProxyStage(ethers: HardhatEthers): Promise<ProxyStage> {
  const [owner, caller, recipient, stranger] = await ethers.getSigners();
  if (!owner || !caller || !recipient || !stranger) throw new Error("The local chain has too few accounts.");
  const proxy = await ethers.deployContract("BalanceProxy");
  const executor = await ethers.getContractAt("BalanceExecutor", await proxy.executor());
  const depository = await ethers.deployContract("RelayDepository", [owner.address, owner.address]);
  return { ethers, proxy, executor, depository, caller, recipient, stranger };
}

interface AssetFields {
  readonly token?: string | Addressable;
  readonly minimumReceived?: bigint;
  readonly recipient?: string | Addressable;
  readonly minimumOutput?: bigint;
}

/** An asset swept to the recipient; by default native and without minimums. */
export function asset(stage: ProxyStage, fields: AssetFields) {
  return {
    token: ZeroAddress,
    minimumReceived: 0n,
    recipient: stage.recipient.address,
    minimumOutput: 0n,
    ...fields,
  };
}

interface StepFields {
  readonly target: string | Addressable;
  readonly approvedToken?: string | Addressable;
  readonly value?: bigint;
  readonly sendNativeBalance?: boolean;
  readonly data?: string;
  readonly splices?: readonly { readonly offset: bigint; readonly token: string | Addressable }[];
}

/** A step; by default without approval, value, data and splices. */
export function step(fields: StepFields) {
  const { splices = [], ...rest } = fields;
  return {
    approvedToken: ZeroAddress,
    value: 0n,
    sendNativeBalance: false,
    data: "0x",
    ...rest,
    splices: [...splices],
  };
}

/** Expects that both contracts hold no token and no native currency, and that `target` has no allowance. */
export async function expectNothingLeft(
  stage: ProxyStage,
  token: BaseContract,
  target: Addressable = stage.depository,
): Promise<void> {
  const asToken = token as TestToken;
  for (const holder of [stage.proxy, stage.executor]) {
    expect(await asToken.balanceOf(holder)).to.equal(0n);
    expect(await asToken.allowance(holder, target)).to.equal(0n);
    expect(await stage.ethers.provider.getBalance(holder)).to.equal(0n);
  }
}
