import { expect } from "chai";
import { type Address, encodeAbiParameters, encodeEventTopics, parseAbi, zeroAddress } from "viem";
import type { Chain } from "../../../../../emulator/chains/Chain.ts";
import {
  deliveredByFill,
  deliveredByRefund,
} from "../../../../../emulator/solver/receipts/measureDelivered.ts";
import type { MinedLog } from "../../../../../emulator/solver/receipts/readReceipt.ts";
import { intent } from "../../support/requests.ts";

const [usdc, weth, pair, router]: readonly Address[] = [1, 2, 3, 4].map(
  (digit): Address => `0x${String(digit).repeat(40)}`,
);
const swapAbi = parseAbi([
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
]);
const places = {
  swap: { pairs: [{ address: pair, tokens: [usdc, weth] }], wrappedNative: weth },
} as unknown as Pick<Chain, "contracts" | "swap">;

/** A swap of USDC for wrapped native currency. */
function swap(amountIn: bigint, amountOut: bigint): MinedLog {
  const topics = encodeEventTopics({
    abi: swapAbi,
    args: { sender: router, to: router },
    eventName: "Swap",
  }) as MinedLog["topics"];
  const amounts = [amountIn, 0n, 0n, amountOut] as const;
  const types = amounts.map(() => ({ type: "uint256" }));
  return { address: pair as Address, data: encodeAbiParameters(types, amounts), topics };
}

describe("measureDelivered", () => {
  it("a recipient who swaps the quoted amount after the fill: the fill's own swap is measured", () => {
    const swapped = {
      ...intent,
      fill: { ...intent.fill, currency: usdc as Address, path: [usdc as Address, weth as Address] },
      tradeType: "EXACT_INPUT" as const,
    };
    const logs = [swap(99n, 98n), swap(100n, 99n)];
    expect(deliveredByFill(swapped, 100n, places, logs)).to.equal(98n);
  });

  it("a payee who swaps the paid amount after the refund: the refund's own swap is measured", () => {
    const paid = { ...intent, origin: { ...intent.origin, currency: zeroAddress } };
    const refund = { currency: usdc as Address, isTransfer: false, value: 0n };
    const logs = [swap(99n, 97n), swap(102n, 100n)];
    expect(deliveredByRefund(paid, refund, places, logs)).to.equal(97n);
  });
});
