import { expect } from "chai";
import { zeroAddress } from "viem";
import { planDelivery } from "../../../../emulator/router/planDelivery.ts";
import { usdc } from "../support/fakeChains.ts";

type Promised = Parameters<typeof planDelivery>[0];

/** A fixed output of 900 for a deposit of 1,000, of which a pool may take up to 918. */
function promised(changes: Partial<Promised> & { readonly through?: "pool" } = {}): Promised {
  const { through, ...rest } = changes;
  return {
    deposit: { amount: 1_000n, decimals: 6, minimumAmount: 1_000n },
    destination: { amount: 900n, chainId: 31_338, currency: usdc.address, minimumAmount: 900n },
    fill: {
      amount: 900n,
      currency: zeroAddress,
      decimals: 6,
      maximumAmount: through === "pool" ? 918n : 900n,
      path: through === "pool" ? [zeroAddress, usdc.address] : [],
    },
    tradeType: "EXACT_OUTPUT",
    ...rest,
  };
}

describe("planDelivery", () => {
  it("a fixed output paid as quoted: exactly the output, and nothing beyond it", () => {
    expect(planDelivery(promised(), 1_000n)).to.deep.equal({
      inventory: 900n,
      output: { exactly: 900n },
      surplus: 0n,
    });
  });

  it("a fixed output paid by one unit more, or twice: all of that on top, less no fee", () => {
    for (const more of [1n, 1_000n]) {
      expect(planDelivery(promised(), 1_000n + more)).to.deep.equal({
        inventory: 900n + more,
        output: { exactly: 900n + more },
        surplus: more,
      });
    }
  });

  it("a fixed output from a pool: the surplus is separate, and the solver reserves what it added for slippage", () => {
    const intent = promised({ through: "pool" });
    const plan = { inventory: 918n, output: { exactly: 900n }, reserve: 18n, surplus: 0n };
    expect(planDelivery(intent, 1_000n)).to.deep.equal(plan);
    expect(planDelivery(intent, 1_300n)).to.deep.equal({ ...plan, inventory: 1_218n, surplus: 300n });
  });

  it("a deposit below the price of a fixed output, by one unit or by half: no delivery, with and without a pool", () => {
    for (const intent of [promised(), promised({ through: "pool" })]) {
      for (const deposited of [0n, 1n, 500n, 999n]) {
        const plan = planDelivery(intent, deposited);
        expect(plan).to.deep.equal({ minimumAmount: 900n, output: 0n });
      }
    }
  });

  it("a true exact output: the solver keeps savings of a pool, and no surplus of a payer", () => {
    const plain = promised({ trueExactOutput: true });
    expect(planDelivery(plain, 1_001n)).to.include({ inventory: 901n, surplus: 1n });
    expect(planDelivery(promised({ through: "pool", trueExactOutput: true }), 1_000n)).to.not.have.property(
      "reserve",
    );
  });

  it("chains that count a currency in other units: the surplus in the inventory's units, rounded down", () => {
    const { deposit, fill } = promised();
    const coarser = promised({ deposit: { ...deposit, decimals: 8 }, fill: { ...fill, decimals: 6 } });
    expect(planDelivery(coarser, 1_199n)).to.include({ inventory: 901n, surplus: 1n });
    const finer = promised({ deposit: { ...deposit, decimals: 6 }, fill: { ...fill, decimals: 8 } });
    expect(planDelivery(finer, 1_001n)).to.include({ inventory: 1_000n, surplus: 100n });
  });

  it("an output that varies, paid twice: twice as much, and twice the promise", () => {
    expect(planDelivery(promised({ tradeType: "EXACT_INPUT" }), 2_000n)).to.deep.equal({
      inventory: 1_800n,
      output: { exactly: 1_800n },
    });
    expect(planDelivery(promised({ through: "pool", tradeType: "EXPECTED_OUTPUT" }), 2_000n)).to.deep.equal({
      inventory: 1_800n,
      output: { atLeast: 1_800n },
    });
  });
});
