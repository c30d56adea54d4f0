import {
  type Address,
  decodeEventLog,
  type Hex,
  isAddressEqual,
  parseAbi,
  toEventSelector,
  zeroAddress,
} from "viem";
import type { Chain } from "../chains/Chain.ts";
import type { Intent } from "../store/Intent.ts";
import { planDelivery } from "./planDelivery.ts";
import type { Topics } from "./readLogs.ts";

/** An event of a mined transaction. */
export type MinedLog = { readonly address: Address; readonly data: Hex; readonly topics: readonly Hex[] };

const swapAbi = parseAbi([
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
]);
const swapTopic = toEventSelector(swapAbi[0]);

/** What a fill of a deposit brought, in smallest units of the destination's currency. */
export function deliveredByFill(
  intent: Intent,
  deposited: bigint,
  chain: Pick<Chain, "swap">,
  logs: readonly MinedLog[],
): bigint {
  const delivery = planDelivery(intent, deposited);
  if (!("inventory" in delivery)) return intent.destination.amount;
  if ("exactly" in delivery.output) return delivery.output.exactly;
  const { currency } = intent.fill;
  return bought(chain, [currency, intent.destination.currency], logs) ?? delivery.inventory;
}

/** What a user's own transaction brought. */
export function deliveredByOwn(
  intent: Intent,
  chain: Pick<Chain, "swap">,
  logs: readonly MinedLog[],
): bigint {
  const { destination, origin, tradeType } = intent;
  if (tradeType === "EXACT_OUTPUT") return destination.amount;
  return bought(chain, [origin.currency, destination.currency], logs) ?? destination.amount;
}

/**
 * What a refund brought that went back the way the user's transaction had come: through a pool, or by wrapping the native
 * currency that went along with it. `undefined` where the deposit itself was transferred.
 */
export function deliveredByRefund(
  intent: Intent,
  refund: { readonly currency: Address; readonly value: bigint; readonly isTransfer: boolean },
  chain: Pick<Chain, "swap">,
  logs: readonly MinedLog[],
): bigint | undefined {
  if (refund.isTransfer) return undefined;
  return bought(chain, [refund.currency, intent.origin.currency], logs) ?? refund.value;
}

/**
 * What came out of the pool that exchanges two currencies, the first time it was used: calls of the user's own follow. The
 * pool is the one that knows, also where it pays out in native currency, which leaves no event.
 */
function bought(
  { swap }: Pick<Chain, "swap">,
  currencies: readonly Address[],
  logs: readonly MinedLog[],
): bigint | undefined {
  const tokens = currencies.map((each) => (isAddressEqual(each, zeroAddress) ? swap.wrappedNative : each));
  const pair = swap.pairs.find((each) =>
    tokens.every((token) => each.tokens.some((other) => isAddressEqual(token, other))),
  );
  const [first, second] = tokens;
  if (pair === undefined || first === undefined || second === undefined || isAddressEqual(first, second)) {
    return undefined;
  }
  const log = logs.find(
    ({ address, topics }) => topics[0] === swapTopic && isAddressEqual(address, pair.address),
  );
  if (log === undefined) return undefined;
  const { args } = decodeEventLog({ abi: swapAbi, data: log.data, topics: log.topics as Topics });
  return isAddressEqual(second, pair.tokens[0]) ? args.amount0Out : args.amount1Out;
}
