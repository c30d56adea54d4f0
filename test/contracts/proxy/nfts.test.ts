import { expect } from "chai";
import { type Addressable, type BaseContract, id } from "ethers";
import { network } from "hardhat";
import {
  asset,
  bring,
  deployProxyStage,
  ENTRIES,
  entryOf,
  expectNothingLeft,
  type ProxyStage,
  step,
} from "../../helpers/contracts/proxyStage.ts";

const { ethers, networkHelpers } = await network.create();

const PRICE = 2_500_000n;
const BUDGET = 8_000_003n;

async function deployCollections() {
  const stage = await deployProxyStage(ethers);
  const token = await ethers.deployContract("PlainToken");
  const sale = await ethers.deployContract("NftSale", [token, PRICE]);
  const nft = await ethers.deployContract("MintableNft");
  const items = await ethers.deployContract("MintableItems");
  const hostile = await ethers.deployContract("HostileNft");
  const receipts = await ethers.getContractAt("INftReceipts", stage.executor);
  return { stage, token, sale, nft, items, hostile, receipts };
}

/** A step that approves nothing and calls a function with the executor's address in front of other arguments. */
async function mintStep(stage: ProxyStage, target: BaseContract, name: string, ...args: readonly unknown[]) {
  const data = target.interface.encodeFunctionData(name, [await stage.executor.getAddress(), ...args]);
  return step({ target, data });
}

function execution(
  stage: ProxyStage,
  steps: ReturnType<typeof step>[],
  nftRecipient: string | Addressable = stage.recipient,
  assets: ReturnType<typeof asset>[] = [],
) {
  return { assets, steps, nftRecipient };
}

/** A step that buys tokens for an ERC-20 token. */
function buying({ sale, token }: Awaited<ReturnType<typeof deployCollections>>, quantity: bigint) {
  const data = sale.interface.encodeFunctionData("buy", [quantity]);
  return step({ target: sale, approvedToken: token, data });
}

/** The inner error of the executor's first step. */
function failure({ receipts }: Awaited<ReturnType<typeof deployCollections>>, collection: string) {
  return receipts.interface.encodeErrorResult("NftRecipientNotSet", [collection]);
}

for (const entry of ENTRIES) {
  describe(`NFTs that arrive on the executor, by the ${entry}`, () => {
    async function setUp() {
      const all = await networkHelpers.loadFixture(deployCollections);
      return { ...all, all, caller: entryOf(all.stage, entry) };
    }

    it(`NFTs bought with an ERC-20 token reach the recipient, with the change, by the ${entry}`, async () => {
      const { all, stage, token, sale, caller } = await setUp();
      await bring(stage, entry, token, BUDGET);
      const buy = buying(all, 3n);
      const assets = [asset(stage, { token, minimumReceived: 3n * PRICE })];
      await caller.executeWithNftRecipient(execution(stage, [buy], stage.recipient, assets));
      for (const tokenId of [0n, 1n, 2n]) expect(await sale.ownerOf(tokenId)).to.equal(stage.recipient);
      expect(await token.balanceOf(sale)).to.equal(3n * PRICE);
      expect(await token.balanceOf(stage.recipient)).to.equal(BUDGET - 3n * PRICE);
      await expectNothingLeft(stage, token, sale);
    });

    it(`forwards ERC-1155 tokens, one kind and a batch, by the ${entry}`, async () => {
      const { stage, items, caller } = await setUp();
      await caller.executeWithNftRecipient(
        execution(stage, [
          await mintStep(stage, items, "mint", 1n, 7n),
          await mintStep(stage, items, "mintBatch", [2n, 3n], [8n, 9n]),
        ]),
      );
      const { recipient, executor } = stage;
      expect(await items.balanceOfBatch([recipient, recipient, recipient], [1n, 2n, 3n])).to.deep.equal([
        7n,
        8n,
        9n,
      ]);
      expect(await items.balanceOfBatch([executor, executor, executor], [1n, 2n, 3n])).to.deep.equal([
        0n,
        0n,
        0n,
      ]);
    });

    it(`audit A2: a mint without a receipt reverts when the call names an NFT recipient, by the ${entry}`, async () => {
      const { stage, token, sale, caller } = await setUp();
      await bring(stage, entry, token, BUDGET);
      const data = sale.interface.encodeFunctionData("buyUnsafe");
      const buy = step({ target: sale, approvedToken: token, data });
      const assets = [asset(stage, { token, minimumReceived: PRICE })];
      await expect(caller.executeWithNftRecipient(execution(stage, [buy], stage.recipient, assets)))
        .to.be.revertedWithCustomError(stage.executor, "NoNftForwarded")
        .withArgs(stage.recipient);
      expect(await sale.sold()).to.equal(0n);
    });

    it(`an NFT that an earlier call of the transaction forwarded does not count, by the ${entry}`, async () => {
      const { stage, nft, caller } = await setUp();
      const multicall = await ethers.deployContract("Multicall3");
      const [minting, idle] = await Promise.all(
        [[await resolved(await mintStep(stage, nft, "mint", 1n))], []].map(async (steps) => ({
          target: await caller.getAddress(),
          allowFailure: true,
          callData: caller.interface.encodeFunctionData("executeWithNftRecipient", [
            { assets: [], steps, nftRecipient: stage.recipient.address },
          ]),
        })),
      );
      if (minting === undefined || idle === undefined) throw new Error("Two calls were encoded.");
      const [first, second] = await multicall.aggregate3.staticCall([minting, idle]);
      expect([first?.success, second?.success]).to.deep.equal([true, false]);
      expect(second?.returnData).to.equal(
        stage.executor.interface.encodeErrorResult("NoNftForwarded", [stage.recipient.address]),
      );
    });

    it(`calls without an NFT recipient reject NFTs, by the ${entry}`, async () => {
      const { all, stage, nft, items, caller } = await setUp();
      for (const [collection, mint] of [
        [nft, await mintStep(stage, nft, "mint", 1n)],
        [items, await mintStep(stage, items, "mint", 1n, 7n)],
        [items, await mintStep(stage, items, "mintBatch", [2n], [8n])],
      ] as const) {
        const address = await collection.getAddress();
        await expect(caller.execute([], [mint]))
          .to.be.revertedWithCustomError(stage.executor, "StepFailed")
          .withArgs(0n, address, failure(all, address));
      }
    });

    it(`rejects the zero address, the executor and the proxy as NFT recipient, by the ${entry}`, async () => {
      const { stage, caller } = await setUp();
      for (const nobody of [ethers.ZeroAddress, stage.executor, stage.proxy]) {
        await expect(caller.executeWithNftRecipient(execution(stage, [], nobody)))
          .to.be.revertedWithCustomError(stage.executor, "NftRecipientInvalid")
          .withArgs(nobody);
      }
    });

    it(`a recipient contract that rejects NFTs reverts the call, by the ${entry}`, async () => {
      const { stage, nft, token, caller } = await setUp();
      const mint = await mintStep(stage, nft, "mint", 1n);
      await expect(
        caller.executeWithNftRecipient(execution(stage, [mint], token)),
      ).to.be.revertedWithCustomError(stage.executor, "StepFailed");
      await expect(nft.ownerOf(1n)).to.be.revertedWithCustomError(nft, "ERC721NonexistentToken");
    });

    it(`a hostile collection neither enters the executor nor changes the recipient, by the ${entry}`, async () => {
      const { stage, nft, hostile, caller } = await setUp();
      const theft = execution(stage, [], stage.stranger);
      const attack = stage.executor.interface.encodeFunctionData("executeWithNftRecipient", [
        { ...theft, nftRecipient: stage.stranger.address },
      ]);
      await hostile.arm(stage.executor, attack);
      await caller.executeWithNftRecipient(
        execution(stage, [
          await mintStep(stage, hostile, "report", 1n),
          await mintStep(stage, nft, "mint", 5n),
        ]),
      );
      expect(await hostile.lastSuccess()).to.equal(false);
      expect(await hostile.lastReturnData()).to.equal(id("Reentrancy()").slice(0, 10));
      expect(await hostile.sentTo()).to.equal(stage.recipient);
      expect(await nft.ownerOf(5n)).to.equal(stage.recipient);
    });

    it(`rejects NFTs again once the call is over, in the same transaction too, by the ${entry}`, async () => {
      const { all, stage, nft, caller } = await setUp();
      const multicall = await ethers.deployContract("Multicall3");
      const mint = nft.interface.encodeFunctionData("mint", [await stage.executor.getAddress(), 2n]);
      const run = caller.interface.encodeFunctionData("executeWithNftRecipient", [
        {
          assets: [],
          steps: [await resolved(await mintStep(stage, nft, "mint", 1n))],
          nftRecipient: stage.recipient.address,
        },
      ]);
      const calls = [
        { target: await caller.getAddress(), allowFailure: false, callData: run },
        { target: await nft.getAddress(), allowFailure: true, callData: mint },
      ];
      const [, second] = await multicall.aggregate3.staticCall(calls);
      expect(second?.success).to.equal(false);
      expect(second?.returnData).to.equal(failure(all, await nft.getAddress()));
      await multicall.aggregate3(calls);
      expect(await nft.ownerOf(1n)).to.equal(stage.recipient);
    });
  });
}

/** Manual encoding takes addresses, not contracts. */
async function resolved(one: ReturnType<typeof step>) {
  const target = await ethers.resolveAddress(one.target);
  return { ...one, target, approvedToken: ethers.ZeroAddress, splices: [] };
}

describe("a collection that is named as an asset", () => {
  it("a collection as an asset: the minimum output counts the tokens that reached the recipient", async () => {
    const all = await networkHelpers.loadFixture(deployCollections);
    const { stage, token, sale } = all;
    await bring(stage, "executor", token, BUDGET);
    const buy = buying(all, 3n);
    const assets = [asset(stage, { token }), asset(stage, { token: sale, minimumOutput: 3n })];
    await entryOf(stage, "executor").executeWithNftRecipient(
      execution(stage, [buy], stage.recipient, assets),
    );
    expect(await sale.balanceOf(stage.recipient)).to.equal(3n);
  });

  it("a collection as an asset: fewer tokens than the minimum revert tokens and payment", async () => {
    const all = await networkHelpers.loadFixture(deployCollections);
    const { stage, token, sale } = all;
    await bring(stage, "executor", token, BUDGET);
    const buy = buying(all, 1n);
    const assets = [asset(stage, { token }), asset(stage, { token: sale, minimumOutput: 2n })];
    await expect(
      entryOf(stage, "executor").executeWithNftRecipient(execution(stage, [buy], stage.recipient, assets)),
    )
      .to.be.revertedWithCustomError(stage.executor, "OutputTooLow")
      .withArgs(await sale.getAddress(), 1n, 2n);
    expect(await sale.sold()).to.equal(0n);
    expect(await token.balanceOf(sale)).to.equal(0n);
  });

  it("a collection as an asset: tokens without a receipt do not stay behind", async () => {
    const { stage, token, sale } = await networkHelpers.loadFixture(deployCollections);
    await bring(stage, "executor", token, BUDGET);
    const buy = step({
      target: sale,
      approvedToken: token,
      data: sale.interface.encodeFunctionData("buyUnsafe"),
    });
    const assets = [asset(stage, { token }), asset(stage, { token: sale })];
    await expect(
      entryOf(stage, "executor").executeWithNftRecipient(execution(stage, [buy], stage.recipient, assets)),
    ).to.be.revertedWithCustomError(
      { interface: new ethers.Interface(["error TransferFailed()"]) },
      "TransferFailed",
    );
    expect(await sale.sold()).to.equal(0n);
  });

  it("a collection as an asset: the proxy cannot pull it and reverts by name", async () => {
    const { stage, sale } = await networkHelpers.loadFixture(deployCollections);
    const assets = [asset(stage, { token: sale, minimumOutput: 1n })];
    await expect(
      entryOf(stage, "proxy").executeWithNftRecipient(execution(stage, [], stage.recipient, assets)),
    )
      .to.be.revertedWithCustomError(stage.proxy, "TokenReadFailed")
      .withArgs(await sale.getAddress());
  });
});

describe("the executor as a receiver of NFTs", () => {
  it("the executor reports ERC-165 and the receivers of both NFT standards, and no other interface", async () => {
    const { receipts } = await networkHelpers.loadFixture(deployCollections);
    for (const known of ["0x01ffc9a7", "0x150b7a02", "0x4e2312e0"]) {
      expect(await receipts.supportsInterface(known)).to.equal(true);
    }
    for (const unknown of ["0xffffffff", "0x80ac58cd", "0x00000000"]) {
      expect(await receipts.supportsInterface(unknown)).to.equal(false);
    }
  });

  it("the executor rejects unknown functions, and native currency sent with NFT receipts", async () => {
    const { stage, receipts } = await networkHelpers.loadFixture(deployCollections);
    await expect(stage.caller.sendTransaction({ to: stage.executor, data: "0x12345678" }))
      .to.be.revertedWithCustomError(receipts, "FunctionUnknown")
      .withArgs("0x12345678");
    const data = receipts.interface.encodeFunctionData("supportsInterface", ["0x01ffc9a7"]);
    await expect(stage.caller.sendTransaction({ to: stage.executor, data, value: 1n })).to.be.revert(ethers);
  });
});
