import { mnemonicToAccount } from "viem/accounts";
import type { ReadWithdrawalParameters } from "../../../../src/perps/readWithdrawal.ts";
import { put } from "../../../helpers/put.ts";

const mnemonic = "test test test test test test test test test test test junk";
export const account = mnemonicToAccount(mnemonic);
export const stranger = mnemonicToAccount(mnemonic, { addressIndex: 1 });

/** Unix milliseconds. */
export const now = 1_780_000_000_000;
export const nonce = now - 1_500;
export const orderId = `0x${"0d".repeat(32)}` as const;
export const solver = "0xf70da97812cb96acdf810712aa562db8dfa3dbef";

/** Parameters of the transfer, as the quote below has them. */
export const sending = {
  hyperliquidChain: "Mainnet",
  destination: solver,
  sourceDex: "",
  destinationDex: "",
  token: "USDC:0x6d1e7cde53ba9467b783cb7c530ce054",
  amount: "25.5",
  fromSubAccount: "",
  nonce,
};

/** A quote of a withdrawal as the specification describes it ("Perps-exchange integration", 5), as JSON. */
export function withdrawalQuote(): WithdrawalQuote {
  const wallet = account.address.toLowerCase();
  return structuredClone({
    details: { currencyIn: { amount: "2550000000", currency: { decimals: 8 } } },
    protocol: { v2: { orderId } },
    steps: [
      {
        id: "authorize",
        action: "Sign",
        description: "Sign nonce mapping",
        kind: "signature",
        items: [
          {
            status: "incomplete",
            data: {
              sign: {
                signatureKind: "eip712",
                domain: {
                  name: "RelayNonceMapping",
                  version: "2",
                  chainId: 1,
                  verifyingContract: `0x${"00".repeat(20)}`,
                },
                types: {
                  NonceMapping: [
                    { name: "chainId", type: "string" },
                    { name: "wallet", type: "address" },
                    { name: "depositor", type: "address" },
                    { name: "id", type: "bytes32" },
                    { name: "nonce", type: "uint256" },
                  ],
                },
                primaryType: "NonceMapping",
                value: { chainId: "hyperliquid", wallet, depositor: wallet, id: orderId, nonce },
              },
              post: {
                endpoint: "/authorize",
                method: "POST",
                body: {
                  type: "nonce-mapping",
                  walletChainId: 1337,
                  wallet,
                  depositor: wallet,
                  nonce,
                  id: orderId,
                  signatureChainId: 1,
                },
              },
            },
          },
        ],
      },
      {
        id: "deposit",
        action: "Confirm",
        description: "Deposit",
        kind: "transaction",
        items: [
          {
            status: "incomplete",
            data: {
              action: { type: "sendAsset", parameters: sending },
              nonce,
              eip712Types: {
                "HyperliquidTransaction:SendAsset": [
                  { name: "hyperliquidChain", type: "string" },
                  { name: "destination", type: "string" },
                  { name: "sourceDex", type: "string" },
                  { name: "destinationDex", type: "string" },
                  { name: "token", type: "string" },
                  { name: "amount", type: "string" },
                  { name: "fromSubAccount", type: "string" },
                  { name: "nonce", type: "uint64" },
                ],
              },
              eip712PrimaryType: "HyperliquidTransaction:SendAsset",
            },
          },
        ],
      },
    ],
  });
}

/** A quote that tests may bend in any place. */
export type WithdrawalQuote = ReadWithdrawalParameters["quote"] & { steps: unknown[] };

/** The quote with another value in one place, such as `steps.1.items.0.data.nonce`; without one, nothing is there. */
export function bentQuote(path: string, value?: unknown): WithdrawalQuote {
  const quote = withdrawalQuote();
  put(quote, path, value);
  return structuredClone(quote);
}
