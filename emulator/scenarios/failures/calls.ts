import { encodeErrorResult, type Hex, parseAbi } from "viem";
import type { RequestScene } from "../Scenario.ts";
import { reserveContract, revertingCode, revertingWith, writingCode } from "../steps/chainActions.ts";
import { pay, quoteOf, type Wanted } from "../steps/payments.ts";

/** A fill whose call meets code that was placed after the quote. */
function calling(sentence: string, code: Hex, wanted: Wanted = {}): RequestScene {
  return {
    cause: "real",
    play: async (scenario) => {
      const { address, place } = await reserveContract(scenario, scenario.destination, code);
      const quote = await quoteOf(scenario, { txs: [{ data: "0x", to: address, value: "1000" }], ...wanted });
      await place();
      return pay(scenario, quote);
    },
    sentence,
    status: "refund",
  };
}

const unknownError = encodeErrorResult({
  abi: parseAbi(["error NotToday(uint256 day)"]),
  args: [7n],
  errorName: "NotToday",
});

/** Calls of the user that revert in the fill. */
export const callScenes = {
  CONTRACT_PAUSED: calling(
    "A call's target is paused: it reverts with OpenZeppelin's message.",
    revertingWith("Pausable: paused"),
  ),
  EXECUTION_REVERTED: calling(
    "A call's target reverts with an error of its own.",
    revertingCode(unknownError),
  ),
  MISSING_REVERT_DATA: calling("A call's target reverts without data.", revertingCode("0x")),
  QUOTED_GAS_LIMIT_EXCEEDED: calling("The calls take more gas than the quote's `txsGasLimit`.", writingCode, {
    txsGasLimit: 60_000,
  }),
  TOO_LITTLE_RECEIVED: calling(
    "A call's swap returns less than its minimum: it reverts with the pool router's message.",
    revertingWith("UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT"),
  ),
  TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE: calling(
    "A call moves more than its allowance: it reverts with OpenZeppelin's message.",
    revertingWith("ERC20: transfer amount exceeds allowance"),
  ),
  TRANSFER_AMOUNT_EXCEEDS_BALANCE: calling(
    "A call moves more than its owner's balance: it reverts with OpenZeppelin's message.",
    revertingWith("ERC20: transfer amount exceeds balance"),
  ),
  TRANSFER_FAILED: calling(
    "A call's transfer fails: it reverts with the message of the token library.",
    revertingWith("TRANSFER_FAILED"),
  ),
  TRANSFER_FROM_FAILED: calling(
    "A call's transferFrom fails: it reverts with the message of the token library.",
    revertingWith("TRANSFER_FROM_FAILED"),
  ),
} as const satisfies Readonly<Record<string, RequestScene>>;
