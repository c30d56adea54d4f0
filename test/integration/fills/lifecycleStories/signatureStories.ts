import { handIn, signedQuote } from "../../../helpers/quotes/permits.ts";
import { idOf } from "../../../helpers/requests/failureStage.ts";
import { reached, until } from "../../../helpers/requests/requestHistory.ts";
import type { Story } from "./Story.ts";

/** Stories of requests that their users pay by signature. */
export const signatureStories: readonly Story[] = [
  {
    reaches: ["waiting deposit-confirmed", "depositing deposit-accepted"],
    run: async (fixture) => {
      const quote = await signedQuote(fixture);
      await handIn(fixture, quote);
      await reached(fixture.emulator, idOf(quote), "success");
      return quote;
    },
    tells: "paid by signature: is filled",
  },
  {
    reaches: ["depositing own-succeeded"],
    run: async (fixture) => {
      const quote = await signedQuote(fixture, { sameChain: true });
      await handIn(fixture, quote);
      await reached(fixture.emulator, idOf(quote), "success");
      return quote;
    },
    tells: "on one chain: is executed by signature",
  },
  {
    reaches: ["depositing deposit-failed"],
    run: async (fixture) => {
      const quote = await signedQuote(fixture);
      const { control } = fixture.emulator;
      const of = {
        account: fixture.alpha.wallet(0).account.address,
        chainId: fixture.alpha.info.id,
        currency: fixture.alpha.currency("USDT"),
      } as const;
      const held = await control.balances.get(of);
      await control.balances.set({ ...of, amount: 1n });
      await handIn(fixture, quote);
      await reached(fixture.emulator, idOf(quote), "failure");
      await control.balances.set({ ...of, amount: held });
      return quote;
    },
    tells: "by signature without the user's balance: fails",
  },
  {
    reaches: ["depositing deposit-refused"],
    run: async (fixture) => {
      const quote = await signedQuote(fixture, { ttl: 60 });
      const { control } = fixture.emulator;
      await control.faults.add({ delayMs: 120_000, kind: "deposit-ignored", requestId: idOf(quote) });
      await handIn(fixture, quote);
      await until(async () => {
        const fired = (await control.log()).some(({ requestId }) => requestId === idOf(quote));
        return fired ? true : undefined;
      }, "the deposit to be looked at");
      await control.clock.advance(121_000);
      await reached(fixture.emulator, idOf(quote), "refund");
      return quote;
    },
    tells: "by signature whose deposit arrives too late: is refunded",
  },
];
