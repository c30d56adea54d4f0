import type { TrustRoots } from "../../../../src/guard/index.ts";
import type { marketPrice } from "../../../helpers/guard/marketPrice.ts";

/** A chain of the emulator. */
export type PageChain = { readonly id: number; readonly name: string; readonly rpcUrl: string };

/** A currency that the widget shows first. */
export type PageToken = {
  readonly address: string;
  readonly chainId: number;
  readonly decimals: number;
  readonly logoURI: string;
  readonly name: string;
  readonly symbol: string;
};

/** Policy of a guarded page: trust roots, and the chains whose currencies it prices. */
export type PageGuard = {
  readonly trust: TrustRoots;
  readonly priced: Parameters<typeof marketPrice>[0];
};

/** Settings that the driver passes to the page in `window.settings`. */
export type Settings = {
  readonly accountIndex: number;
  readonly apiUrl: string;
  readonly chains: readonly PageChain[];
  readonly from: PageToken;
  /** Puts a guard before the wallet. */
  readonly guard?: PageGuard;
  /**
   * Recipient of a deposit address's request. With one, the page connects no wallet and supports no EVM wallet, so the widget
   * asks for a deposit address.
   */
  readonly recipient?: `0x${string}`;
  readonly to: PageToken;
  /** Address of the stream; without one the kit polls. */
  readonly wsUrl?: string;
};

/** The widget's report of an ended swap. */
export type Report =
  | { readonly kind: "error"; readonly message: string }
  | {
      readonly kind: "success";
      readonly requestId: string;
      /** Amounts of the executed quote, in smallest units. */
      readonly amountIn: string;
      readonly amountOut: string;
      readonly steps: readonly string[];
    };
