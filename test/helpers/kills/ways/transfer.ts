import type { Address } from "viem";
import type { Quote } from "../../../../src/client/index.ts";
import { setCode } from "../../localChain.ts";
import { reverting } from "../../requests/failureStage.ts";
import { ether } from "../drawIntent.ts";
import type { Paid, User } from "../Payment.ts";
import type { PaymentKind } from "../paymentPlans.ts";
import { send, transactionsOf } from "./send.ts";

/** Pays a deposit address by a plain transfer, which the solver sweeps. */
export async function payByTransfer(
  kind: PaymentKind,
  { steps }: Quote,
  { index, intent, origin }: User,
): Promise<Paid> {
  const [transfer] = transactionsOf(steps);
  const address = steps[0]?.depositAddress as Address | undefined;
  if (transfer === undefined || address === undefined) throw new Error("the quote has no deposit address");
  const { refundTo, recoveryAddress } = intent;
  const isRecovered = recoveryAddress !== undefined;
  if (isRecovered) await setCode(origin, refundTo as Address, reverting);
  const isLess = isRecovered || kind === "by plain transfer, too little";
  const isMore = kind === "by plain transfer, too much" || kind === "by plain transfer, another amount";
  const value = transfer.value - (isLess ? 1n : 0n) + (isMore ? ether : 0n);
  await send({ ...transfer, ...(isLess || isMore ? { value } : {}), chain: origin, from: index });
  return {
    ...{ depositAddress: address, hashes: [], passes: [address] },
    // The excess is swept as a deposit of its own.
    relays: kind === "by plain transfer, too much" ? 2 : 1,
    ...(isRecovered && { refundTo: recoveryAddress }),
  };
}
