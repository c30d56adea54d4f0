import { type Address, zeroAddress } from "viem";
import type { QuoteRequest } from "../../../src/schema/quote/quoteRequest.ts";
import { QuoteError } from "../../errors/QuoteError.ts";
import { basisPoints } from "../../money/prices.ts";
import { parseAddress } from "./parseAddress.ts";

/** An integrator's share of an intent. */
export type AppFeeShare = { readonly recipient: Address; readonly bps: bigint };

/** Reads the app fees of a quote request. The schema bounds their number. */
export function appFeesOf({ appFees = [] }: Pick<QuoteRequest, "appFees">): readonly AppFeeShare[] {
  const shares = appFees.map(({ fee, recipient }) => ({
    bps: BigInt(fee),
    recipient: recipientOf(recipient),
  }));
  const sum = shares.reduce((total, { bps }) => total + bps, 0n);
  if (sum > basisPoints) {
    throw new QuoteError("AMOUNT_TOO_LOW", `App fees take ${sum} basis points, more than all of the input`);
  }
  return shares;
}

function recipientOf(value: string): Address {
  const recipient = parseAddress(value, "INVALID_ADDRESS", "appFees.recipient");
  if (recipient === zeroAddress) {
    throw new QuoteError("INVALID_ADDRESS", "`appFees.recipient` is the zero address");
  }
  return recipient;
}
