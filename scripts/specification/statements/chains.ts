/** Perps exchange and SVM chain. */
import type { Sections } from "../Section.ts";

export const OTHER_CHAINS: Sections = {
  "Perps exchange": {
    "perps/authorize-body":
      "`POST /authorize` takes `{ type, walletChainId, wallet, depositor, nonce, id, signatureChainId }`.",
    "perps/authorize-signature": "The signature of a nonce mapping is a query parameter.",
    "perps/settlement": "An accepted nonce mapping lets a transfer of the exchange pay for a request.",
    "perps/chain-id": "The exchange is chain 1337.",
    "perps/chain-listed": "`GET /chains` lists the exchange's currencies for chain 1337.",
    "perps/evm-side": "Chain 999, the exchange's EVM side, is an ordinary EVM chain.",
    "perps/deposit":
      "A deposit names `destinationChainId` 1337 and an account of the exchange as `recipient`.",
    "perps/exchange-account":
      "A recipient or user that is no account of the exchange is refused, the zero address included.",
    "perps/deposit-filled": "A deposit to the exchange is filled there.",
    "perps/withdrawal": "A withdrawal names `originChainId` 1337 and `protocolVersion` `v2`.",
    "perps/withdrawal-parameters": "A withdrawal requires every parameter that other quotes require.",
    "perps/withdrawal-quoted": "A quote from chain 1337 has the two steps of a withdrawal.",
    "perps/usdc": "Perps USDC is 16 zero bytes.",
    "perps/spot": "A spot currency is its token id in the exchange's metadata.",
    "perps/market": "A currency of a third party's market is the spot address with the market's name in hex.",
    "perps/decimals": "Perps USDC has 8 decimals in quotes.",
    "perps/balances": "`clearinghouseState` of the exchange returns `withdrawable`, in dollars as text.",
    "perps/two-steps": "A withdrawal has the steps `authorize` and `deposit`, in this order.",
    "perps/mapping-domain": "The mapping's domain has version 2, chain 1 by default, and the zero address.",
    "perps/mapping-type": "`NonceMapping` has `chainId`, `wallet`, `depositor`, `id` and `nonce`.",
    "perps/mapping-chain": "The wallet's chain replaces `domain.chainId` and `post.body.signatureChainId`.",
    "perps/send-asset": "The deposit's action is `sendAsset` with its eight parameters.",
    "perps/action-types": "`eip712Types` and `eip712PrimaryType` give the action's typed data.",
    "perps/same-nonce": "Deposit and authorization must have the same nonce.",
    "perps/sign-domain": "The action's domain has version 1, the wallet's chain and the zero address.",
    "perps/sign-message": "The signed message is the parameters with `type` and `signatureChainId` in hex.",
    "perps/submit":
      "The exchange takes `{ signature: { r, s, v }, nonce, action }` with exactly the signed action.",
    "perps/success": "A submission succeeded when the status is 200 and the body's `status` is `ok`.",
  },
  "SVM chain": {
    "svm/chain-id": "Chain 792703809 is quoted.",
    "svm/case": "SVM addresses are case sensitive.",
    "svm/format": "An SVM address is never of EVM format, nor an EVM address of SVM format.",
    "svm/native": "The native token is 32 ones.",
    "svm/native-decimals": "The native token of the SVM chain has 9 decimals.",
    "svm/tokens": "Any token that a supported aggregator trades is taken.",
    "svm/deposit":
      "A deposit to the SVM chain has SVM values for the destination's chain, currency and recipient.",
    "svm/withdrawal":
      "A withdrawal from the SVM chain has SVM values for the origin's chain, currency and user.",
    "svm/route-length": "`maxRouteLength` bounds the hops of a swap route.",
    "svm/calldata": "A transaction step of an SVM chain holds instructions in place of EVM calldata.",
  },
};
