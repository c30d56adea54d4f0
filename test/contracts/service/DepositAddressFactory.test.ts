import { expect } from "chai";
import { network } from "hardhat";
import {
  depositAddressOf,
  depositFactoryAddress,
  deriveAccounts,
} from "../../../emulator/chains/accounts.ts";

const { ethers, networkHelpers } = await network.create();

const SALT = `0x${"5a".repeat(32)}`;
const ORDER = `0x${"0d".repeat(32)}`;

async function deploy() {
  const [service, depositor, stranger] = await ethers.getSigners();
  if (!service || !depositor || !stranger) throw new Error("The local chain has too few accounts.");
  const factory = await ethers.deployContract("DepositAddressFactory", [service.address]);
  const depository = await ethers.deployContract("RelayDepository", [service.address, service.address]);
  const account = await factory.computeDepositAddress(SALT);
  const address = await ethers.getContractAt("DepositAddress", account);
  const sweepOf = async (currency: string, amount: bigint) => ({
    amount,
    currency,
    depositor: depositor.address,
    depository: await depository.getAddress(),
    id: ORDER,
  });
  return { account, address, depositor, depository, factory, service, stranger, sweepOf };
}

async function tokenHeldBy(name: string, holder: string, amount: bigint, args: readonly unknown[] = []) {
  const token = await ethers.deployContract(name, [...args]);
  await token.getFunction("mint")(holder, amount);
  return token;
}

describe("DepositAddressFactory", () => {
  it("sweeps native currency that arrived before the account had code, and names depositor and order", async () => {
    const { account, depositor, depository, factory, sweepOf } = await networkHelpers.loadFixture(deploy);
    await depositor.sendTransaction({ to: account, value: 700n });
    const sweeping = factory.sweep(SALT, await sweepOf(ethers.ZeroAddress, 700n));
    await expect(sweeping).to.emit(depository, "RelayNativeDeposit").withArgs(depositor.address, 700n, ORDER);
    await expect(sweeping).to.changeEtherBalances(ethers, [account, depository], [-700n, 700n]);
  });

  it("sweeps again without creating the account again, and leaves what the sweep does not name", async () => {
    const { account, depositor, factory, sweepOf } = await networkHelpers.loadFixture(deploy);
    await depositor.sendTransaction({ to: account, value: 10n });
    await factory.sweep(SALT, await sweepOf(ethers.ZeroAddress, 4n));
    const code = await ethers.provider.getCode(account);
    await expect(factory.sweep(SALT, await sweepOf(ethers.ZeroAddress, 5n))).to.changeEtherBalance(
      ethers,
      account,
      -5n,
    );
    expect(await ethers.provider.getCode(account)).to.equal(code);
    expect(await ethers.provider.getBalance(account)).to.equal(1n);
  });

  for (const name of ["LocalToken", "NoReturnToken"] as const) {
    it(`sweeps ${name}, to the unit`, async () => {
      const { account, depositor, depository, factory, sweepOf, service } =
        await networkHelpers.loadFixture(deploy);
      const args = name === "LocalToken" ? ["Local", "LOC", 6, service.address] : [];
      const token = await tokenHeldBy(name, account, 55n, args);
      const currency = await token.getAddress();
      await expect(factory.sweep(SALT, await sweepOf(currency, 55n)))
        .to.emit(depository, "RelayErc20Deposit")
        .withArgs(depositor.address, currency, 55n, ORDER);
      expect(await token.getFunction("balanceOf")(depository)).to.equal(55n);
    });
  }

  it("a token that takes a fee: reverts with what arrived, because the depository's event states the whole amount", async () => {
    const { account, address, factory, sweepOf } = await networkHelpers.loadFixture(deploy);
    const token = await tokenHeldBy("FeeOnTransferToken", account, 10_000n, [100n]);
    const sweeping = factory.sweep(SALT, await sweepOf(await token.getAddress(), 10_000n));
    await expect(sweeping)
      .to.be.revertedWithCustomError(address, "DepositTooSmall")
      .withArgs(10_000n, 9_900n);
  });

  it("a stranger: sweeps neither by the factory nor by the account", async () => {
    const { account, address, depositor, factory, stranger, sweepOf } =
      await networkHelpers.loadFixture(deploy);
    await depositor.sendTransaction({ to: account, value: 4n });
    const sweep = await sweepOf(ethers.ZeroAddress, 1n);
    await expect(factory.connect(stranger).sweep(SALT, sweep)).to.be.revertedWithCustomError(
      factory,
      "Unauthorized",
    );
    await factory.sweep(SALT, sweep);
    await expect(address.connect(stranger).sweep(sweep)).to.be.revertedWithCustomError(
      address,
      "Unauthorized",
    );
  });

  it("the founder's factory: is at the emulator's address, and derives the addresses that the emulator quotes", async () => {
    const accounts = deriveAccounts();
    const founder = await ethers.getImpersonatedSigner(accounts.founder.account.address);
    await networkHelpers.setBalance(founder.address, 10n ** 18n);
    const factory = await ethers.deployContract("DepositAddressFactory", [founder.address], founder);
    expect((await factory.getAddress()).toLowerCase()).to.equal(
      depositFactoryAddress(accounts).toLowerCase(),
    );
    expect((await factory.computeDepositAddress(SALT)).toLowerCase()).to.equal(
      depositAddressOf(SALT as `0x${string}`, accounts),
    );
  });
});
