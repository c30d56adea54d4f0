import { createClient, type RelayClient } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { expect } from "chai";
import type { Address, Hex } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { fiftyDollars, gasSpent } from "../../helpers/quotes/intents.ts";
import { depositAddressStage, payer } from "../../helpers/requests/depositAddressStage.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";

describe("the service's official client quotes deposit addresses, unmodified", () => {
  let client: RelayClient;
  const fixture = useEmulator();
  const { pay } = depositAddressStage(fixture);
  before(async () => {
    client = createClient({
      baseApiUrl: fixture.emulator.info.apiUrl,
      pollingInterval: 20,
      source: "waybill.test",
    });
    await configureDynamicChains();
  });

  /** Balances that a payment changes, in smallest units of its currency. */
  async function books(symbol: "ETH" | "USDC", recipient: Address) {
    const { alpha, beta, emulator } = fixture;
    const { depository } = alpha.info.contracts;
    return {
      deposited: await alpha.balanceOf(alpha.currency(symbol), depository),
      received: await beta.balanceOf(beta.currency(symbol), recipient),
      solver: await beta.balanceOf(beta.currency(symbol), emulator.info.solver),
    };
  }

  for (const symbol of ["ETH", "USDC"] as const) {
    for (const by of ["another account's plain transfer", "execute"] as const) {
      it(`${symbol} paid by ${by}: arrives to the unit that the solver spent, and the deposit is whole`, async () => {
        const { alpha, beta, emulator } = fixture;
        const [recipient, amount] = [fresh(), fiftyDollars(symbol)];
        const quote = await client.actions.getQuote({
          amount: amount.toString(),
          chainId: alpha.info.id,
          currency: alpha.currency(symbol),
          options: { refundTo: fresh(), strict: true, useDepositAddress: true },
          recipient,
          toChainId: beta.info.id,
          toCurrency: beta.currency(symbol),
          tradeType: "EXACT_INPUT",
          user: alpha.wallet(0).account.address,
        });
        const [step] = quote.steps;
        const address = step?.depositAddress as Address;
        const before = await books(symbol, recipient);
        if (by === "execute") await client.actions.execute({ quote, wallet: alpha.wallet(0) });
        else await pay(address, symbol, amount, payer);
        const { transactions } = await reached(
          emulator,
          step?.requestId as Hex,
          "success",
          "refund",
          "failure",
        );
        const fill = transactions.find(({ kind }) => kind === "fill")?.hash as Hex;
        const after = await books(symbol, recipient);
        const gas = symbol === "ETH" ? await gasSpent(beta, fill) : 0n;
        const received = after.received - before.received;
        expect(received).to.equal(before.solver - after.solver - gas);
        expect(received.toString()).to.equal(quote.details?.currencyOut?.amount);
        // The documented fees: two cents and the gas of fill and sweep.
        const cent = symbol === "ETH" ? 4_000_000_000_000n : 10_000n;
        expect(amount - received >= 2n * cent && amount - received < amount / 10n).to.equal(true);
        expect(after.deposited - before.deposited).to.equal(amount);
        expect(await alpha.balanceOf(alpha.currency(symbol), address)).to.equal(0n);
      });
    }
  }
});
