/** How a wallet shows a parameter. `undefined` hides it: a signature or a filler says nothing to its signer. */
export type Word = { readonly label: string; readonly format: Format } | undefined;

/**
 * Formats of ERC-7730. A `currencyAmount` takes its token from the currency parameter of the same function.
 * A `token` shows a token's name.
 */
export type Format = "addressName" | "amount" | "chainId" | "currencyAmount" | "date" | "raw" | "token";

const show = (label: string, format: Format = "raw"): Word => ({ format, label });
const hide: Word = undefined;

/**
 * Words of parameters, by the end of their path: the longest entry decides. Every parameter of a described function needs an
 * entry. Labels have at most 20 characters, as wallets cut longer ones.
 */
const WORDS: Readonly<Record<string, Word>> = {
  account: show("Account"),
  activeFrom: show("Active from", "date"),
  activeUntil: show("Active until", "date"),
  allowFailure: show("May fail"),
  amount: show("Amount", "currencyAmount"),
  approvedToken: show("Approve all of", "token"),
  "assets.[].recipient": show("Send rest to", "addressName"),
  "assets.[].token": show("Token", "token"),
  attributor_: show("Attributor", "addressName"),
  "authorization.owner": show("From", "addressName"),
  "authorization.validAfter": hide,
  "authorization.validBefore": show("Valid until", "date"),
  "calls.[]": show("Call"),
  chainId: show("Chain", "chainId"),
  coSigner_: show("Co-signer", "addressName"),
  currency: show("Currency", "token"),
  data: show("Call data"),
  deadline: show("Valid until", "date"),
  depositor: show("Credited to", "addressName"),
  destinationChainId: show("To chain"),
  destinationUser: show("Recipient"),
  expectedAmount: hide,
  expiration: show("Valid until", "date"),
  extraData: hide,
  "fees.[].amount": show("Fee amount"),
  "fees.[].currency": show("Fee currency"),
  "fees.[].currencyChainId": hide,
  "fees.[].recipient": show("Fee recipient"),
  "fees.[].recipientChainId": hide,
  id: show("Order or batch"),
  inputIndex: show("Input number"),
  "inputs.[].payment.amount": show("Input amount"),
  "inputs.[].payment.chainId": show("From chain"),
  "inputs.[].payment.currency": show("Input currency"),
  isAllowed: show("Allowed"),
  isOpen: show("Open to all"),
  isPaused_: show("Paused"),
  "limit.maximum": show("Maximum"),
  "limit.minimum": show("Minimum"),
  minimumOutput: show("Minimum output"),
  minimumReceived: show("Minimum input", "currencyAmount"),
  nativePayee: show("Native payee", "addressName"),
  newAllocator: show("New allocator", "addressName"),
  newOwner: show("New owner", "addressName"),
  nftRecipient: show("NFT recipient", "addressName"),
  nonce: hide,
  offset: hide,
  orderId: show("Order"),
  orderSignature: hide,
  "output.chainId": show("To chain"),
  "output.deadline": show("Fill until", "date"),
  "payments.[].minimumAmount": show("Minimum output"),
  "output.payments.[].currency": show("Output currency"),
  "output.payments.[].recipient": show("Recipient"),
  "order.solver": show("Solver", "addressName"),
  pendingOwner: show("New owner", "addressName"),
  "permit.owner": show("From", "addressName"),
  "permit.value": show("Allowance", "currencyAmount"),
  "permitted.amount": show("Amount", "currencyAmount"),
  r: hide,
  receiver: show("Receiver", "addressName"),
  recipient: show("Recipient", "addressName"),
  "recipients.[].account": show("Recipient"),
  "recipients.[].chainId": show("Chain"),
  "refunds.[].chainId": hide,
  "refunds.[].currency": hide,
  "refunds.[].deadline": hide,
  "refunds.[].minimumAmount": hide,
  "refunds.[].recipient": show("Refund to"),
  requestId: show("Request"),
  s: hide,
  salt: hide,
  sendNativeBalance: show("Send native balance"),
  signature: hide,
  solver: show("Solver", "addressName"),
  solverChainId: hide,
  spender: show("Spender", "addressName"),
  "splices.[].token": hide,
  target: show("Call", "addressName"),
  to: show("Call", "addressName"),
  token: show("Token", "token"),
  usesErc1271: show("Contract solver"),
  v: hide,
  value: show("Native value", "amount"),
  vault: show("Vault", "addressName"),
  version: hide,
  weight: hide,
};

/** Word of a parameter. @throws Error if `WORDS` has none. */
export function wordOf(path: string): Word {
  const parts = path.split(".");
  for (let start = 0; start < parts.length; start += 1) {
    const end = parts.slice(start).join(".");
    if (end in WORDS) return WORDS[end];
  }
  throw new Error(`No word for the parameter ${path}: add one to WORDS.`);
}
