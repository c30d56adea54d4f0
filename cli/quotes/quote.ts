import { Command, InvalidArgumentError, Option } from "commander";
import type { Address } from "viem";
import type { Quote } from "../../src/schema/quote/quote.ts";
import type { TradeType } from "../../src/schema/quote/tradeType.ts";
import { readAddressFlag } from "../flags/readAddressFlag.ts";
import { openService, type ServiceOptions, withService } from "../settings/openService.ts";
import { withWork } from "../terminal/runCommand.ts";
import type { Terminal } from "../terminal/Terminal.ts";
import { table } from "../terminal/table.ts";
import type { NamedCurrency } from "./findCurrency.ts";

type Options = ServiceOptions & {
  readonly amount: string;
  readonly from: NamedCurrency;
  readonly recipient?: Address;
  readonly refundTo?: Address;
  readonly slippage?: string;
  readonly to: NamedCurrency;
  readonly tradeType: TradeType;
  readonly user: Address;
};

/** A copy, because the schema would load zod for `--help`. The type names every one. */
const tradeTypes = Object.keys({
  EXACT_INPUT: true,
  EXACT_OUTPUT: true,
  EXPECTED_OUTPUT: true,
} satisfies Record<TradeType, true>);

/** `waybill quote`: asks for a quote and shows what it would do. Signs and pays nothing. */
export function quoteCommand(): Command {
  const command = new Command("quote")
    .description("ask for a quote, without paying it")
    .requiredOption(
      "--from <chain:currency>",
      "what is paid: 31337:ETH, or 31337:0x… by its address",
      readCurrency,
    )
    .requiredOption("--to <chain:currency>", "what is received", readCurrency)
    .requiredOption(
      "--amount <amount>",
      "whole tokens, such as 0.5: of the input, or the output of EXACT_OUTPUT",
      readAmount,
    )
    .requiredOption("--user <address>", "account that pays", readAddressFlag)
    .option("--recipient <address>", "account that receives (default: the user)", readAddressFlag)
    .option("--refund-to <address>", "account that gets refunds (default: the user)", readAddressFlag)
    .option("--slippage <bps>", "tolerance in basis points (default: the service's)", readBps)
    .addOption(
      new Option("--trade-type <type>", "which amount is fixed").choices(tradeTypes).default("EXACT_INPUT"),
    )
    .addHelpText(
      "after",
      `
Examples:
  waybill quote --from 31337:ETH --to 31338:USDC --amount 0.5 --user 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
  waybill quote --from 31337:USDC --to 31338:ETH --amount 1 --trade-type EXACT_OUTPUT --user 0xf39F… --json
  waybill quote … --json | waybill attest --file - --emulator emulator.json`,
    );
  return withWork<Options, []>(withService(command), run);
}

async function run(terminal: Terminal, options: Options): Promise<void> {
  const { client } = await openService(options);
  const { findCurrency } = await import("./findCurrency.ts");
  const { getQuote } = await import("../../src/client/getQuote.ts");
  const { decimalToUnits, unitsToDecimal } = await import("../../src/internal/amounts.ts");
  const { signal } = terminal;
  const from = await findCurrency(client, options.from, signal);
  const to = await findCurrency(client, options.to, signal);
  const fixed = options.tradeType === "EXACT_INPUT" ? from : to;
  const quote = await getQuote(client, {
    amount: decimalToUnits(options.amount, fixed.decimals),
    destinationChainId: to.chainId,
    destinationCurrency: to.address,
    originChainId: from.chainId,
    originCurrency: from.address,
    recipient: options.recipient,
    refundTo: options.refundTo,
    signal,
    slippageTolerance: options.slippage,
    tradeType: options.tradeType,
    user: options.user,
  });
  terminal.result(quote, describe(quote, unitsToDecimal, terminal));
}

function describe(
  { details, fees, protocol, steps }: Quote,
  unitsToDecimal: (units: bigint, decimals: number) => string,
  { style }: Terminal,
): string {
  const amount = (each: Quote["details"]["currencyIn"] | null | undefined) =>
    each === null || each === undefined
      ? ""
      : `${each.amountFormatted ?? each.amount} ${each.currency.symbol} on ${each.currency.chainId}`;
  const { currency, minimumAmount } = details.currencyOut;
  const minimum = minimumAmount === undefined ? "" : unitsToDecimal(BigInt(minimumAmount), currency.decimals);
  const rows: readonly (readonly [string, string])[] = [
    ["pays", `${amount(details.currencyIn)}  ${details.currencyIn.currency.address}`],
    ["gets", `${amount(details.currencyOut)}  ${details.currencyOut.currency.address}`],
    ["minimum", minimum === "" ? "" : `${minimum} ${currency.symbol}`],
    ["from", details.sender],
    ["to", details.recipient],
    ...Object.entries(fees ?? {}).map(
      ([name, fee]) => [`fee ${name}`, fee?.amountUsd === undefined ? "" : `$${fee.amountUsd}`] as const,
    ),
    ["rate", details.rate ?? ""],
    ["time", details.timeEstimate === undefined ? "" : `about ${details.timeEstimate} s`],
    ["order", protocol?.v2?.orderId ?? ""],
    ["request", steps.map(({ requestId }) => requestId).find((id) => id !== undefined) ?? ""],
  ];
  const shown = rows.filter(([, text]) => text !== "");
  const listed = steps.map(({ id, items, kind }, i) => `  ${i + 1}. ${id} (${kind}, ${items?.length ?? 0})`);
  return [table(shown), style("bold", "Steps"), ...listed, "Nothing is signed or paid."].join("\n");
}

function readCurrency(value: string): NamedCurrency {
  const [, chainId = "", currency = ""] = /^(\d{1,15}):([\w.$₮-]{1,100})$/.exec(value) ?? [];
  if (currency === "") {
    throw new InvalidArgumentError("A currency is chain and symbol or address, as in 31337:ETH.");
  }
  return { chainId: Number(chainId), currency };
}

function readAmount(value: string): string {
  if (/^\d{1,60}(\.\d{1,60})?$/.test(value) && /[1-9]/.test(value)) return value;
  throw new InvalidArgumentError("An amount is a decimal number above zero, such as 0.5.");
}

function readBps(value: string): string {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 10_000) return value;
  throw new InvalidArgumentError("Slippage is basis points from 0 to 10000: 50 is half a percent.");
}
