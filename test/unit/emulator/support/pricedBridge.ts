import { oneUsd } from "../../../../emulator/money/prices.ts";
import { readIntent } from "../../../../emulator/quote/request/readIntent.ts";
import { computeAmounts } from "../../../../emulator/quote/route/computeAmounts.ts";
import { noLeg } from "../../../../emulator/router/SwapLeg.ts";
import { quoteRequestSchema } from "../../../../src/schema/quote/quoteRequest.ts";
import { beta, ether, fakeChains, recipient, user } from "./fakeChains.ts";

/** A bridge of an amount of ether in wei, with fees that are rarely whole micro-dollars. */
export function pricedBridge(amount: bigint) {
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
