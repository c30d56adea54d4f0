import { Command } from "commander";
import type { Address } from "viem";
import { printable } from "../../src/errors/printable.ts";
import { table } from "../../src/internal/table.ts";
import type { Quote } from "../../src/schema/quote/quote.ts";
import { readAddressFlag } from "../flags/readAddressFlag.ts";
import { openService, type Service, type ServiceOptions, withService } from "../settings/openService.ts";
import { CommandError, usageError } from "../terminal/CommandError.ts";
import { withWork } from "../terminal/runCommand.ts";
import type { Terminal } from "../terminal/Terminal.ts";
import { type QuoteFlags, withQuoteFlags } from "./quoteFlags.ts";

type Options = QuoteFlags & ServiceOptions & { readonly user?: Address };

/** `waybill quote`: asks for a quote and shows what it would do. Signs and pays nothing. */
export function quoteCommand(): Command {
  const command = new Command("quote").description("ask for a quote, without paying it");
  withQuoteFlags(command, true)
    .option("--user <address>", "account that pays (default: that of the private key)", readAddressFlag)
    .addHelpText(
      "after",
      `
Examples:
  waybill quote --from 31337:ETH --to 31338:USDC --amount 0.5 --emulator emulator.json
  waybill quote --from 31337:USDC --to 31338:ETH --amount 1 --trade-type EXACT_OUTPUT --user 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 --json
  waybill quote … --json | waybill attest --file - --emulator emulator.json`,
    );
  return withWork<Options, []>(withService(command), run);
}

async function run(terminal: Terminal, options: Options): Promise<void> {
  const service = await openService(options);
  const { client } = service;
  const user = options.user ?? (await accountOf(service));
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
    user,
  });
  terminal.result(quote, describe(quote, unitsToDecimal, terminal));
}

/** The account that `waybill execute` would pay from. */
async function accountOf(service: Service): Promise<Address> {
  const { privateKeyToAccount } = await import("viem/accounts");
  try {
    return privateKeyToAccount(service.privateKey()).address;
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== "KEY_MISSING") throw error;
    throw usageError("--user is missing: name the account that pays, or --emulator <file of --out>.", error);
  }
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
  const listed = steps.map(({ id, items, kind }, i) =>
    printable(`  ${i + 1}. ${id} (${kind}, ${items?.length ?? 0})`),
  );
  return [table(shown), style("bold", "Steps"), ...listed, "Nothing is signed or paid."].join("\n");
}
