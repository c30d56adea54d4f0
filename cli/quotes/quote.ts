import { Command, type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import type { Address } from "viem";
import { printable } from "../../src/errors/printable.ts";
import type { Quote } from "../../src/schema/quote/quote.ts";
import type { TradeType } from "../../src/schema/quote/tradeType.ts";
import { parserOf, readAddressFlag, readAmount } from "../flags/readFlags.ts";
import { type Service, withService } from "../settings/openService.ts";
import { CommandError, usageError } from "../terminal/CommandError.ts";
import { withFlags } from "../terminal/runCommand.ts";
import { table } from "../terminal/table.ts";
import type { NamedCurrency } from "./findCurrency.ts";

/** A copy, because the schema would load zod for `--help`. The type names every one. */
const tradeTypes = Object.keys({
  EXACT_INPUT: true,
  EXACT_OUTPUT: true,
  EXPECTED_OUTPUT: true,
} satisfies Record<TradeType, true>) as TradeType[];

const readCurrency = parserOf(
  /^(\d{1,15}):([\w.$₮-]{1,100})$/,
  "A currency is chain and symbol or address, as in 31337:ETH.",
  ([, chainId, currency = ""]): NamedCurrency => ({ chainId: Number(chainId), currency }),
);

const readBps = parserOf(
  /^\d{1,5}$/,
  "Slippage is basis points from 0 to 10000: 50 is half a percent.",
  ([text]) => (Number(text) > 10_000 ? undefined : text),
);

const fromOption = () =>
  new Option("--from <chain:currency>", "what is paid: 31337:ETH, 31337:native, or 31337:0x…").argParser(
    readCurrency,
  );
const toOption = () => new Option("--to <chain:currency>", "what is received").argParser(readCurrency);
const amountOption = () =>
  new Option(
    "--amount <amount>",
    "whole tokens, such as 0.5: of the input, or the output of EXACT_OUTPUT",
  ).argParser(readAmount);

/** Adds what `waybill execute` may leave out. */
export const optionalRouteFlags = (command: Command) =>
  command.addOption(fromOption()).addOption(toOption()).addOption(amountOption());

const routeFlags = (command: Command) =>
  command
    .addOption(fromOption().makeOptionMandatory())
    .addOption(toOption().makeOptionMandatory())
    .addOption(amountOption().makeOptionMandatory());

/** Adds the other flags that ask for a quote. */
export const termFlags = (command: Command) =>
  command
    .option("--recipient <address>", "account that receives (default: the user)", readAddressFlag)
    .option("--refund-to <address>", "account that gets refunds (default: the user)", readAddressFlag)
    .option("--slippage <bps>", "tolerance in basis points (default: the service's)", readBps)
    .addOption(
      new Option("--trade-type <type>", "which amount is fixed").choices(tradeTypes).default("EXACT_INPUT"),
    );

/** `waybill quote`: asks for a quote and shows what it would do. Signs and pays nothing. */
export function quoteCommand(): CommandUnknownOpts {
  const ask = new Command("quote").description("ask for a quote, without paying it");
  const command = withFlags(withFlags(ask, routeFlags), termFlags)
    .option("--user <address>", "account that pays (default: that of the private key)", readAddressFlag)
    .addHelpText(
      "after",
      `
Examples:
  waybill quote --from 31337:ETH --to 31338:USDC --amount 0.5 --emulator emulator.json
  waybill quote --from 31337:USDC --to 31338:ETH --amount 1 --trade-type EXACT_OUTPUT --user 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 --json
  waybill quote … --json | waybill attest --file - --emulator emulator.json`,
    );
  return withService(command, async ({ result, service, signal }, options) => {
    const { client } = service;
    const { recipient, refundTo, slippage, tradeType } = options;
    const user = options.user ?? (await accountOf(service));
    const { findCurrency } = await import("./findCurrency.ts");
    const { getQuote } = await import("../../src/client/getQuote.ts");
    const { decimalToUnits, unitsToDecimal } = await import("../../src/internal/amounts.ts");
    const from = await findCurrency(client, options.from, signal);
    const to = await findCurrency(client, options.to, signal);
    const fixed = tradeType === "EXACT_INPUT" ? from : to;
    const quote = await getQuote(client, {
      amount: decimalToUnits(options.amount, fixed.decimals),
      destinationChainId: to.chainId,
      destinationCurrency: to.address,
      originChainId: from.chainId,
      originCurrency: from.address,
      recipient,
      // Without it the service refunds nothing.
      refundTo: refundTo ?? user,
      signal,
      slippageTolerance: slippage,
      tradeType,
      user,
    });
    result(quote, describe(quote, unitsToDecimal));
  });
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
  return [table(shown), "Steps", ...listed, "Nothing is signed or paid."].join("\n");
}
