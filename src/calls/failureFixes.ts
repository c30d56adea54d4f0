/** Remedy of each known error and `failReason`. */
export const fixes: Readonly<Record<string, string>> = {
  CallFailed: "Simulate the call inside the sweep by itself: the router hides its reason.",
  ERC20InsufficientAllowance:
    "Approve the contract that is called, in a call before it, for the whole amount.",
  ERC20InsufficientBalance: "Spend no more than arrives, or read the live balance by a proxy step.",
  NoRecipientSet: "Name who gets NFTs: the router takes none for nobody.",
  OutputTooLow: "Accept a lower minimum, or ask for a new quote.",
  QUOTED_GAS_LIMIT_EXCEEDED:
    "Ask for a new quote with a higher `txsGasLimit`, or with calls that take less gas.",
  ReceivedTooLittle: "Accept a lower minimum, or ask for a new quote.",
  SLIPPAGE: "Accept more slippage, or ask for a new quote.",
  TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE:
    "Approve the contract that is called, in a call before it, for the whole amount.",
  TRANSFER_AMOUNT_EXCEEDS_BALANCE: "Spend no more than arrives, or read the live balance by a proxy step.",
  TargetHasNoCode: "Look at the address and at the chain it is for.",
};
