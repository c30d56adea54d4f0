import { expect } from "chai";
import { network } from "hardhat";
import {
  asset,
  bring,
  DEPOSITORY_ID_OFFSET,
  deployProxyStage,
  depositCalldata,
  ENTRIES,
  entryOf,
  step,
} from "../../helpers/contracts/proxyStage.ts";
import { deployToken } from "../../helpers/contracts/tokens.ts";

const { ethers, networkHelpers } = await network.create();

const VALUE = 1_000n;
const FORCED = 77n;

async function wrappingStage() {
  const stage = await deployProxyStage(ethers);
  const wrapped = await ethers.deployContract("LocalWrappedNative", ["Wrapped", "WETH"]);
  return { stage, wrapped };
}

for (const entry of ENTRIES) {
  describe(`native currency through the ${entry}`, () => {
    it(`sends native currency whole to a target, and sweeps its output to the recipient, by the ${entry}`, async () => {
      const { stage, wrapped } = await networkHelpers.loadFixture(wrappingStage);
      await entryOf(stage, entry).execute(
        [
          asset(stage, { minimumReceived: VALUE }),
          asset(stage, { token: await wrapped.getAddress(), minimumOutput: VALUE }),
        ],
        [
          step({
            target: wrapped,
            sendNativeBalance: true,
            data: wrapped.interface.encodeFunctionData("deposit"),
          }),
        ],
        { value: VALUE },
      );
      expect(await wrapped.balanceOf(stage.recipient)).to.equal(VALUE);
      expect(await wrapped.balanceOf(stage.executor)).to.equal(0n);
    });

    it(`sweeps unsent native currency to the recipient and logs it, by the ${entry}`, async () => {
      const { stage, wrapped } = await networkHelpers.loadFixture(wrappingStage);
      const calling = entryOf(stage, entry).execute(
        [asset(stage, {}), asset(stage, { token: await wrapped.getAddress() })],
        [step({ target: wrapped, value: 400n, data: wrapped.interface.encodeFunctionData("deposit") })],
        { value: VALUE },
      );
      await expect(calling)
        .to.emit(stage.executor, "NativeSwept")
        .withArgs(stage.recipient.address, VALUE - 400n);
      await expect(calling).to.changeEtherBalances(
        ethers,
        [stage.recipient, stage.executor, stage.proxy],
        [VALUE - 400n, 0n, 0n],
      );
    });

    it(`native currency from an unwrap by spend goes to the recipient, by the ${entry}`, async () => {
      const { stage, wrapped } = await networkHelpers.loadFixture(wrappingStage);
      const holder = entry === "proxy" ? stage.caller : stage.recipient;
      await wrapped.connect(holder).deposit({ value: VALUE });
      if (entry === "proxy") await wrapped.connect(stage.caller).approve(stage.proxy, VALUE);
      else await wrapped.connect(holder).transfer(stage.executor, VALUE);

      const unwrapping = entryOf(stage, entry).spend(
        wrapped,
        VALUE,
        wrapped,
        4n,
        wrapped.interface.encodeFunctionData("withdraw", [0n]),
        stage.recipient,
      );
      await expect(unwrapping)
        .to.emit(stage.executor, "NativeSwept")
        .withArgs(stage.recipient.address, VALUE);
      await expect(unwrapping).to.changeEtherBalance(ethers, stage.recipient, VALUE);
      expect(await ethers.provider.getBalance(stage.executor)).to.equal(0n);
    });

    it(`rejects native currency that no asset names, so that none stays behind, by the ${entry}`, async () => {
      const { stage } = await networkHelpers.loadFixture(wrappingStage);
      await expect(entryOf(stage, entry).execute([], [], { value: VALUE }))
        .to.be.revertedWithCustomError(stage.executor, "NativeLeftBehind")
        .withArgs(VALUE);
    });

    it(`ether forced on the executor breaks neither spend nor execute, and spend does not send it, by the ${entry}`, async () => {
      const { stage } = await networkHelpers.loadFixture(wrappingStage);
      const token = await deployToken(ethers, "LocalToken");
      await networkHelpers.setBalance(await stage.executor.getAddress(), FORCED);
      await networkHelpers.setBalance(await stage.proxy.getAddress(), FORCED);
      await bring(stage, entry, token, VALUE);
      // A recipient that rejects ether could be made to fail if the forced wei were swept to it.
      const recipient = await ethers.deployContract("RejectingRecipient");
      await entryOf(stage, entry).spend(
        token,
        VALUE,
        stage.depository,
        DEPOSITORY_ID_OFFSET,
        await depositCalldata(stage, token, VALUE / 2n),
        recipient,
      );
      expect(await token.balanceOf(recipient)).to.equal(VALUE / 2n);

      await entryOf(stage, entry).execute([], []);
      expect(await ethers.provider.getBalance(stage.executor)).to.equal(FORCED);
    });

    it(`ether forced on the executor goes to the next caller that names native currency, as its output, by the ${entry}`, async () => {
      const { stage } = await networkHelpers.loadFixture(wrappingStage);
      await networkHelpers.setBalance(await stage.executor.getAddress(), FORCED);
      await expect(
        entryOf(stage, entry).execute([asset(stage, { minimumOutput: FORCED + 1n })], [], { value: 1n }),
      ).to.changeEtherBalance(ethers, stage.recipient, FORCED + 1n);
    });
  });
}

describe("ether sent to the proxy outside a call", () => {
  it("the proxy rejects ether outside a call, because no function could move it", async () => {
    const { stage } = await networkHelpers.loadFixture(wrappingStage);
    await expect(stage.caller.sendTransaction({ to: stage.proxy, value: 1n })).to.revert(ethers);
  });
});
