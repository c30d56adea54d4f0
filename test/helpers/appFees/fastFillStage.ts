import { type Address, type Hex, zeroAddress } from "viem";
import type { Quote } from "../../../src/client/index.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";
import { mine, setCode, withoutAutomine } from "../localChain.ts";
import { deposit, fresh, idOf, orderIdOf, reverting } from "../requests/failureStage.ts";
import { historyOf, type RequestHistory, reached, until } from "../requests/requestHistory.ts";
import { fillFast, keyedQuote } from "./fastFills.ts";

/** A request that is fast-filled, with accounts of its own. */
export type FastFilled = {
  readonly quote: Quote;
  readonly recipient: Address;
  readonly refundTo: Address;
  /** Receives the app fees. */
  readonly wallet: Address;
};

type Part = { readonly payer: number; readonly value: bigint };

/** Common actions of tests of fast fills that revert. */
export type FastFillStage = {
  /** Waits until a request's history is as wanted. */
  holds(quote: Quote, what: string, isSo: (history: RequestHistory) => boolean): Promise<RequestHistory>;
  /** Waits until the fill of a request is mined. */
  fillMined(quote: Quote): Promise<RequestHistory>;
  /** What the recipient received, in wei. */
  paidOut(recipient: Address): Promise<bigint>;
  /** Fast-fills a request. */
  filledFast(): Promise<FastFilled>;
  /** Reverts the fast fill in its block, after these deposits in the user's name were found. */
  reverted(parts: readonly Part[], beforeRevert?: () => Promise<unknown>): Promise<FastFilled>;
  /** The id of the first child, once its refund is signed. */
  signedRefundOf(quote: Quote): Promise<Hex>;
};

/** Sets the stage on an emulator that keeps the states of its chains. */
export function fastFillStage(fixture: EmulatorFixture): FastFillStage {
  const holds: FastFillStage["holds"] = (quote, what, isSo) =>
    until(async () => {
      const history = await historyOf(fixture.emulator, idOf(quote));
      return isSo(history) ? history : undefined;
    }, what);
  const quoted = async (): Promise<FastFilled> => {
    const [recipient, refundTo, wallet] = [fresh(), fresh(), fresh()];
    const appFees = [{ fee: "1", recipient: wallet }];
    return {
      quote: await keyedQuote(fixture, { appFees, recipient, refundTo }),
      recipient,
      refundTo,
      wallet,
    };
  };
  const reverted: FastFillStage["reverted"] = async (parts, beforeRevert) => {
    const { quote, recipient, refundTo, wallet } = await quoted();
    const depositor = fixture.alpha.wallet(0).account.address;
    await withoutAutomine(fixture.beta, async () => {
      await fillFast(fixture, quote);
      await reached(fixture.emulator, idOf(quote), "submitted");
      for (const { payer, value } of parts) {
        await deposit(fixture, orderIdOf(quote), value, { depositor, payer });
      }
      await holds(quote, "the deposits", ({ deposits }) => deposits.length === parts.length);
      await setCode(fixture.beta, recipient, reverting);
      await beforeRevert?.();
      await mine(fixture.beta);
    });
    return { quote, recipient, refundTo, wallet };
  };
  return {
    fillMined: (quote) =>
      holds(quote, "the fill", ({ transactions }) =>
        transactions.some(({ kind, state }) => kind === "fill" && state === "mined"),
      ),
    filledFast: async () => {
      const filled = await quoted();
      await fillFast(fixture, filled.quote);
      await reached(fixture.emulator, idOf(filled.quote), "success");
      return filled;
    },
    holds,
    paidOut: (recipient) => fixture.beta.balanceOf(zeroAddress, recipient),
    reverted,
    signedRefundOf: async (quote) => {
      const { children } = await holds(quote, "a child", ({ children: [child] }) => child !== undefined);
      const id = children[0]?.requestId as Hex;
      await until(async () => {
        const { transactions } = await historyOf(fixture.emulator, id);
        return transactions.some(({ kind }) => kind === "refund") ? true : undefined;
      }, "the child's refund to be signed");
      return id;
    },
  };
}
