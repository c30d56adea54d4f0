import { expect } from "chai";
import { computeAmounts } from "../../../../emulator/quote/computeAmounts.ts";
import { noLeg } from "../../../../emulator/quote/Leg.ts";
import { oneUsd } from "../../../../emulator/quote/prices.ts";
import { impactsOf } from "../../../../emulator/quote/quoteDetails.ts";
import { quoteFees } from "../../../../emulator/quote/quoteFees.ts";
import { readIntent } from "../../../../emulator/quote/readIntent.ts";
import { parseUsd } from "../../../../emulator/records/recordAmounts.ts";
import { quoteRequestSchema } from "../../../../src/schema/quoteRequest.ts";
import { beta, ether, fakeChains, recipient, user } from "../support/fakeChains.ts";

describe("the fees of a quote", () => {
  /** Of so many wei of ether, with fees that hardly ever are whole millionths of a dollar. */
  function priced(amount: bigint) {
    const request = quoteRequestSchema.parse({
      amount: amount.toString(),
      destinationChainId: beta.definition.id,
      destinationCurrency: ether.address,
      originChainId: 31337,
      originCurrency: ether.address,
      recipient,
      tradeType: "EXACT_INPUT",
      user,
    });
    const read = readIntent(request, fakeChains);
    const route = { destination: noLeg(ether), origin: noLeg(ether), via: "depository" } as const;
    const amounts = computeAmounts({
      ...{ amount, appFeesBps: [33n], slippageBps: 200n, tradeType: "EXACT_INPUT" },
      ...{ destination: route.destination, origin: route.origin },
      ...{ executionFee: oneUsd / 7n, serviceFeeBps: 6n },
    });
    return { amounts, permit: undefined, read, route, routerVersion: "v3" } as const;
  }

  it("add up in dollars as they are shown, and are the parts of the impact", () => {
    for (let amount = 10n ** 18n; amount < 10n ** 18n + 10n ** 12n; amount += 77_777_777_777n) {
      const intent = priced(amount);
      const { app, relayer, relayerGas, relayerService } = quoteFees(intent);
      const usd = [relayerGas, relayerService].map((fee) => parseUsd(fee?.amountUsd));
      expect(parseUsd(relayer?.amountUsd), amount.toString()).to.equal((usd[0] ?? 0n) + (usd[1] ?? 0n));
      const { app: integrators, execution, service } = impactsOf(intent);
      const shown = [execution, service, integrators].map((part) => -part / 10n ** 12n);
      expect(shown).to.deep.equal([...usd, parseUsd(app?.amountUsd)]);
    }
  });

  it("add up in the currency of the deposit, to the unit", () => {
    const { relayer, relayerGas, relayerService } = quoteFees(priced(10n ** 18n + 7n));
    const units = [relayerGas, relayerService].map((fee) => BigInt(fee?.amount ?? 0));
    expect(relayer?.amount).to.equal(units.reduce((sum, each) => sum + each, 0n).toString());
  });
});
