import { expect } from "chai";
import { network } from "hardhat";
import { inAnHour, signAuthorization, signPermit } from "../../helpers/contracts/ownerSignatures.ts";

const { ethers, networkHelpers } = await network.create();

async function deployCurrencies() {
  const [minter, holder, spender] = await ethers.getSigners();
  if (!minter || !holder || !spender) throw new Error("The local chain has too few accounts.");
  const token = await ethers.deployContract("LocalToken", ["Dollar", "USD", 6, minter.address]);
  const tether = await ethers.deployContract("LocalTether", [minter.address]);
  const wrapped = await ethers.deployContract("LocalWrappedNative", ["Wrapped Ether", "WETH"]);
  const vault = await ethers.deployContract("LocalVault", [token, "Dollar Vault", "vUSD"]);
  await token.mint(holder, 1_000n);
  await tether.mint(holder, 1_000n);
  return { token, tether, wrapped, vault, minter, holder, spender };
}

for (const [name, args, words] of [
  ["LocalToken", ["Dollar", "USD", 6], ["Dollar", "USD", 6n]],
  ["LocalDollar", [], ["USD Coin", "USDC", 6n]],
] as const) {
  describe(`${name}`, () => {
    it(`${name} returns its name, symbol and decimals, and only its owner mints`, async () => {
      const [minter, holder] = await ethers.getSigners();
      if (!minter || !holder) throw new Error("The local chain has too few accounts.");
      const deployed = await ethers.deployContract(name as string, [...args, minter.address]);
      const token = await ethers.getContractAt("LocalToken", deployed);
      expect([await token.name(), await token.symbol(), await token.decimals()]).to.deep.equal(words);
      await expect(token.connect(holder).mint(holder, 1n))
        .to.be.revertedWithCustomError(token, "OwnableUnauthorizedAccount")
        .withArgs(holder.address);
      await expect(token.mint(holder, 5n)).to.changeTokenBalance(ethers, token, holder, 5n);
    });
  });
}

describe("LocalToken", () => {
  it("accepts permits under its own name", async () => {
    const { token, holder, spender } = await networkHelpers.loadFixture(deployCurrencies);
    const deadline = await inAnHour(ethers);
    const domain = { address: await token.getAddress(), name: "Dollar" };
    const fields = { owner: holder.address, spender: spender.address, value: 7n, nonce: 0n, deadline };
    const { v, r, s } = await signPermit(ethers, holder, domain, fields);
    await token.permit(holder, spender, 7n, deadline, v, r, s);
    expect(await token.allowance(holder, spender)).to.equal(7n);
  });
});

describe("LocalDollar", () => {
  async function deployDollar() {
    const [minter, holder] = await ethers.getSigners();
    if (!minter || !holder) throw new Error("The local chain has too few accounts.");
    return { dollar: await ethers.deployContract("LocalDollar", [minter.address]), holder, minter };
  }

  it("accepts an authorization once, in its time, and from its owner alone", async () => {
    const { dollar, holder, minter } = await networkHelpers.loadFixture(deployDollar);
    await dollar.mint(holder, 10n);
    const now = BigInt(await networkHelpers.time.latest());
    const domain = { address: await dollar.getAddress(), name: "USD Coin" };
    const sign = async (signer: typeof holder, validBefore: bigint) => {
      const [from, to, nonce] = [holder.address, minter.address, ethers.id(`${validBefore}`)];
      const fields = { from, to, value: 7n, validAfter: 0n, validBefore, nonce };
      const { v, r, s } = await signAuthorization(ethers, signer, domain, fields);
      return [from, to, 7n, 0n, validBefore, nonce, v, r, s] as const;
    };
    const good = await sign(holder, now + 1_000n);
    await expect(dollar.connect(holder).receiveWithAuthorization(...good)).to.revert(ethers);
    await expect(dollar.receiveWithAuthorization(...(await sign(minter, now + 1_000n)))).to.revert(ethers);
    await expect(dollar.receiveWithAuthorization(...(await sign(holder, now - 1n)))).to.revert(ethers);
    await expect(dollar.receiveWithAuthorization(...good)).to.changeTokenBalances(
      ethers,
      dollar,
      [holder, minter],
      [-7n, 7n],
    );
    await expect(dollar.receiveWithAuthorization(...good)).to.revert(ethers);
  });
});

describe("LocalTether", () => {
  it("returns nothing from transfer, transferFrom and approve", async () => {
    const { tether, holder, spender } = await networkHelpers.loadFixture(deployCurrencies);
    await tether.connect(holder).approve(spender, 5n);
    const encode = tether.interface;
    const calls = [
      [holder, encode.encodeFunctionData("transfer", [spender.address, 1n])],
      [holder, encode.encodeFunctionData("approve", [spender.address, 0n])],
      [spender, encode.encodeFunctionData("transferFrom", [holder.address, spender.address, 1n])],
    ] as const;
    for (const [from, data] of calls) {
      expect(await from.call({ to: tether, data })).to.equal("0x");
    }
  });

  it("moves tokens and reduces allowances, except the infinite one", async () => {
    const { tether, holder, spender } = await networkHelpers.loadFixture(deployCurrencies);
    await expect(tether.connect(holder).transfer(spender, 10n)).to.changeTokenBalances(
      ethers,
      tether,
      [holder, spender],
      [-10n, 10n],
    );
    await tether.connect(holder).approve(spender, 30n);
    const pull = tether.connect(spender).transferFrom(holder, spender, 20n);
    await expect(pull).to.emit(tether, "Transfer").withArgs(holder.address, spender.address, 20n);
    expect(await tether.allowance(holder, spender)).to.equal(10n);

    await tether.connect(holder).approve(spender, 0n);
    await tether.connect(holder).approve(spender, ethers.MaxUint256);
    await tether.connect(spender).transferFrom(holder, spender, 20n);
    expect(await tether.allowance(holder, spender)).to.equal(ethers.MaxUint256);
  });

  it("reverts by name when an allowance changes from one nonzero amount to another", async () => {
    const { tether, holder, spender } = await networkHelpers.loadFixture(deployCurrencies);
    await tether.connect(holder).approve(spender, 5n);
    await expect(tether.connect(holder).approve(spender, 6n))
      .to.be.revertedWithCustomError(tether, "TetherApproveFromNonZero")
      .withArgs(spender.address, 5n, 6n);
    await tether.connect(holder).approve(spender, 0n);
    await expect(tether.connect(holder).approve(spender, 6n))
      .to.emit(tether, "Approval")
      .withArgs(holder.address, spender.address, 6n);
  });

  it("reverts by name when balance or allowance is too low", async () => {
    const { tether, holder, spender } = await networkHelpers.loadFixture(deployCurrencies);
    await expect(tether.connect(holder).transfer(spender, 1_001n))
      .to.be.revertedWithCustomError(tether, "TetherInsufficientBalance")
      .withArgs(holder.address, 1_000n, 1_001n);
    await expect(tether.connect(spender).transferFrom(holder, spender, 1n))
      .to.be.revertedWithCustomError(tether, "TetherInsufficientAllowance")
      .withArgs(spender.address, 0n, 1n);
  });

  it("only its owner mints, and it has six decimals", async () => {
    const { tether, holder } = await networkHelpers.loadFixture(deployCurrencies);
    await expect(tether.connect(holder).mint(holder, 1n))
      .to.be.revertedWithCustomError(tether, "TetherUnauthorized")
      .withArgs(holder.address);
    expect([await tether.decimals(), await tether.totalSupply()]).to.deep.equal([6n, 1_000n]);
  });
});

describe("LocalWrappedNative", () => {
  it("wraps deposits and plain transfers, and unwraps them again", async () => {
    const { wrapped, holder } = await networkHelpers.loadFixture(deployCurrencies);
    const deposit = wrapped.connect(holder).deposit({ value: 8n });
    await expect(deposit).to.emit(wrapped, "Deposit").withArgs(holder.address, 8n);
    await holder.sendTransaction({ to: wrapped, value: 2n });
    expect(await wrapped.balanceOf(holder)).to.equal(10n);

    const withdrawal = wrapped.connect(holder).withdraw(10n);
    await expect(withdrawal).to.emit(wrapped, "Withdrawal").withArgs(holder.address, 10n);
    await expect(withdrawal).to.changeEtherBalances(ethers, [wrapped, holder], [-10n, 10n]);
    expect(await wrapped.totalSupply()).to.equal(0n);
  });

  it("reverts when more than the balance is unwrapped, and on a mistyped call", async () => {
    const { wrapped, holder } = await networkHelpers.loadFixture(deployCurrencies);
    await expect(wrapped.connect(holder).withdraw(1n))
      .to.be.revertedWithCustomError(wrapped, "ERC20InsufficientBalance")
      .withArgs(holder.address, 0n, 1n);
    await expect(
      holder.sendTransaction({ to: wrapped, value: 1n, data: "0xdeadbeef" }),
    ).to.be.revertedWithoutReason(ethers);
  });

  it("unwraps to a router, whose receive hook logs", async () => {
    const { wrapped, holder } = await networkHelpers.loadFixture(deployCurrencies);
    const router = await ethers.deployContract("RelayRouterV3");
    await wrapped.connect(holder).deposit({ value: 8n });
    await wrapped.connect(holder).transfer(router, 8n);
    const unwrap = {
      target: await wrapped.getAddress(),
      allowFailure: false,
      value: 0n,
      callData: wrapped.interface.encodeFunctionData("withdraw", [8n]),
    };
    const running = router.multicall([unwrap], holder, ethers.ZeroAddress, "0x");
    await expect(running)
      .to.emit(router, "SolverNativeTransfer")
      .withArgs(await router.getAddress(), 8n);
    await expect(running).to.emit(router, "SolverNativeTransfer").withArgs(holder.address, 8n);
  });
});

describe("LocalVault", () => {
  it("converts assets to shares and shares to assets", async () => {
    const { token, vault, holder } = await networkHelpers.loadFixture(deployCurrencies);
    expect(await vault.asset()).to.equal(await token.getAddress());
    await token.connect(holder).approve(vault, 400n);
    await expect(vault.connect(holder).deposit(400n, holder)).to.changeTokenBalance(
      ethers,
      vault,
      holder,
      400n,
    );
    await expect(vault.connect(holder).redeem(400n, holder, holder)).to.changeTokenBalance(
      ethers,
      token,
      holder,
      400n,
    );
  });
});
