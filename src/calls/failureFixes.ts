/** Remedy of each known error and `failReason`. */
export const fixes: Readonly<Record<string, string>> = {
  CallFailed: "Simulate the call inside the sweep by itself: the router hides its reason.",
  DEPOSITED_AMOUNT_TOO_LOW_TO_FILL: "Pay the whole amount of the quote in one deposit.",
  DEPOSIT_CHAIN_MISMATCH: "Pay on the origin chain of the quote.",
  DOUBLE_SPEND: "Pay each request once.",
  ERC20InsufficientAllowance:
    "Approve the contract that is called, in a call before it, for the whole amount.",
  ERC20InsufficientBalance: "Spend no more than arrives, or read the live balance by a proxy step.",
  INCORRECT_DEPOSIT_CURRENCY: "Pay in the origin currency of the quote.",
  INVALID_SENDER: "Pay from the account that is the user of the quote.",
  NoRecipientSet: "Name who gets NFTs: the router takes none for nobody.",
  ORDER_EXPIRED: "Ask for a new quote, and pay it before its deadline.",
  OutputTooLow: "Accept a lower minimum, or ask for a new quote.",
  QUOTED_GAS_LIMIT_EXCEEDED:
    "Ask for a new quote with a higher `txsGasLimit`, or with calls that take less gas.",
  ReceivedTooLittle: "Accept a lower minimum, or ask for a new quote.",
  SLIPPAGE: "Accept more slippage, or ask for a new quote.",
  TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE:
    "Approve the contract that is called, in a call before it, for the whole amount.",
  TRANSFER_AMOUNT_EXCEEDS_BALANCE: "Spend no more than arrives, or read the live balance by a proxy step.",
  TTL_EXPIRED: "Ask for a new quote, and pay it before it expires.",
  TargetHasNoCode: "Look at the address and at the chain it is for.",
};
