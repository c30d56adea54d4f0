import { expect } from "chai";
import { type Address, createWalletClient, custom, type EIP1193Provider, type Hex } from "viem";
import { user } from "../unit/client/support/samples.ts";
import { tokenSample } from "../unit/guard/support/quotes.ts";
import { callOf, guarded, walletError } from "../unit/guard/support/wallet.ts";

/** What wallets without batches answer, as viem's own fallback lists them: none of them began anything. */
const answers: readonly (readonly [string, number])[] = [
  ["Missing or invalid. request() method: wallet_sendCalls", 2],
  ["did not match any variant of untagged enum EthereumProviderRequest", -32602],
  ["Unsupported wc_ method. Requested: wallet_sendCalls", 10001],
];

describe("attack: a wallet without batches, whose error has another code than EIP-1193's", () => {
  for (const [message, code] of answers) {
    it(`${code} ${message}: viem's fallback pays call by call`, async () => {
      const sample = await tokenSample(`no batches: ${message}`);
      const { log, provider } = await guarded([sample], {
        answers: { wallet_sendCalls: () => Promise.reject(walletError(code, message)) },
      });
      const wallet = createWalletClient({ account: user, transport: custom(provider as EIP1193Provider) });
      const calls = [0, 1].map((index) => {
        const { data, to } = callOf(sample, index) as { data: Hex; to: Address };
        return { data, to };
      });
      const chain = { id: 31337 } as never;
      await wallet.sendCalls({ calls, chain, experimental_fallback: true }).catch(() => {});
      expect(log.map(({ method }) => method)).to.deep.equal([
        "wallet_sendCalls",
        "eth_sendTransaction",
        "eth_sendTransaction",
      ]);
    });
  }
});
