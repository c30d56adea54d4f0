/** Faults of a connection. A `hang` ends by the transport's own time limit. */
export const faults = ["drop", "half", "hang", "html", "status 429", "status 500"] as const;

/** An answer in place of the true one. Scripts are plain JSON, so that a failing run can be printed. */
export type Lie =
  | { readonly fault: (typeof faults)[number] }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly result: unknown }
  /** No answer, ever. */
  | { readonly silence: true }
  /** The other chain's answer. */
  | { readonly chain: "other" }
  /** The true number plus this one. */
  | { readonly shift: number }
  /** The true answer with other fields. */
  | { readonly fields: Readonly<Record<string, unknown>> }
  /** A made-up transaction of the victim under the requested hash. */
  | { readonly found: { readonly nonce: number } }
  /** A made-up receipt of the requested hash, or of another one, in a block of this distance from the newest. */
  | { readonly receipt: { readonly status: string; readonly isOther: boolean; readonly blocks: number } }
  /**
   * A block that holds a made-up replacement of the victim's newest transaction (a speed-up, or another call), or everything
   * that the victim ever signed.
   */
  | { readonly replacement: "other call" | "same call" | "signed" }
  /** A filled transaction with these fields in place of the requested ones. */
  | { readonly fill: Readonly<Record<string, unknown>> };

/**
 * A lie about a method: `count` answers, after `from` true ones. The method `*` stands for all others; calls can be named by
 * their function, as `eth_call allowance`.
 */
export type MethodLie = {
  readonly method: string;
  readonly from: number;
  readonly count: number;
  readonly lie: Lie;
};

/** What happens to signed bytes: chains that get them, requests until then, and the answer; `undefined` is the true hash. */
export type Broadcast = {
  readonly to: readonly ("origin" | "other")[];
  readonly after: number;
  readonly answer: Lie | undefined;
};

/** The victim's wallet: with a key of its process, or a browser's, which is honest, signs and sends itself. */
export const wallets = ["viem", "ethers", "browser", "ethers in a browser"] as const;

/** One of {@link wallets}. */
type WalletKind = (typeof wallets)[number];

/** Whose node is the attacker's: the wallet's, that of the app's `publicClient`, or one node for both. */
export const liars = ["both", "reader", "wallet"] as const;

/** A run of `execute`, or two at once, as an app starts it. */
export type Attempt = {
  readonly node: "honest" | "hostile";
  /** Whether the process was started again. It then has the newest saved state. */
  readonly isFresh: boolean;
  readonly state: "newest" | "none" | "older";
  /** Two runs at once: with this state, or the second one with the state that the process started with. */
  readonly twice: "same state" | "two states" | undefined;
  /** The progress event at which the app throws, before or after it saved the state. */
  readonly kill: { readonly at: number; readonly isSaved: boolean } | undefined;
  /** The progress event at which the app aborts the run. */
  readonly abortAt: number | undefined;
  /** Whether the user rejects the first transaction. Of a browser's wallet. */
  readonly isRejected: boolean;
  /** Another app's transaction with the next nonce, before the attempt: mined, or kept by the attacker. */
  readonly overtaken: "kept" | "mined" | undefined;
  /** Requests to the wallet after which the user switches to the other chain, and after which back. Of a browser's wallet. */
  readonly switches: readonly [number, number] | undefined;
};

/** Everything about a run that is drawn. */
export type Script = {
  readonly payment: number;
  readonly wallet: WalletKind;
  readonly liar: (typeof liars)[number];
  /** Whether the app names the chain to viem, or the network to ethers. */
  readonly hasChain: boolean;
  /** Whether viem's account has a nonce manager. */
  readonly hasNonceManager: boolean;
  /** Whether the app passes a `publicClient` where one node serves for both. */
  readonly hasReader: boolean;
  /** Repeated requests of the transport. */
  readonly retries: number;
  /** Whether a browser's wallet forwards the codes of its node, and supports `wallet_sendTransaction`. */
  readonly isPlainWallet: boolean;
  /** Wei; `undefined` is the default. */
  readonly maximumFee: string | undefined;
  readonly lies: readonly MethodLie[];
  /** Of the first signed transaction, the second one …; the last one repeats. */
  readonly broadcasts: readonly Broadcast[];
  readonly attempts: readonly Attempt[];
};
