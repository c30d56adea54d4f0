/** A protocol order in JSON: the `orderData` of a quote. Amounts are decimal strings in smallest units. */
export type WireOrder = {
  version: string;
  solverChainId: string;
  solver: string;
  /** Hexadecimal with `0x`, or decimal. */
  salt: string | number;
  inputs: {
    payment: { chainId: string; currency: string; amount: string; weight: string };
    refunds: {
      chainId: string;
      recipient: string;
      currency: string;
      minimumAmount: string;
      /** Unix seconds. */
      deadline: number;
      extraData: `0x${string}`;
    }[];
  }[];
  output: {
    chainId: string;
    payments: { recipient: string; currency: string; minimumAmount: string; expectedAmount: string }[];
    calls: `0x${string}`[];
    /** Unix seconds. */
    deadline: number;
    extraData: `0x${string}`;
  };
  fees: {
    recipientChainId: string;
    recipient: string;
    currencyChainId: string;
    currency: string;
    amount: string;
  }[];
};
