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

/** A transition: what happened, and in which status. */
type Transition = `${RequestStatus} ${Trigger}`;

/** What a request goes through, from its real causes, and the transitions that this is about. */
type Story = {
  readonly tells: string;
  readonly reaches: readonly Transition[];
  run(fixture: EmulatorFixture): Promise<Quote>;
};

const lose = ({ emulator }: EmulatorFixture, chain: TestChain) =>
  emulator.control.chains.reorg({ blocks: 1, chainId: chain.info.id, returns: false });

/** Waits until something has happened to a request since it was in its present state. */
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
    tells: "is filled when it is paid as quoted",
  },
  {
    reaches: ["success fill-reorged"],
    run: async (fixture) => {
      const quote = await paid(fixture, "success");
      await lose(fixture, fixture.beta);
      await happened(fixture, quote, "fill-reorged", "success");
      return quote;
    },
    tells: "is filled again when the block of its fill vanishes",
  },
  {
    reaches: ["waiting deposit-refused", "pending refund-succeeded"],
    run: (fixture) => paid(fixture, "refund", ether - 1n),
    tells: "is refunded when it is paid one wei less",
  },
  {
    reaches: ["refund refund-reorged"],
    run: async (fixture) => {
      const quote = await paid(fixture, "refund", ether - 1n);
      await lose(fixture, fixture.alpha);
      await happened(fixture, quote, "refund-reorged", "refund");
      return quote;
    },
    tells: "is refunded again when the block of its refund vanishes",
  },
  {
    reaches: ["pending refund-failed"],
    run: async (fixture) => {
      const refundTo = fresh();
      await setCode(fixture.alpha, refundTo, reverting);
      return paid(fixture, "failure", ether - 1n, refundTo);
    },
    tells: "fails when its refund is not taken",
  },
  {
    reaches: ["pending failure-shown", "failure refund-begun"],
    run: async (fixture) => {
      await fixture.emulator.control.faults.add({ delayMs: 50, kind: "transient-failure" });
      return paid(fixture, "refund", ether - 1n);
    },
    tells: "shows a failure before its refund where that is asked for",
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
    tells: "is refunded when its recipient takes nothing",
  },
  {
    reaches: ["submitted fill-failed"],
    run: async (fixture) => {
      const quote = await quoteOf(fixture);
      await revertFill(fixture, quote);
      await reached(fixture.emulator, idOf(quote), "refund");
      return quote;
    },
    tells: "is refunded when its fill reverts in its block",
  },
  {
    reaches: ["success deposit-reorged"],
    run: async (fixture) => {
      const quote = await paid(fixture, "success");
      await lose(fixture, fixture.alpha);
      await reached(fixture.emulator, idOf(quote), "failure");
      return quote;
    },
    tells: "fails when the block of its deposit vanishes after it was filled",
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
    tells: "fails when its deposit vanishes, and goes on when that is back",
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
    tells: "ends with its user's own transaction, as long as that is on the chain",
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
    tells: "fails with its user's own transaction, as long as that is on the chain",
  },
  {
    reaches: ["waiting deposit-confirmed", "depositing deposit-accepted"],
    run: async (fixture) => {
      const quote = await signedQuote(fixture);
      await handIn(fixture, quote);
      await reached(fixture.emulator, idOf(quote), "success");
      return quote;
    },
    tells: "is paid by signature",
  },
  {
    reaches: ["depositing own-succeeded"],
    run: async (fixture) => {
      const quote = await signedQuote(fixture, { sameChain: true });
      await handIn(fixture, quote);
      await reached(fixture.emulator, idOf(quote), "success");
      return quote;
    },
    tells: "is carried out by signature where everything stays on one chain",
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
    tells: "fails when the money that was signed for is not there",
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
    tells: "is refunded when what was signed arrives too late",
  },
];

/** What a request went through. */
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
      // Every event is what the table says.
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
