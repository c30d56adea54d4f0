import type { PriceQuestion } from "../../../src/guard/index.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";

/** Dollars and decimals of the emulator's currencies. */
const currencies: Readonly<Record<string, readonly [dollars: bigint, decimals: bigint]>> = {
  ETH: [2_500n, 18n],
  USDC: [1n, 6n],
  USDT: [1n, 6n],
  WETH: [2_500n, 18n],
};

/** The page's own price of an emulator's currencies, with five percent for fees and pools. */
export function marketPrice({ alpha, beta }: Pick<EmulatorFixture, "alpha" | "beta">) {
  const worthOf = (chainId: number, address: string) => {
    const { info } = chainId === alpha.info.id ? alpha : beta;
    const found = info.currencies.find((each) => each.address.toLowerCase() === address.toLowerCase());
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
