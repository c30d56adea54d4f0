import { expect } from "chai";
import type { ContractTransactionResponse } from "ethers";
import { network } from "hardhat";
import { routerCall as call, deployRouter, METADATA, ROUTER_VERSIONS } from "./support/routers.ts";

const { ethers, networkHelpers } = await network.create();

for (const version of ROUTER_VERSIONS) {
  const logsMovements = version === "RelayRouterV3";

  async function deploy() {
    const [solver, recipient, other] = await ethers.getSigners();
    if (!solver || !recipient || !other) throw new Error("The local chain has too few accounts.");
    const token = await ethers.deployContract("LocalToken", ["Dollar", "USD", 6, solver.address]);
    return {
      ...(await deployRouter(ethers, version)),
      ...{ solver, recipient, other, token, dollars: await token.getAddress() },
      vault: await ethers.deployContract("LocalVault", [token, "Dollar Vault", "vUSD"]),
      rejecting: await ethers.deployContract("RejectingRecipient"),
      nft: await ethers.deployContract("MintableNft"),
      items: await ethers.deployContract("MintableItems"),
    };
  }
  const load = () => networkHelpers.loadFixture(deploy);
  type Deployment = Awaited<ReturnType<typeof deploy>>;

  /** The events of a transaction at the router, in their order. */
  async function eventsOf({ router }: Deployment, sending: Promise<ContractTransactionResponse>) {
    const receipt = await (await sending).wait();
    return (receipt?.logs ?? [])
      .filter(({ address }) => address === router.target)
      .map((log) => router.interface.parseLog(log))
      .map((log) => [log?.name, ...(log?.args.toArray() ?? [])]);
  }

  /** The `FundsMovement` event of version 3. */
  const movement = (...fields: unknown[]) => (logsMovements ? [["FundsMovement", ...fields, METADATA]] : []);

  describe(`${version}.multicall`, () => {
    // @spec calls/in-order
    it("makes the calls in order as the router and logs each successful one", async () => {
      const all = await load();
      const { token, dollars, vault, recipient } = all;
      await token.mint(all.router, 500n);
      const address = await vault.getAddress();
      const approve = token.interface.encodeFunctionData("approve", [address, 500n]);
      const deposit = vault.interface.encodeFunctionData("deposit", [500n, recipient.address]);
      const running = all.multicall([call(dollars, approve), call(address, deposit)], recipient);
      await expect(running).to.changeTokenBalances(ethers, vault, [recipient], [500n]);
      expect(await eventsOf(all, running)).to.deep.equal([
        ["SolverCallExecuted", dollars, approve, 0n],
        ["SolverCallExecuted", address, deposit, 0n],
      ]);
    });

    it("reverts with the reason of a call without allowFailure, and without one when the call had none", async () => {
      const { multicall, dollars, rejecting, recipient } = await load();
      const calls = [call(await rejecting.getAddress(), "0x", 7n)];
      await expect(multicall(calls, recipient, { value: 7n }))
        .to.be.revertedWithCustomError(rejecting, "Rejected")
        .withArgs(7n);
      const unknown = [call(dollars, "0xdeadbeef")];
      await expect(multicall(unknown, recipient)).to.be.revertedWithoutReason(ethers);
    });

    it("continues after a call with allowFailure, does not log it and refunds its value", async () => {
      const { router, multicall, rejecting, recipient } = await load();
      const calls = [call(await rejecting.getAddress(), "0x", 7n, true)];
      const running = multicall(calls, recipient, { value: 7n });
      await expect(running).not.to.emit(router, "SolverCallExecuted");
      await expect(running).to.changeEtherBalance(ethers, recipient, 7n);
    });

    for (const nested of logsMovements
      ? (["multicall", "cleanupErc20s"] as const)
      : (["multicall"] as const)) {
      it(`rejects a third party that calls ${nested} from within, with both accounts`, async () => {
        const { router, multicall, encode, token, dollars, solver, recipient } = await load();
        const target = await ethers.deployContract("ReentrantTarget");
        const address = await target.getAddress();
        await token.mint(router, 500n);
        const args =
          nested === "multicall" ? [[], address, ethers.ZeroAddress] : [[dollars], [address], [0n]];
        await target.arm(router, encode(nested, args));
        await multicall([call(address)], recipient);
        expect(await target.lastReturnData()).to.equal(
          router.interface.encodeErrorResult("InvalidMsgSender", [solver.address, address]),
        );
        expect(await token.balanceOf(target)).to.equal(0n);
      });
    }
  });

  describe(`${version} cleanups`, () => {
    // @spec calls/cleanup-erc20s
    it("cleanups send fixed amounts and, for zero, the whole balance", async () => {
      const all = await load();
      const { router, token, dollars, vault, recipient, other } = all;
      await token.mint(router, 500n);
      const args = [
        [dollars, dollars, dollars],
        [recipient, other, other],
        [120n, 0n, 0n],
      ];
      const cleanup = all.send("cleanupErc20s", args);
      await expect(cleanup).to.changeTokenBalances(
        ethers,
        token,
        [router, recipient, other],
        [-500n, 120n, 380n],
      );
      expect(await eventsOf(all, cleanup)).to.deep.equal([
        ...movement(await router.getAddress(), recipient.address, dollars, 120n),
        ...movement(await router.getAddress(), other.address, dollars, 380n),
      ]);
      const nothing = all.send("cleanupErc20s", [[vault], [recipient], [0n]]);
      expect((await (await nothing).wait())?.logs).to.deep.equal([]);
    });

    // @spec calls/cleanup-native
    it("cleanups send native currency to the recipient, or to the caller when it is zero", async () => {
      const all = await load();
      const { router, as, recipient, other } = all;
      const address = await router.getAddress();
      await networkHelpers.setBalance(address, 10n);
      expect(await eventsOf(all, all.send("cleanupNative", [4n, recipient]))).to.deep.equal([
        ["SolverNativeTransfer", recipient.address, 4n],
        ...movement(address, recipient.address, ethers.ZeroAddress, 4n),
      ]);
      await expect(as(other)("cleanupNative", [0n, ethers.ZeroAddress]))
        .to.emit(router, "SolverNativeTransfer")
        .withArgs(other.address, 6n);
      expect(await eventsOf(all, all.send("cleanupNative", [0n, recipient]))).to.deep.equal([]);
    });

    it("cleanups approve and call a target that pulls, and skip it without a balance", async () => {
      const all = await load();
      const { router, token, vault, recipient } = all;
      const deposit = vault.interface.encodeFunctionData("deposit", [500n, recipient.address]);
      const cleanup = () => all.send("cleanupErc20sViaCall", [[token], [vault], [deposit], [0n]]);
      expect((await (await cleanup()).wait())?.logs).to.deep.equal([]);
      await token.mint(router, 500n);
      await expect(cleanup()).to.changeTokenBalance(ethers, vault, recipient, 500n);
    });

    it("cleanups send native currency with a call, and skip the call without a balance", async () => {
      const { router, send, recipient } = await load();
      const wrapped = await ethers.deployContract("LocalWrappedNative", ["Wrapped Ether", "WETH"]);
      const deposit = wrapped.interface.encodeFunctionData("deposit");
      const spend = (amount: bigint) => send("cleanupNativeViaCall", [amount, wrapped, deposit]);
      expect((await (await spend(0n)).wait())?.logs).to.deep.equal([]);
      await networkHelpers.setBalance(await router.getAddress(), 10n);
      await expect(spend(4n)).to.changeTokenBalance(ethers, wrapped, router, 4n);
      const rest = send("cleanupNativeViaCall", [0n, recipient, "0x"]);
      await expect(rest).to.changeEtherBalance(ethers, recipient, 6n);
    });
  });

  describe(`${version} and tokens of ERC-721 and ERC-1155`, () => {
    /** Runs one call, with a recipient of tokens. */
    async function run(
      { multicall }: Deployment,
      target: { getAddress(): Promise<string> },
      data: string,
      to: string,
    ) {
      return multicall([call(await target.getAddress(), data)], ethers.ZeroAddress, {}, to);
    }

    /** Mints the token 1 to the router, for `to`. */
    async function mintFor(all: Deployment, to: string) {
      const address = await all.router.getAddress();
      return run(all, all.nft, all.nft.interface.encodeFunctionData("mint", [address, 1n]), to);
    }

    it("forwards an ERC-721 token to the recipient of the multicall", async () => {
      const all = await load();
      await mintFor(all, all.recipient.address);
      expect(await all.nft.ownerOf(1n)).to.equal(all.recipient.address);
    });

    it("forwards ERC-1155 tokens, one kind or a batch", async () => {
      const all = await load();
      const { items, recipient } = all;
      const address = await all.router.getAddress();
      const mint = items.interface.encodeFunctionData("mint", [address, 1n, 7n]);
      const mintBatch = items.interface.encodeFunctionData("mintBatch", [address, [2n, 3n], [8n, 9n]]);
      for (const data of [mint, mintBatch]) await run(all, items, data, recipient.address);
      const balances = await items.balanceOfBatch([recipient, recipient, recipient], [1n, 2n, 3n]);
      expect(balances).to.deep.equal([7n, 8n, 9n]);
    });

    it("an NFT outside a multicall reverts with NoRecipientSet, even after one that named a recipient", async () => {
      const all = await load();
      const { router, nft, items } = all;
      await mintFor(all, all.recipient.address);
      for (const mint of [
        nft.mint(router, 2n),
        items.mint(router, 1n, 1n),
        items.mintBatch(router, [1n], [1n]),
      ]) {
        await expect(mint).to.be.revertedWithCustomError(router, "NoRecipientSet");
      }
    });
  });
}
