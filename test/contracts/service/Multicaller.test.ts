import { expect } from "chai";
import { network } from "hardhat";
import { LibZip } from "solady";

const { ethers, networkHelpers } = await network.create();

/** Value of `refundTo` that stands for the caller. */
const toCaller = "0x0000000000000000000000000000000000000001";

async function deployMulticallers() {
  const [owner, other, recipient] = await ethers.getSigners();
  if (!owner || !other || !recipient) throw new Error("The local chain has too few accounts.");
  const open = await ethers.deployContract("Multicaller");
  const owned = await ethers.deployContract("OnlyOwnerMulticaller", [owner.address]);
  const token = await ethers.deployContract("LocalToken", ["Dollar", "USD", 6, owner.address]);
  const rejecting = await ethers.deployContract("RejectingRecipient");
  const decimals = {
    data: token.interface.encodeFunctionData("decimals"),
    target: await token.getAddress(),
    value: 0n,
  };
  const payment = { data: "0x", target: recipient.address, value: 5n };
  const rejected = { data: "0x", target: await rejecting.getAddress(), value: 3n };
  const six = ethers.AbiCoder.defaultAbiCoder().encode(["uint8"], [6]);
  return { decimals, open, other, owned, owner, payment, recipient, rejected, rejecting, six };
}

type Call = { readonly target: string; readonly data: string; readonly value: bigint };

function lists(...calls: readonly Call[]): [string[], string[], bigint[]] {
  return [calls.map(({ target }) => target), calls.map(({ data }) => data), calls.map(({ value }) => value)];
}

for (const name of ["open", "owned"] as const) {
  describe(name === "open" ? "Multicaller" : "OnlyOwnerMulticaller", () => {
    it("several calls: pays each its value, and returns what each returned", async () => {
      const stage = await networkHelpers.loadFixture(deployMulticallers);
      const { decimals, payment, recipient, six } = stage;
      const calls = [...lists(decimals, payment, payment), ethers.ZeroAddress] as const;
      const results = await stage[name].aggregate.staticCall(...calls, { value: 10n });
      expect([...results]).to.deep.equal([six, "0x", "0x"]);
      await expect(stage[name].aggregate(...calls, { value: 10n })).to.changeEtherBalances(
        ethers,
        [recipient, stage[name]],
        [10n, 0n],
      );
    });

    it("a failing call: reverts everything with the call's reason", async () => {
      const stage = await networkHelpers.loadFixture(deployMulticallers);
      const { payment, rejected, rejecting } = stage;
      const attempt = stage[name].aggregate(...lists(payment, rejected), ethers.ZeroAddress, { value: 8n });
      await expect(attempt).to.be.revertedWithCustomError(rejecting, "Rejected").withArgs(3n);
    });

    it("lists of different lengths: are refused", async () => {
      const stage = await networkHelpers.loadFixture(deployMulticallers);
      const [targets, data, values] = lists(stage.decimals, stage.payment);
      for (const unequal of [
        [targets.slice(1), data, values],
        [targets, data.slice(1), values],
        [targets, data, values.slice(1)],
      ] as const) {
        await expect(stage[name].aggregate(...unequal, ethers.ZeroAddress)).to.be.revertedWithCustomError(
          stage[name],
          "ArrayLengthsMismatch",
        );
      }
    });

    it("native currency that is left: stays, or goes to the caller or to the named account", async () => {
      const stage = await networkHelpers.loadFixture(deployMulticallers);
      const { other, owner, payment } = stage;
      const accounts = [owner, other, stage[name]];
      const attempt = (refundTo: string, value: bigint) =>
        stage[name].aggregate(...lists(payment), refundTo, { value });
      await expect(attempt(ethers.ZeroAddress, 7n)).to.changeEtherBalances(ethers, accounts, [-7n, 0n, 2n]);
      await expect(attempt(toCaller, 6n)).to.changeEtherBalances(ethers, accounts, [-3n, 0n, -2n]);
      await expect(attempt(other.address, 6n)).to.changeEtherBalances(ethers, accounts, [-6n, 1n, 0n]);
    });

    it("a refund that its recipient rejects: is forced", async () => {
      const stage = await networkHelpers.loadFixture(deployMulticallers);
      const { payment, rejecting } = stage;
      const attempt = stage[name].aggregate(...lists(payment), await rejecting.getAddress(), { value: 9n });
      await expect(attempt).to.changeEtherBalances(ethers, [rejecting], [4n]);
    });

    it("compressed calldata: makes the calls that it stands for", async () => {
      const stage = await networkHelpers.loadFixture(deployMulticallers);
      const { owner, payment, recipient } = stage;
      const calls = [...lists(payment), toCaller] as const;
      const data = LibZip.cdCompress((await stage[name].aggregate.populateTransaction(...calls)).data);
      const attempt = owner.sendTransaction({ data, to: await stage[name].getAddress(), value: 6n });
      await expect(attempt).to.changeEtherBalances(ethers, [owner, recipient], [-5n, 5n]);
    });

    it("unknown calldata: is refused without a reason, and plain ether accepted", async () => {
      const stage = await networkHelpers.loadFixture(deployMulticallers);
      const to = await stage[name].getAddress();
      await expect(stage.owner.sendTransaction({ data: "0x12345678", to })).to.be.revertedWithoutReason(
        ethers,
      );
      await expect(stage.owner.sendTransaction({ to, value: 1n })).to.changeEtherBalance(
        ethers,
        stage[name],
        1n,
      );
    });
  });
}

describe("the access of the multicallers", () => {
  it("weakness: any account spends what is left on the open multicaller", async () => {
    const { open, other, owner } = await networkHelpers.loadFixture(deployMulticallers);
    await owner.sendTransaction({ to: await open.getAddress(), value: 4n });
    const attempt = open.connect(other).aggregate([], [], [], toCaller);
    await expect(attempt).to.changeEtherBalances(ethers, [open, other], [-4n, 4n]);
  });

  it("another account than the owner: makes no call, compressed or not", async () => {
    const { other, owned, payment } = await networkHelpers.loadFixture(deployMulticallers);
    const calls = [...lists(payment), other.address] as const;
    await expect(owned.connect(other).aggregate(...calls, { value: 5n })).to.be.revertedWithCustomError(
      owned,
      "Unauthorized",
    );
    const data = LibZip.cdCompress((await owned.aggregate.populateTransaction(...calls)).data);
    const compressed = other.sendTransaction({ data, to: await owned.getAddress(), value: 5n });
    await expect(compressed).to.be.revertedWithCustomError(owned, "Unauthorized");
  });
});
