import { type Hex, keccak256 } from "viem";
import { recipient } from "./fakeChains.ts";
import { accounts } from "./liveChain.ts";
import { orderId } from "./requests.ts";

/** A fill of the default request, signed by the solver on chain 31338 with a nonce. */
export async function signedFill(nonce: number): Promise<{ readonly hash: Hex; readonly raw: Hex }> {
  const raw = await accounts.solver.account.signTransaction({
    chainId: 31338,
    data: orderId,
    gas: 50_000n,
    maxFeePerGas: 3n * 10n ** 9n,
    maxPriorityFeePerGas: 10n ** 9n,
    nonce,
    to: recipient,
    type: "eip1559",
    value: 99n,
  });
  return { hash: keccak256(raw), raw };
}
