import { type Address, type Hex, zeroAddress } from "viem";
import type { Quote } from "../../../src/client/index.ts";
import type { RequestRecord } from "../../../src/schema/record/requestV3.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";
import { erc20Data } from "../erc20Data.ts";
import { isNative, quoteFor, recipient, sendAs, type TestSymbol, type Wanted } from "../quotes/intents.ts";
import { until } from "./requestHistory.ts";

/** Index of the test account that pays: none of the quotes' users. */
export const payer = 5;

/** Common actions of tests of deposit addresses. */
export type DepositAddressStage = {
  /** Quotes a deposit address on alpha; the user is the recipient, and refunds go to the payer. */
  quoteAt(wanted: Wanted): Promise<Quote>;
  /** Pays a plain transfer on a chain, by default as {@link payer} on alpha. */
  pay(address: Address, symbol: TestSymbol, amount: bigint, from?: number): Promise<Hex>;
  /** Records of all requests of an address, oldest first. */
  requestsAt(address: Address): Promise<readonly RequestRecord[]>;
  /** Waits until an address has this many ended requests, and returns these. */
  ended(address: Address, count: number): Promise<readonly RequestRecord[]>;
};

export function addressOf(quote: Quote): Address {
  return quote.steps[0]?.depositAddress as Address;
}

/** Sets the stage on an emulator. */
export function depositAddressStage(fixture: EmulatorFixture): DepositAddressStage {
  const requestsAt = async (address: Address) => {
    const headers = { "x-api-key": fixture.emulator.info.apiKeys[0]?.key ?? "" };
    const query = `depositAddress=${address}&includeChildRequests=true&sortBy=createdAt&sortDirection=asc`;
    const answer = await fixture.emulator.fetch(
      new Request(`http://localhost/requests/v3?${query}`, { headers }),
    );
    const { requests } = (await answer.json()) as { requests: RequestRecord[] };
    return requests;
  };
  return {
    ended: (address, count) =>
      until(async () => {
        const records = await requestsAt(address);
        const done = records.filter(({ status }) => ["success", "failure", "refund"].includes(status));
        return done.length >= count ? done : undefined;
      }, `${count} requests of ${address} to end`),
    pay: (address, symbol, amount, from = payer) => {
      const { alpha } = fixture;
      const call = isNative(alpha, symbol)
        ? { to: address, value: amount }
        : { data: erc20Data("transfer", address, amount), to: alpha.currency(symbol) };
      return sendAs(alpha, from, call);
    },
    quoteAt: (wanted) =>
      quoteFor(fixture, { refundTo: zeroAddress, useDepositAddress: true, user: recipient, ...wanted }),
    requestsAt,
  };
}
