import { expect } from "chai";
import { nextStatus, type Trigger, transitions } from "../../../emulator/requests/transitions.ts";
import type { Quote } from "../../../src/client/index.ts";

import type { RequestStatus } from "../../../src/schema/request/requestStatus.ts";
import { type EmulatorFixture, type TestChain, useEmulator } from "../../helpers/emulatorFixture.ts";
import { setCode } from "../../helpers/localChain.ts";
import { quoteFor } from "../../helpers/quotes/intents.ts";

import { handIn, signedQuote } from "../../helpers/quotes/permits.ts";
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
} from "../../helpers/requests/failureStage.ts";
import { historyOf, type RequestHistory, reached, until } from "../../helpers/requests/requestHistory.ts";

/** A transition: the status before it and its trigger. */
type Transition = `${RequestStatus} ${Trigger}`;

/** A story of a request by real causes, and the transitions that it must reach. */
type Story = {
  readonly tells: string;
  readonly reaches: readonly Transition[];
  run(fixture: EmulatorFixture): Promise<Quote>;
};

const lose = ({ emulator }: EmulatorFixture, chain: TestChain) =>
  emulator.control.chains.reorg({ blocks: 1, chainId: chain.info.id, returns: false });

/** Waits for the next event of a request. */
async function happened(
  { emulator }: EmulatorFixture,
  quote: Quote,
  trigger: Trigger,
  status: RequestStatus,
) {
  await until(async () => {
    const history = await historyOf(emulator, idOf(quote));
    return history.status === status && transitionsOf(history).some((each) => each.endsWith(` ${trigger}`))
      ? history
      : undefined;
  }, `${status} after ${trigger}`);
}

async function paid(fixture: EmulatorFixture, end: RequestStatus, amount = ether, refundTo = fresh()) {
  const quote = await quoteOf(fixture, { refundTo });
  await deposit(fixture, orderIdOf(quote), amount);
  await reached(fixture.emulator, idOf(quote), end);
  return quote;
}

const stories: readonly Story[] = [
  {
    reaches: ["waiting deposit-accepted", "pending fill-submitted", "submitted fill-succeeded"],
    run: (fixture) => paid(fixture, "success"),
    tells: "with the quoted deposit: is filled",
  },
  {
    reaches: ["success fill-reorged"],
    run: async (fixture) => {
      const quote = await paid(fixture, "success");
      await lose(fixture, fixture.beta);
      await happened(fixture, quote, "fill-reorged", "success");
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
      await lose(fixture, fixture.alpha);
      await happened(fixture, quote, "refund-reorged", "refund");
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
      await lose(fixture, fixture.alpha);
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
      await lose(fixture, fixture.alpha);
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
      await (await senderOf(fixture, quote))();
      await reached(fixture.emulator, idOf(quote), "success");
      await lose(fixture, fixture.alpha);
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
      await lose(fixture, fixture.alpha);
      await reached(fixture.emulator, idOf(quote), "waiting");
      return quote;
    },
    tells: "whose user's own transaction reverted: fails, as long as that is on the chain",
  },
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

/** Transitions of a request's history. */
function transitionsOf({ events }: RequestHistory): readonly Transition[] {
  return events.slice(1).map(({ trigger }, index) => `${events[index]?.status} ${trigger}` as Transition);
}

describe("the lifecycle of requests", () => {
  const fixture = useEmulator({ reorgs: true });

  for (const { reaches, run, tells } of stories) {
    // @spec state/all state/waiting-to-pending state/pending-to-success state/failure state/refund
    // @spec state/depositing state/submitted state/success
    it(`a request ${tells}`, async () => {
      const history = await historyOf(fixture.emulator, idOf(await run(fixture)));
      expect(transitionsOf(history)).to.include.members([...reaches]);
      // Every event follows the transition table.
      for (const [index, { status, trigger }] of history.events.entries()) {
        const before = history.events[index - 1]?.status as RequestStatus | undefined;
        if (before !== undefined) expect(nextStatus(before, trigger as Trigger)).to.equal(status);
      }
    });
  }

  it("the stories reach every transition of the state machine", () => {
    const all = Object.entries(transitions).flatMap(([status, allowed]) =>
      Object.keys(allowed).map((trigger) => `${status} ${trigger}`),
    );
    expect(stories.flatMap(({ reaches }) => reaches)).to.have.members(all);
  });
});
