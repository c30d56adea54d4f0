import { expect } from "chai";
import { type BaseContract, type FunctionFragment, ZeroAddress } from "ethers";
import { network } from "hardhat";
import { reentrancyReason } from "../../helpers/contracts/libraryErrors.ts";
import {
  asset,
  bring,
  deployProxyStage,
  ENTRIES,
  type Entry,
  entryOf,
  expectNothingLeft,
  step,
} from "../../helpers/contracts/proxyStage.ts";

const { ethers, networkHelpers } = await network.create();

const AMOUNT = 1_000_003n;

async function receiptStage() {
  const stage = await deployProxyStage(ethers);
  const token = await ethers.deployContract("PlainToken");
  const hostileToken = await ethers.deployContract("ReentrantToken");
  const nft = await ethers.deployContract("MintableNft");
  const items = await ethers.deployContract("MintableItems");
  const recipient = await ethers.deployContract("ReentrantNftRecipient");
  const receipts = await ethers.getContractAt("INftReceipts", stage.executor);
  return { stage, token, hostileToken, nft, items, recipient, receipts };
}

type Stage = Awaited<ReturnType<typeof receiptStage>>;

async function mintStep({ stage }: Stage, target: BaseContract, name: string, ...args: readonly unknown[]) {
  const data = target.interface.encodeFunctionData(name, [await stage.executor.getAddress(), ...args]);
  return step({ target, data });
}

/** Mints that reach each of the recipient's three hooks, with a check of its final tokens. */
const RECEIPTS = {
  "ERC-721": {
    mint: (all: Stage) => mintStep(all, all.nft, "mint", 7n),
    expectArrived: async ({ nft, recipient }: Stage) => {
      expect(await nft.ownerOf(7n)).to.equal(recipient);
    },
  },
  "ERC-1155": {
    mint: (all: Stage) => mintStep(all, all.items, "mint", 7n, 70n),
    expectArrived: (all: Stage) => expectItems(all, [7n], [70n]),
  },
  "ERC-1155 batch": {
    mint: (all: Stage) => mintStep(all, all.items, "mintBatch", [8n, 9n], [80n, 90n]),
    expectArrived: (all: Stage) => expectItems(all, [8n, 9n], [80n, 90n]),
  },
};

async function expectItems(
  { items, recipient, stage }: Stage,
  ids: readonly bigint[],
  amounts: readonly bigint[],
) {
  for (const [index, id] of ids.entries()) {
    expect(await items.balanceOf(recipient, id)).to.equal(amounts[index]);
    expect(await items.balanceOf(stage.executor, id)).to.equal(0n);
    expect(await items.balanceOf(stage.proxy, id)).to.equal(0n);
  }
}

/** Calls that a recipient may attempt during a receipt, while the executor holds a token. */
async function attacks({ stage, token }: Stage): Promise<readonly [target: BaseContract, data: string][]> {
  const loot = [asset(stage, { token: await token.getAddress(), recipient: stage.stranger.address })];
  const executor = stage.executor.interface;
  const execute = executor.encodeFunctionData("execute", [loot, []]);
  const rename = executor.encodeFunctionData("executeWithNftRecipient", [
    { assets: loot, steps: [], nftRecipient: stage.stranger.address },
  ]);
  const spend = executor.encodeFunctionData("spend", [
    await token.getAddress(),
    0n,
    await token.getAddress(),
    36n,
    token.interface.encodeFunctionData("transfer", [stage.stranger.address, 0n]),
    stage.stranger.address,
  ]);
  return [execute, rename, spend].flatMap((data): [BaseContract, string][] => [
    [stage.executor, data],
    [stage.proxy, data],
  ]);
}

/** Runs a mint for the hostile recipient while the executor holds a token that belongs to the call. */
async function receive(all: Stage, entry: Entry, mint: Awaited<ReturnType<typeof mintStep>>) {
  const { stage, token, recipient } = all;
  await bring(stage, entry, token, AMOUNT);
  return entryOf(stage, entry).executeWithNftRecipient({
    assets: [asset(stage, { token, minimumReceived: AMOUNT })],
    steps: [mint],
    nftRecipient: recipient,
  });
}

for (const entry of ENTRIES) {
  describe(`recipients that call back from a receipt of NFTs, by the ${entry}`, () => {
    for (const [name, { mint, expectArrived }] of Object.entries(RECEIPTS)) {
      it(`a recipient of NFTs enters neither contract from the hook of ${name}, by any function of the executor's`, async () => {
        const attackCount = 6;
        for (let index = 0; index < attackCount; index += 1) {
          const all = await networkHelpers.loadFixture(receiptStage);
          const { stage, token, recipient } = all;
          const attack = (await attacks(all))[index];
          if (attack === undefined) throw new Error("There are fewer attacks than expected.");
          await recipient.arm(...attack);
          await receive(all, entry, await mint(all));
          expect(await recipient.fired()).to.equal(1n);
          expect([await recipient.lastSuccess(), await recipient.lastReturnData()]).to.deep.equal([
            false,
            reentrancyReason(),
          ]);
          await expectArrived(all);
          expect(await token.balanceOf(stage.recipient)).to.equal(AMOUNT);
          await expectNothingLeft(stage, token);
        }
      });
    }

    it("a recipient that sends the NFT back receives it again", async () => {
      const all = await networkHelpers.loadFixture(receiptStage);
      const { nft, recipient, stage } = all;
      const back = (
        nft.interface.getFunction("safeTransferFrom(address,address,uint256)") as FunctionFragment
      ).selector;
      const args = ethers.AbiCoder.defaultAbiCoder().encode(
        ["address", "address", "uint256"],
        [await recipient.getAddress(), await stage.executor.getAddress(), 7n],
      );
      await recipient.arm(nft, back + args.slice(2));
      await receive(all, entry, await mintStep(all, nft, "mint", 7n));
      expect(await recipient.lastSuccess()).to.equal(true);
      expect(await nft.ownerOf(7n)).to.equal(recipient);
    });

    it("a recipient that reports NFTs it did not send gains nothing", async () => {
      const all = await networkHelpers.loadFixture(receiptStage);
      const { nft, receipts, recipient, token, stage } = all;
      // The executor calls the reported transfer on the recipient, which lacks that function.
      const lie = receipts.interface.encodeFunctionData("onERC721Received", [
        ZeroAddress,
        ZeroAddress,
        8n,
        "0x",
      ]);
      await recipient.arm(stage.executor, lie);
      await receive(all, entry, await mintStep(all, nft, "mint", 7n));
      expect(await recipient.lastSuccess()).to.equal(false);
      expect(await nft.ownerOf(7n)).to.equal(recipient);
      await expectNothingLeft(stage, token);
    });
  });
}

describe("NFTs that arrive outside a call", () => {
  for (const holder of ["executor", "proxy"] as const) {
    it(`the ${holder} rejects NFTs of every kind outside a call, and they stay with their owner`, async () => {
      const { stage, nft, items, receipts } = await networkHelpers.loadFixture(receiptStage);
      const to = stage[holder];
      for (const [collection, mint] of [
        [nft, nft.mint(to, 1n)],
        [items, items.mint(to, 1n, 5n)],
        [items, items.mintBatch(to, [2n, 3n], [5n, 6n])],
      ] as const) {
        if (holder === "executor") {
          await expect(mint)
            .to.be.revertedWithCustomError(receipts, "NftRecipientNotSet")
            .withArgs(await collection.getAddress());
        } else {
          await expect(mint).to.be.revertedWithCustomError(
            collection,
            collection === nft ? "ERC721InvalidReceiver" : "ERC1155InvalidReceiver",
          );
        }
      }
      await nft.mint(stage.caller, 9n);
      const giving = nft.connect(stage.caller).getFunction("safeTransferFrom(address,address,uint256)")(
        stage.caller,
        to,
        9n,
      );
      await expect(giving).to.revert(ethers);
      expect(await nft.ownerOf(9n)).to.equal(stage.caller);
    });
  }

  it("rejects NFTs while the proxy still pulls, although the call names a recipient later", async () => {
    const all = await networkHelpers.loadFixture(receiptStage);
    const { stage, nft, hostileToken, receipts } = all;
    await bring(stage, "proxy", hostileToken, AMOUNT);
    const mint = nft.interface.encodeFunctionData("mint", [await stage.executor.getAddress(), 1n]);
    await hostileToken.arm(nft, mint);
    await entryOf(stage, "proxy").executeWithNftRecipient({
      assets: [asset(stage, { token: hostileToken })],
      steps: [await mintStep(all, nft, "mint", 2n)],
      nftRecipient: stage.recipient,
    });
    expect([await hostileToken.fired(), await hostileToken.lastSuccess()]).to.deep.equal([1n, false]);
    const reason = receipts.interface.encodeErrorResult("NftRecipientNotSet", [await nft.getAddress()]);
    expect(await hostileToken.lastReturnData()).to.equal(reason);
    await expect(nft.ownerOf(1n)).to.be.revertedWithCustomError(nft, "ERC721NonexistentToken");
  });
});
