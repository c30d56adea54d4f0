import { expect } from "chai";
import { type Address, zeroAddress } from "viem";
import type { Quote } from "../../../src/client/index.ts";
import type { EmulatorFixture, TestChain } from "../emulatorFixture.ts";
import { deposit, ether, fresh, idOf, orderIdOf, quoteOf, refunded } from "./failureStage.ts";
import { historyOf, type RequestHistory, reached, until } from "./requestHistory.ts";

/** Common actions of tests of reorgs. */
export type ReorgStage = {
  solver(): Address;
  /** Native money, in wei. */
  balanceOf(chain: TestChain, account: Address): Promise<bigint>;
  /** Drops blocks of a chain; their transactions may return. */
  lose(chain: TestChain, blocks?: number, returns?: boolean): Promise<unknown>;
  /** Waits until a request has a status after a given event. */
  followed(quote: Quote, trigger: string, status: string): Promise<RequestHistory>;
  /** Pays for a request that is filled. */
  filled(recipient: Address): Promise<Quote>;
  /** Makes a deposit below the quoted amount, which is refunded. */
  refundedDeposit(refundTo: Address): Promise<Quote>;
  /** Expects that the chain has mined every nonce that the solver drew. */
  expectNoGap(chain: TestChain): Promise<void>;
};

export const outputOf = (quote: Quote) => BigInt(quote.details.currencyOut?.amount ?? 0);
export const triggers = ({ events }: RequestHistory) => events.map(({ trigger }) => trigger);

/** Sets the stage on an emulator that keeps the states of its chains. */
export function reorgStage(fixture: EmulatorFixture): ReorgStage {
  const solver = () => fixture.emulator.info.solver;
  const filled = async (recipient: Address) => {
    const quote = await quoteOf(fixture, { recipient });
    await deposit(fixture, orderIdOf(quote));
    await reached(fixture.emulator, idOf(quote), "success");
    return quote;
  };
  const refundedDeposit = async (refundTo: Address) => {
    const quote = await quoteOf(fixture, { refundTo });
    await deposit(fixture, orderIdOf(quote), ether - 1n);
    await refunded(fixture, quote);
    return quote;
  };
  return {
    balanceOf: (chain, account) => chain.balanceOf(zeroAddress, account),
    expectNoGap: async (chain) => {
      const before = await chain.reader.getTransactionCount({ address: solver() });
      await (chain === fixture.beta ? filled(fresh()) : refundedDeposit(fresh()));
      expect(await chain.reader.getTransactionCount({ address: solver() })).to.equal(before + 1);
    },
    filled,
    followed: (quote, trigger, status) =>
      until(async () => {
        const history = await historyOf(fixture.emulator, idOf(quote));
        return history.status === status && triggers(history).includes(trigger) ? history : undefined;
      }, `${status} after ${trigger}`),
    lose: (chain, blocks = 1, returns = false) =>
      fixture.emulator.control.chains.reorg({ blocks, chainId: chain.info.id, returns }),
    refundedDeposit,
    solver,
  };
}
