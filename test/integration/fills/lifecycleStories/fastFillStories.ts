import type { Quote } from "../../../../src/client/index.ts";
import { HttpError } from "../../../../src/errors/HttpError.ts";
import { fillFast } from "../../../helpers/appFees/fastFills.ts";
import type { EmulatorFixture } from "../../../helpers/emulatorFixture.ts";
import { mine, setCode, withoutAutomine } from "../../../helpers/localChain.ts";
import { handIn, signedQuote } from "../../../helpers/quotes/permits.ts";
import {
  deposit,
  fresh,
  idOf,
  orderIdOf,
  quoteOf,
  reverting,
} from "../../../helpers/requests/failureStage.ts";
import { reorgStage } from "../../../helpers/requests/reorgStage.ts";
import { historyOf, reached, until } from "../../../helpers/requests/requestHistory.ts";
import type { Story } from "./Story.ts";

/** Waits until the deposit that pays the advance back is found. */
async function paidBack({ emulator }: EmulatorFixture, quote: Quote) {
  await until(async () => {
    const { deposits } = await historyOf(emulator, idOf(quote));
    return deposits.some(({ outcome }) => outcome === "netted") ? true : undefined;
  }, "the deposit");
}

/** Asks for a fast fill until it is accepted: a signed deposit must be mined before. */
async function fillOnceMined(fixture: EmulatorFixture, quote: Quote) {
  await until(
    () =>
      fillFast(fixture, quote).catch((error: unknown) => {
        if (error instanceof HttpError && error.status === 409) return undefined;
        throw error;
      }),
    "the signed deposit to be mined",
  );
}

/** Stories of requests that the solver fills before it finds their deposit. */
export const fastFillStories: readonly Story[] = [
  {
    reaches: ["waiting fast-fill-begun"],
    run: async (fixture) => {
      const quote = await quoteOf(fixture);
      await fillFast(fixture, quote);
      await reached(fixture.emulator, idOf(quote), "success");
      await deposit(fixture, orderIdOf(quote));
      await paidBack(fixture, quote);
      return quote;
    },
    tells: "with a fast fill: is filled before its deposit",
  },
  {
    reaches: ["depositing fast-fill-begun"],
    run: async (fixture) => {
      const quote = await signedQuote(fixture);
      const { faults } = fixture.emulator.control;
      const hidden = { delayMs: 3_600_000, kind: "deposit-ignored", requestId: idOf(quote) } as const;
      const { id } = await faults.add(hidden);
      await handIn(fixture, quote);
      await fillOnceMined(fixture, quote);
      await reached(fixture.emulator, idOf(quote), "success");
      await faults.remove(id);
      await paidBack(fixture, quote);
      return quote;
    },
    tells: "paid by signature, with a fast fill: is filled before the mined deposit is found",
  },
  {
    reaches: ["pending fast-fill-released"],
    run: async (fixture) => {
      const recipient = fresh();
      const quote = await quoteOf(fixture, { recipient });
      await setCode(fixture.beta, recipient, reverting);
      await fillFast(fixture, quote);
      await reorgStage(fixture).followed(quote, "fast-fill-released", "waiting");
      return quote;
    },
    tells: "whose recipient rejects the fast fill: waits for its deposit",
  },
  {
    reaches: ["submitted fast-fill-released"],
    run: async (fixture) => {
      const recipient = fresh();
      const quote = await quoteOf(fixture, { recipient });
      await withoutAutomine(fixture.beta, async () => {
        await fillFast(fixture, quote);
        await reached(fixture.emulator, idOf(quote), "submitted");
        await setCode(fixture.beta, recipient, reverting);
        await mine(fixture.beta);
      });
      await reorgStage(fixture).followed(quote, "fast-fill-released", "waiting");
      return quote;
    },
    tells: "whose mined fast fill reverts: waits for its deposit",
  },
];
