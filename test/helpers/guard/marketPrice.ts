import type { PriceQuestion } from "../../../src/guard/index.ts";

/** Dollars and decimals of the emulator's currencies. */
const currencies: Readonly<Record<string, readonly [dollars: bigint, decimals: bigint]>> = {
  ETH: [2_500n, 18n],
  USDC: [1n, 6n],
  USDT: [1n, 6n],
  WETH: [2_500n, 18n],
};

/** Currencies of a chain, as the emulator's start-up document lists them. */
type PricedChain = {
  readonly id: number;
  readonly currencies: readonly { readonly address: string; readonly symbol: string }[];
};

/** The page's own price of an emulator's currencies, with five percent for fees and pools. */
export function marketPrice(chains: readonly PricedChain[]) {
  const worthOf = (chainId: number, address: string) => {
    const chain = chains.find(({ id }) => id === chainId);
    const found = chain?.currencies.find((each) => each.address.toLowerCase() === address.toLowerCase());
    return currencies[found?.symbol ?? ""] ?? [0n, 0n];
  };
  return (question: PriceQuestion): bigint => {
    const input = worthOf(question.originChainId, question.originCurrency);
    const output = worthOf(question.destinationChainId, question.destinationCurrency);
    const [fixed, open] = question.side === "output" ? [input, output] : [output, input];
    const fair = (question.amount * fixed[0] * 10n ** open[1]) / (open[0] * 10n ** fixed[1]);
    return (fair * (question.side === "output" ? 95n : 105n)) / 100n;
  };
}
