import { expect } from "chai";
import { network } from "hardhat";

const { ethers, networkHelpers } = await network.create();

const RECIPIENT_SLOT = ethers.toBeHex(BigInt(ethers.id("RelayRouter.recipient")) - 1n, 32);

async function deployCollections() {
  const [solver, recipient] = await ethers.getSigners();
  if (!solver || !recipient) throw new Error("The local chain has too few accounts.");
  const v3 = await ethers.deployContract("RelayRouterV3");
  const v2 = await ethers.deployContract("RelayRouterV2_1");
  const nft = await ethers.deployContract("MintableNft");
  const items = await ethers.deployContract("MintableItems");
  return { v3, v2, nft, items, solver, recipient };
}

type Collections = Awaited<ReturnType<typeof deployCollections>>;
type Version = (typeof versions)[number];

const versions = ["RelayRouterV3", "RelayRouterV2_1"] as const;

async function runThrough(
  version: Version,
  { v3, v2 }: Collections,
  target: string,
  callData: string,
  nftRecipient: string,
) {
  const calls = [{ target, allowFailure: false, value: 0n, callData }];
  return version === "RelayRouterV3"
    ? v3.multicall(calls, ethers.ZeroAddress, nftRecipient, "0x")
    : v2.multicall(calls, ethers.ZeroAddress, nftRecipient);
}

for (const version of versions) {
  describe(`${version} and tokens of ERC-721 and ERC-1155`, () => {
    async function setUp() {
      const all = await networkHelpers.loadFixture(deployCollections);
      return { ...all, all, router: version === "RelayRouterV3" ? all.v3 : all.v2 };
    }

    it("passes an ERC-721 token on to the recipient of the multicall", async () => {
      const { all, router, nft, recipient } = await setUp();
      const mint = nft.interface.encodeFunctionData("mint", [await router.getAddress(), 1n]);
      await runThrough(version, all, await nft.getAddress(), mint, recipient.address);
      expect(await nft.ownerOf(1n)).to.equal(recipient.address);
    });

    it("passes ERC-1155 tokens on, one kind or a batch", async () => {
      const { all, router, items, recipient } = await setUp();
      const address = await router.getAddress();
      const mint = items.interface.encodeFunctionData("mint", [address, 1n, 7n]);
      const mintBatch = items.interface.encodeFunctionData("mintBatch", [address, [2n, 3n], [8n, 9n]]);
      await runThrough(version, all, await items.getAddress(), mint, recipient.address);
      await runThrough(version, all, await items.getAddress(), mintBatch, recipient.address);
      expect(await items.balanceOfBatch([recipient, recipient, recipient], [1n, 2n, 3n])).to.deep.equal([
        7n,
        8n,
        9n,
      ]);
    });

    it("reverts with NoRecipientSet when the multicall names no recipient", async () => {
      const { all, router, nft } = await setUp();
      const mint = nft.interface.encodeFunctionData("mint", [await router.getAddress(), 1n]);
      await expect(
        runThrough(version, all, await nft.getAddress(), mint, ethers.ZeroAddress),
      ).to.be.revertedWithCustomError(router, "NoRecipientSet");
    });

    it("reverts with NoRecipientSet outside a multicall, also after one that named a recipient", async () => {
      const { all, router, nft, items, recipient } = await setUp();
      const mint = nft.interface.encodeFunctionData("mint", [await router.getAddress(), 1n]);
      await runThrough(version, all, await nft.getAddress(), mint, recipient.address);
      await expect(nft.mint(router, 2n)).to.be.revertedWithCustomError(router, "NoRecipientSet");
      await expect(items.mint(router, 1n, 1n)).to.be.revertedWithCustomError(router, "NoRecipientSet");
      await expect(items.mintBatch(router, [1n], [1n])).to.be.revertedWithCustomError(
        router,
        "NoRecipientSet",
      );
    });

    it("reverts with InvalidRecipient when the recipient is the router itself", async () => {
      const { all, router, nft } = await setUp();
      const address = await router.getAddress();
      await expect(runThrough(version, all, await nft.getAddress(), "0x", address))
        .to.be.revertedWithCustomError(router, "InvalidRecipient")
        .withArgs(address);
    });

    it("weakness: it does not answer supportsInterface", async () => {
      const { router, solver } = await setUp();
      const question = ethers.concat([ethers.id("supportsInterface(bytes4)").slice(0, 10), "0x01ffc9a7"]);
      await expect(solver.call({ to: router, data: question })).to.be.revertedWithoutReason(ethers);
    });
  });
}

describe("RelayRouterV3 and the recipient's place in storage", () => {
  it("uses production's slot while a multicall runs and clears it afterwards", async () => {
    const { v3, nft, recipient } = await networkHelpers.loadFixture(deployCollections);
    const address = await v3.getAddress();
    const stale = ethers.zeroPadValue(recipient.address, 32);
    await networkHelpers.setStorageAt(address, RECIPIENT_SLOT, stale);
    await nft.mint(v3, 1n);
    expect(await nft.ownerOf(1n)).to.equal(recipient.address);

    await v3.multicall([], ethers.ZeroAddress, ethers.ZeroAddress, "0x");
    expect(await networkHelpers.getStorageAt(address, RECIPIENT_SLOT)).to.equal(ethers.ZeroHash);
    await expect(nft.mint(v3, 2n)).to.be.revertedWithCustomError(v3, "NoRecipientSet");
  });
});
