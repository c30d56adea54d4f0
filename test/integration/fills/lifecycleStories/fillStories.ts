import type { RequestStatus } from "../../../../src/schema/request/requestStatus.ts";
import type { EmulatorFixture } from "../../../helpers/emulatorFixture.ts";
import { setCode } from "../../../helpers/localChain.ts";
import { quoteFor } from "../../../helpers/quotes/intents.ts";
import {
  deposit,
  ether,
  fresh,
  idOf,
  orderIdOf,
  quoteOf,
  revertFill,
  reverting,
  senderOf,
} from "../../../helpers/requests/failureStage.ts";
import { nameTransaction } from "../../../helpers/requests/nameTransaction.ts";
import { reorgStage } from "../../../helpers/requests/reorgStage.ts";
import { reached } from "../../../helpers/requests/requestHistory.ts";
import type { Story } from "./Story.ts";

async function paid(fixture: EmulatorFixture, end: RequestStatus, amount = ether, refundTo = fresh()) {
  const quote = await quoteOf(fixture, { refundTo });
  await deposit(fixture, orderIdOf(quote), amount);
  await reached(fixture.emulator, idOf(quote), end);
  return quote;
}

/** Stories of requests that their users pay by transaction. */
export const fillStories: readonly Story[] = [
  {
    reaches: ["waiting deposit-accepted", "pending fill-submitted", "submitted fill-succeeded"],
    run: (fixture) => paid(fixture, "success"),
    tells: "with the quoted deposit: is filled",
  },
  {
    reaches: ["success fill-reorged"],
    run: async (fixture) => {
      const quote = await paid(fixture, "success");
      await reorgStage(fixture).lose(fixture.beta);
      await reorgStage(fixture).followed(quote, "fill-reorged", "success");
      return quote;
    },
    tells: "whose fill's block vanishes: is filled again",
  },
  {
    reaches: ["waiting deposit-refused", "pending refund-succeeded"],
    run: (fixture) => paid(fixture, "refund", ether - 1n),
    tells: "with a deposit one wei short: is refunded",
  },
  {
    reaches: ["refund refund-reorged"],
    run: async (fixture) => {
      const quote = await paid(fixture, "refund", ether - 1n);
      await reorgStage(fixture).lose(fixture.alpha);
      await reorgStage(fixture).followed(quote, "refund-reorged", "refund");
      return quote;
    },
    tells: "whose refund's block vanishes: is refunded again",
  },
  {
    reaches: ["pending refund-failed"],
    run: async (fixture) => {
      const refundTo = fresh();
      await setCode(fixture.alpha, refundTo, reverting);
      return paid(fixture, "failure", ether - 1n, refundTo);
    },
    tells: "whose refund is rejected: fails",
  },
  {
    reaches: ["pending failure-shown", "failure refund-begun"],
    run: async (fixture) => {
      await fixture.emulator.control.faults.add({ delayMs: 50, kind: "transient-failure" });
      return paid(fixture, "refund", ether - 1n);
    },
    tells: "with a transient failure: shows it before the refund",
  },
  {
    reaches: ["pending fill-failed"],
    run: async (fixture) => {
      const recipient = fresh();
      const quote = await quoteOf(fixture, { recipient });
      await setCode(fixture.beta, recipient, reverting);
      await deposit(fixture, orderIdOf(quote));
      await reached(fixture.emulator, idOf(quote), "refund");
      return quote;
    },
    tells: "whose recipient rejects the output: is refunded",
  },
  {
    reaches: ["submitted fill-failed"],
    run: async (fixture) => {
      const quote = await quoteOf(fixture);
      await revertFill(fixture, quote);
      await reached(fixture.emulator, idOf(quote), "refund");
      return quote;
    },
    tells: "whose mined fill reverts: is refunded",
  },
  {
    reaches: ["success deposit-reorged"],
    run: async (fixture) => {
      const quote = await paid(fixture, "success");
      await reorgStage(fixture).lose(fixture.alpha);
      await reached(fixture.emulator, idOf(quote), "failure");
      return quote;
    },
    tells: "whose deposit's block vanishes after the fill: fails",
  },
  {
    reaches: ["pending deposit-reorged", "failure deposit-returned"],
    run: async (fixture) => {
      const quote = await quoteOf(fixture);
      await fixture.emulator.control.faults.add({
        delayMs: 3_600_000,
        kind: "fill-slow",
        requestId: idOf(quote),
      });
      const pay = await senderOf(fixture, quote);
      await pay();
      await reached(fixture.emulator, idOf(quote), "pending");
      await reorgStage(fixture).lose(fixture.alpha);
      await reached(fixture.emulator, idOf(quote), "failure");
      await pay();
      await fixture.emulator.control.faults.clear();
      await reached(fixture.emulator, idOf(quote), "success");
      return quote;
    },
    tells: "whose deposit vanishes: fails, and resumes when it returns",
  },
  {
    reaches: ["waiting own-succeeded", "success own-reorged"],
    run: async (fixture) => {
      const quote = await quoteFor(fixture, { from: "ETH", sameChain: true, to: "WETH" });
      await nameTransaction(fixture, quote, await (await senderOf(fixture, quote))());
      await reached(fixture.emulator, idOf(quote), "success");
      await reorgStage(fixture).lose(fixture.alpha);
      await reached(fixture.emulator, idOf(quote), "waiting");
      return quote;
    },
    tells: "with its user's own transaction: ends, as long as that is on the chain",
  },
  {
    reaches: ["waiting own-failed", "failure own-reorged"],
    run: async (fixture) => {
      const quote = await quoteFor(fixture, { from: "ETH", sameChain: true, to: "USDC" });
      const pay = await senderOf(fixture, quote, 60_000n);
      await pay();
      await reached(fixture.emulator, idOf(quote), "failure");
      await reorgStage(fixture).lose(fixture.alpha);
      await reached(fixture.emulator, idOf(quote), "waiting");
      return quote;
    },
    tells: "whose user's own transaction reverted: fails, as long as that is on the chain",
  },
];
