import { type Command, InvalidArgumentError, Option } from "commander";
import type { Address } from "viem";
import type { TradeType } from "../../src/schema/quote/tradeType.ts";
import { readAddressFlag } from "../flags/readAddressFlag.ts";
import type { NamedCurrency } from "./findCurrency.ts";

/** Flags that ask for a quote. */
export type QuoteFlags = {
  readonly amount: string;
  readonly from: NamedCurrency;
  readonly recipient?: Address;
  readonly refundTo?: Address;
  readonly slippage?: string;
  readonly to: NamedCurrency;
  readonly tradeType: TradeType;
};

/** A copy, because the schema would load zod for `--help`. The type names every one. */
const tradeTypes = Object.keys({
  EXACT_INPUT: true,
  EXACT_OUTPUT: true,
  EXPECTED_OUTPUT: true,
} satisfies Record<TradeType, true>);

/**
 * Adds the flags that ask for a quote.
 *
 * @param isRequired Whether the parser refuses a command without `--from`, `--to` and `--amount`.
 */
export function withQuoteFlags(command: Command, isRequired: boolean): Command {
  const needed = [
    new Option("--from <chain:currency>", "what is paid: 31337:ETH, 31337:native, or 31337:0x…").argParser(
      readCurrency,
    ),
    new Option("--to <chain:currency>", "what is received").argParser(readCurrency),
    new Option(
      "--amount <amount>",
      "whole tokens, such as 0.5: of the input, or the output of EXACT_OUTPUT",
    ).argParser(readAmount),
  ];
  for (const option of needed) command.addOption(option.makeOptionMandatory(isRequired));
  return command
    .option("--recipient <address>", "account that receives (default: the user)", readAddressFlag)
    .option("--refund-to <address>", "account that gets refunds (default: the user)", readAddressFlag)
    .option("--slippage <bps>", "tolerance in basis points (default: the service's)", readBps)
    .addOption(
      new Option("--trade-type <type>", "which amount is fixed").choices(tradeTypes).default("EXACT_INPUT"),
    );
}

function readCurrency(value: string): NamedCurrency {
  const [, chainId = "", currency = ""] = /^(\d{1,15}):([\w.$₮-]{1,100})$/.exec(value) ?? [];
  if (currency === "") {
    throw new InvalidArgumentError("A currency is chain and symbol or address, as in 31337:ETH.");
  }
  return { chainId: Number(chainId), currency };
}

/** Parses a decimal amount of whole tokens. */
export function readAmount(value: string): string {
  if (/^\d{1,60}(\.\d{1,60})?$/.test(value) && /[1-9]/.test(value)) return value;
  throw new InvalidArgumentError("An amount is a decimal number above zero, such as 0.5.");
}

function readBps(value: string): string {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 10_000) return value;
  throw new InvalidArgumentError("Slippage is basis points from 0 to 10000: 50 is half a percent.");
}
