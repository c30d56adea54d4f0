import { svmNativeDecimals, svmNativeToken } from "../../../src/svm/constants.ts";

/** A currency of the SVM chain. */
export type SvmCurrency = {
  /** The mint in base58; 32 ones for the native currency. */
  readonly address: string;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
};

/** The native currency. */
export const nativeCurrency: SvmCurrency = {
  address: svmNativeToken,
  decimals: svmNativeDecimals,
  name: "Solana",
  symbol: "SOL",
};

/** Currencies of the SVM chain, the native one first. The mints' addresses are words padded with ones. */
export const svmCurrencies: readonly SvmCurrency[] = [
  nativeCurrency,
  { address: "USDCoin111111111111111111111111111111111111", decimals: 6, name: "USD Coin", symbol: "USDC" },
  { address: "Tether1111111111111111111111111111111111111", decimals: 6, name: "Tether USD", symbol: "USDT" },
];

/** The tokens among the currencies. */
export const svmTokens = svmCurrencies.slice(1);
