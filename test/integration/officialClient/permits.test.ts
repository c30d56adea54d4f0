import { createClient, type Execute, type RelayClient } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { expect } from "chai";
import { type Hex, maxUint256 } from "viem";
import { routerVersions } from "../../../emulator/chains/Chain.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { fiftyDollars, recipient, sendAs } from "../../helpers/quotes/intents.ts";
import { type SignedWay, signedCurrencies, takeAuthorizations } from "../../helpers/quotes/permits.ts";
import { historyOf } from "../../helpers/requests/requestHistory.ts";

const stepIds = {
  eip3009: ["authorize"],
  permit: ["authorize"],
  permit2: ["approve", "authorize"],
} as const;

for (const routerVersion of routerVersions) {
  describe(`the service's official client pays by signature, on ${routerVersion}`, () => {
    let client: RelayClient;
    const fixture = useEmulator({ routerVersion });
    before(async () => {
      client = createClient({
        baseApiUrl: fixture.emulator.info.apiUrl,
        pollingInterval: 20,
        source: "waybill.test",
      });
      await configureDynamicChains();
    });

    async function quoteOf(way: SignedWay, target = fixture.beta): Promise<Execute> {
      const { alpha } = fixture;
      const symbol = signedCurrencies[way];
      return client.actions.getQuote({
        amount: fiftyDollars(symbol).toString(),
        chainId: alpha.info.id,
        currency: alpha.currency(symbol),
        options: { usePermit: true },
        recipient,
        toChainId: target.info.id,
        toCurrency: target.currency("USDC"),
        tradeType: "EXACT_INPUT",
        user: alpha.wallet(0).account.address,
      });
    }

    for (const way of ["permit", "permit2", "eip3009"] as const) {
      it(`pays with ${way}: the money has arrived when execute resolves`, async () => {
        const { alpha, beta } = fixture;
        const restore = way === "permit" ? await takeAuthorizations(alpha) : async () => {};
        const user = alpha.wallet(0).account.address;
        const paidWith = alpha.currency(signedCurrencies[way]);
        const token = beta.currency("USDC");
        const held = await alpha.balanceOf(paidWith, user);
        const had = await beta.balanceOf(token, recipient);
        const sent = await alpha.reader.getTransactionCount({ address: user });
        const quote = await quoteOf(way);
        expect(quote.steps.map(({ id }) => id)).to.deep.equal(stepIds[way]);
        await client.actions.execute({ quote, wallet: alpha.wallet(0) });
        expect(((await beta.balanceOf(token, recipient)) - had).toString()).to.equal(
          quote.details?.currencyOut?.amount,
        );
        expect(held - (await alpha.balanceOf(paidWith, user))).to.equal(fiftyDollars(signedCurrencies[way]));
        // Transactions by way: the approval of Permit2, the deposit of a permit, none.
        const own = { eip3009: 0, permit: 1, permit2: 1 }[way];
        expect((await alpha.reader.getTransactionCount({ address: user })) - sent).to.equal(own);
        await restore();
      });
    }

    it("swaps on one chain: the recipient has the output when execute resolves", async () => {
      const { alpha } = fixture;
      const had = await alpha.balanceOf(alpha.currency("USDC"), recipient);
      const quote = await quoteOf("permit2", alpha);
      await client.actions.execute({ quote, wallet: alpha.wallet(0) });
      expect(((await alpha.balanceOf(alpha.currency("USDC"), recipient)) - had).toString()).to.equal(
        quote.details?.currencyOut?.amount,
      );
    });

    it("asks a user with a Permit2 approval for a signature only, and reports its failure", async () => {
      const { alpha, beta } = fixture;
      const { account } = alpha.wallet(0);
      const usdt = alpha.currency("USDT");
      await sendAs(alpha, 0, {
        data: erc20Data("approve", alpha.info.contracts.permit2, maxUint256),
        to: usdt,
      });
      const had = await beta.balanceOf(beta.currency("USDC"), recipient);
      const sent = await alpha.reader.getTransactionCount({ address: account.address });
      const quote = await quoteOf("permit2");
      expect(quote.steps.map(({ id }) => id)).to.deep.equal(["authorize"]);
      await client.actions.execute({ quote, wallet: alpha.wallet(0) });
      expect(await alpha.reader.getTransactionCount({ address: account.address })).to.equal(sent);
      expect(((await beta.balanceOf(beta.currency("USDC"), recipient)) - had).toString()).to.equal(
        quote.details?.currencyOut?.amount,
      );

      const poor = await quoteOf("permit2");
      const rest = await alpha.balanceOf(usdt, account.address);
      await sendAs(alpha, 0, {
        data: erc20Data("transfer", recipient, rest),
        to: usdt,
      });
      const error = await failureOf(client.actions.execute({ quote: poor, wallet: alpha.wallet(0) }));
      expect(String(error)).to.match(/Transaction failed/);
      const { failReason } = await historyOf(fixture.emulator, poor.steps[0]?.requestId as Hex);
      expect(failReason).to.equal("GASLESS_PERMIT_BALANCE_TOO_LOW");
    });
  });
}
