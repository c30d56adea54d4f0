import { expect } from "chai";
import type { Address, Hex } from "viem";
import type { Quote } from "../../../src/client/index.ts";
import { useLedgers } from "../../helpers/ledgers.ts";
import { mine, setCode, withoutAutomine } from "../../helpers/localChain.ts";
import { openBooks } from "../../helpers/model/openBooks.ts";
import { openOtherBooks } from "../../helpers/model/otherBooks.ts";
import { asIntegrator } from "../../helpers/quotes/sponsors.ts";
import { fresh, idOf, reverting } from "../../helpers/requests/failureStage.ts";
import { outputOf, reorgStage } from "../../helpers/requests/reorgStage.ts";
import { historyOf, type RequestHistory, reached, until } from "../../helpers/requests/requestHistory.ts";
import { type Accounts, type Way, waysToPay } from "./ways.ts";
import { type End, useWitness } from "./witness.ts";

/** Code of a token of which every account has plenty, and that cannot be transferred. */
const blocking = "0x60003560e01c63a9059cbb14601c57600160801b60005260206000f35b60006000fd";
const ends = ["success", "refund", "failure"] as const;

describe("stories of payments", () => {
  const fixture = Object.create(useLedgers()) as ReturnType<typeof useLedgers>;
  const witness = useWitness(fixture);
  const control = () => fixture.emulator.control;
  const accounts: string[] = [];
  let close: () => Promise<readonly string[]>;
  before("open the books", async () => {
    // The requests of a key have webhooks.
    const { client } = asIntegrator(fixture);
    Object.defineProperty(fixture, "client", { value: client });
    await control().config.set({ reorgs: true });
    const { alpha, beta, emulator } = fixture;
    const books = await Promise.all([alpha, beta].map((chain) => openBooks(chain, emulator.info.solver)));
    const others = await openOtherBooks(emulator.info);
    close = async () => {
      const own = accounts.filter((each): each is Address => each.startsWith("0x"));
      const closed = await Promise.all(books.map((each) => each.close(own)));
      return [...closed.flat(), ...(await others.close(accounts))];
    };
  });

  /** A quoted payment. */
  type Story = Accounts & { readonly quote: Quote; readonly requestId: Hex; readonly way: Way };

  /** Runs `act` while the recipient cannot be paid. */
  async function refusingRecipient<Result>({ recipient, way }: Story, act: () => Promise<Result>) {
    const { beta } = fixture;
    const [account, code] = way.output === "ETH" ? [recipient, reverting] : [beta.currency("USDC"), blocking];
    const before = (await beta.reader.getCode({ address: account as Address })) ?? "0x";
    await setCode(beta, account as Address, code as Hex);
    return act().finally(async () => {
      await setCode(beta, account as Address, before);
      // A reorg returns to the state at the end of a block.
      await mine(beta);
    });
  }

  const endOf = ({ requestId }: Story) => reached(fixture.emulator, requestId, ...ends);

  /** What happens to a payment, and how it ends. A refund pays `refundTo` the recorded amount once. */
  const faults: Readonly<
    Record<string, { readonly run: (story: Story) => Promise<unknown>; readonly end: End }>
  > = {
    "the quoted amount": {
      end: { status: "success" },
      run: ({ quote, way }) => way.pay(quote),
    },
    "one unit below the quoted amount": {
      end: { failReason: "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL", status: "refund" },
      run: ({ quote, way }) => way.pay(quote, 1n),
    },
    "a deposit that the service overlooks for an hour": {
      end: { status: "success" },
      run: async ({ quote, requestId, way }) => {
        const fault = { delayMs: 3_600_000, kind: "deposit-ignored", requestId } as const;
        const { id } = await control().faults.add(fault);
        await way.pay(quote);
        await until(
          async () => (await control().log()).find((each) => each.requestId === requestId),
          "the search to meet the deposit",
        );
        expect(["waiting", "depositing"]).to.include((await historyOf(fixture.emulator, requestId)).status);
        await control().faults.remove(id);
      },
    },
    "a solver without the output": {
      end: { failReason: "SOLVER_BALANCE_TOO_LOW", status: "refund" },
      run: async (story) => {
        const destinationChainId = fixture.beta.info.id;
        const { id } = await control().faults.add({ destinationChainId, kind: "solver-broke" });
        await story.way.pay(story.quote);
        await endOf(story);
        await control().faults.remove(id);
      },
    },
    "a recipient that cannot take the output": {
      end: { failReason: "DESTINATION_TOKEN_TRANSFER_REJECTED", status: "refund" },
      run: (story) =>
        refusingRecipient(story, async () => {
          await story.way.pay(story.quote);
          await endOf(story);
        }),
    },
    "a fill that reverts in its block": {
      end: { failReason: "TRANSACTION_REVERTED", status: "refund" },
      run: (story) =>
        withoutAutomine(fixture.beta, async () => {
          await story.way.pay(story.quote);
          await reached(fixture.emulator, story.requestId, "submitted");
          await refusingRecipient(story, () => mine(fixture.beta));
          await endOf(story);
        }),
    },
    "a fill that a reorg removes": {
      end: { status: "success" },
      run: async (story) => {
        await story.way.pay(story.quote);
        const hashesOf = ({ transactions }: RequestHistory) => transactions.map(({ hash }) => hash);
        const before = hashesOf(await endOf(story));
        await reorgStage(fixture).lose(fixture.beta);
        const after = await reorgStage(fixture).followed(story.quote, "fill-reorged", "success");
        expect(hashesOf(after)).to.deep.equal(before);
      },
    },
    "a second payment after the fill": {
      end: { status: "success" },
      run: async (story) => {
        await story.way.pay(story.quote);
        await endOf(story);
        await secondPayment(story);
      },
    },
    "a second payment after the refund": {
      end: { failReason: "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL", status: "refund" },
      run: async (story) => {
        await story.way.pay(story.quote, 1n);
        await endOf(story);
        await secondPayment(story);
      },
    },
  };

  /** Pays once more, and expects a request of its own that returns all but the fees. */
  async function secondPayment({ quote, refundTo, requestId, way }: Story): Promise<void> {
    const held = await way.held(refundTo);
    await way.pay(quote);
    const child = await until(async () => {
      const { children } = await historyOf(fixture.emulator, requestId);
      return children.find(({ status }) => status === "refund");
    }, "the refund of the second payment");
    expect(child.failReason).to.equal("DOUBLE_SPEND");
    const back = (await way.held(refundTo)) - held;
    expect(back > 0n && back < way.paid, `${back} of ${way.paid}`).to.equal(true);
    returned.set(requestId, back);
  }
  const returned = new Map<Hex, bigint>();

  const ways = waysToPay(fixture);
  for (const [what, way] of Object.entries(ways)) {
    for (const [fault, { end, run }] of Object.entries(faults)) {
      if (way.paysOnce && fault.startsWith("a second payment")) continue;
      // @spec service/failed-fill quote-request/refund-to state/refund
      it(`${what}, ${fault}: ends in ${end.failReason ?? end.status}, to the unit`, async () => {
        const { alpha, beta, emulator } = fixture;
        const terms = { recipient: fresh(), refundTo: await way.newAccount() };
        accounts.push(...Object.values(terms));
        const quote = await way.quote(terms);
        const [requestId, address] = [idOf(quote), quote.steps[0]?.depositAddress];
        if (address) accounts.push(address);
        witness.follow(requestId);
        const story = { ...terms, quote, requestId, way };
        await run(story);
        await endOf(story);
        const { refundCurrencyData } = await witness.expectShown(requestId, end);
        const back = (await way.held(terms.refundTo)) - (returned.get(requestId) ?? 0n);
        const delivered = await beta.balanceOf(beta.currency(way.output), terms.recipient);
        if (end.status === "success") {
          expect([delivered, back]).to.deep.equal([outputOf(quote), 0n]);
        } else {
          expect([delivered, back]).to.deep.equal([0n, BigInt(refundCurrencyData?.amount ?? 0)]);
          // The exchange has no fees.
          expect(back > 0n && (back < way.paid || way.paysOnce)).to.equal(true);
        }
        const { transactions } = await historyOf(emulator, requestId);
        const mined = transactions.filter(({ state }) => state === "mined");
        expect(mined.map(({ kind }) => kind)).to.deep.equal([end.status === "success" ? "fill" : "refund"]);
        if (address) expect(await alpha.balanceOf(alpha.currency("ETH"), address as Address)).to.equal(0n);
      });
    }
  }

  it("all stories together: no unit appeared or left the known accounts", async () => {
    expect(await close()).to.deep.equal([]);
  });
});
