import { svmNativeDecimals, svmNativeToken } from "../../../src/svm/constants.ts";

/** A currency of the SVM chain. */
export type SvmCurrency = {
  /** The mint in base58; 32 ones for the native currency. */
  readonly address: string;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
};

export const nativeCurrency: SvmCurrency = {
  address: svmNativeToken,
  decimals: svmNativeDecimals,
  name: "Solana",
  symbol: "SOL",
};

/** Currencies that the solver holds, the native one first. The mints' addresses are words padded with ones. */
export const svmInventory: readonly SvmCurrency[] = [
  nativeCurrency,
  { address: "USDCoin111111111111111111111111111111111111", decimals: 6, name: "USD Coin", symbol: "USDC" },
  { address: "Tether1111111111111111111111111111111111111", decimals: 6, name: "Tether USD", symbol: "USDT" },
];

/** Currencies of the SVM chain: the solver's, and those that pools trade for them. */
export const svmCurrencies: readonly SvmCurrency[] = [
  ...svmInventory,
  { address: "Jupiter111111111111111111111111111111111111", decimals: 6, name: "Jupiter", symbol: "JUP" },
  { address: "Render1111111111111111111111111111111111111", decimals: 8, name: "Render", symbol: "RENDER" },
  { address: "Dogwifhat11111111111111111111111111111111111", decimals: 6, name: "dogwifhat", symbol: "WIF" },
  {
    address: "Pyth111111111111111111111111111111111111111",
    decimals: 6,
    name: "Pyth Network",
    symbol: "PYTH",
  },
  { address: "Drift111111111111111111111111111111111111111", decimals: 6, name: "Drift", symbol: "DRIFT" },
  { address: "Raydium111111111111111111111111111111111111", decimals: 6, name: "Raydium", symbol: "RAY" },
  { address: "Jito111111111111111111111111111111111111111", decimals: 9, name: "Jito", symbol: "JTO" },
];

/** The tokens among the currencies. */
export const svmTokens = svmCurrencies.slice(1);
