import { type Address, erc20Abi, getAddress, type LocalAccount, type PublicClient, zeroAddress } from "viem";
import type { TrustRoots } from "../../src/calls/verify/TrustRoots.ts";
import { getQuote } from "../../src/client/getQuote.ts";
import { decimalToUnits } from "../../src/internal/amounts.ts";
import { type Quote, quoteSchema } from "../../src/schema/quote/quote.ts";
import type { TradeType } from "../../src/schema/quote/tradeType.ts";
import type { NamedCurrency } from "../quotes/findCurrency.ts";
import type { Service } from "../settings/openService.ts";
import { readJsonFile } from "../settings/readFiles.ts";
import { usageError } from "../terminal/CommandError.ts";
import type { Terminal } from "../terminal/Terminal.ts";
import type { ExecutionFile, SavedBounds } from "./ExecutionFile.ts";
import type { ExecuteOptions } from "./payFlags.ts";

/** What a run needs besides the quote. */
export type Stage = {
  readonly account: Address;
  readonly destination: PublicClient;
  readonly from: Currency;
  readonly options: ExecuteOptions;
  readonly origin: PublicClient;
  readonly service: Service;
  /** Absent in a dry run by `--user` alone. */
  readonly signer: LocalAccount | undefined;
  readonly terminal: Terminal;
  readonly to: Currency;
  readonly trust: TrustRoots;
};

/** A currency with facts of the chain alone: a service could name another token or other decimals. */
export type Currency = {
  readonly address: Address;
  readonly chainId: number;
  readonly decimals: number;
  readonly symbol: string;
};

/** A token's author chooses its symbol: other text could hide or imitate parts of the plan and of the question. */
const isPlain = /^[\w.$₮-]{1,20}$/;

/** Decimals of the native currency of every EVM chain. */
const nativeDecimals = 18;

/**
 * Resolves a currency for a payment. Reads decimals and symbol on the chain. Takes symbols from an emulator's file only, and
 * `native` on every chain.
 *
 * @throws CommandError for another symbol, and for an address without a token.
 */
export async function resolveCurrency(
  service: Pick<Service, "emulator">,
  node: PublicClient,
  { chainId, currency }: NamedCurrency,
): Promise<Currency> {
  const address = addressOf(service, { chainId, currency });
  if (address === zeroAddress) {
    const listed = service.emulator?.chains.find(({ id }) => id === chainId)?.currencies ?? [];
    const symbol = listed.find((each) => each.address === zeroAddress)?.symbol ?? "native";
    return { address, chainId, decimals: nativeDecimals, symbol };
  }
  const token = { abi: erc20Abi, address } as const;
  try {
    const decimals = await node.readContract({ ...token, functionName: "decimals" });
    const symbol = await node.readContract({ ...token, functionName: "symbol" }).catch(() => "");
    return { address, chainId, decimals, symbol: isPlain.test(symbol) ? symbol : address };
  } catch (cause) {
    throw usageError(`Chain ${chainId} has no readable token at ${address}.`, cause);
  }
}

function addressOf({ emulator }: Pick<Service, "emulator">, { chainId, currency }: NamedCurrency): Address {
  if (/^0x[0-9a-fA-F]{40}$/.test(currency)) return getAddress(currency.toLowerCase());
  if (currency.toLowerCase() === "native") return zeroAddress;
  const listed = emulator?.chains.find(({ id }) => id === chainId)?.currencies ?? [];
  const [found, ...others] = listed.filter(({ symbol }) => symbol.toLowerCase() === currency.toLowerCase());
  if (found !== undefined && others.length === 0) return getAddress(found.address);
  throw usageError(
    `${chainId}:${currency} is not certain: the service could name any token so. Name its address, as in ${chainId}:0x…, or native.`,
  );
}

type BoundFlags = Pick<ExecuteOptions, "anyPrice" | "maxInput" | "minOutput">;

/**
 * Refuses bounds that do not bound the open side. A person may confirm the shown price instead.
 *
 * @throws CommandError
 */
export function assertBounds(flags: BoundFlags, tradeType: TradeType, canConfirm: boolean): void {
  const { anyPrice, maxInput, minOutput } = flags;
  const [flag, bound] = tradeType === "EXACT_INPUT" ? ["--min-output", minOutput] : ["--max-input", maxInput];
  if (anyPrice === true || bound !== undefined || canConfirm) return;
  throw usageError(`Nothing bounds the price: name ${flag} <amount>, or --any-price.`);
}

/** Converts the flags to smallest units; no bound at all is `none`, until a person confirms the shown price. */
function boundsOf({ maxInput, minOutput }: BoundFlags, from: Currency, to: Currency): SavedBounds {
  if (maxInput === undefined && minOutput === undefined) return { bounds: "none" };
  return {
    ...(maxInput !== undefined && { maximumInput: decimalToUnits(maxInput, from.decimals).toString() }),
    ...(minOutput !== undefined && { minimumOutput: decimalToUnits(minOutput, to.decimals).toString() }),
  };
}

/** The bounds that a person confirms by confirming the quote. */
export function confirmedBounds(
  { details: { currencyIn, currencyOut } }: Quote,
  tradeType: TradeType,
): SavedBounds {
  return {
    maximumInput: currencyIn.amount,
    ...(tradeType === "EXACT_INPUT" && { minimumOutput: currencyOut.minimumAmount ?? currencyOut.amount }),
  };
}

/** Bounds in the form of the proof. */
export function toPolicy({ bounds, maximumInput, minimumOutput }: SavedBounds): {
  readonly bounds?: "none";
  readonly maximumInput?: bigint;
  readonly minimumOutput?: bigint;
} {
  return {
    ...(bounds !== undefined && { bounds }),
    ...(maximumInput !== undefined && { maximumInput: BigInt(maximumInput) }),
    ...(minimumOutput !== undefined && { minimumOutput: BigInt(minimumOutput) }),
  };
}

/**
 * Asks for the quote of the flags, or reads a saved one, which is proven against the same flags: a quote alone does not tell
 * what was asked for.
 *
 * @throws CommandError for a file without a quote; errors of `getQuote`.
 */
export async function requestQuote({
  account,
  from,
  options,
  service,
  terminal,
  to,
}: Stage): Promise<Pick<ExecutionFile, "bounds" | "quote" | "request">> {
  const { amount = "", file, recipient, refundTo, slippage, tradeType } = options;
  const fixed = tradeType === "EXACT_INPUT" ? from : to;
  const request = {
    amount: decimalToUnits(amount, fixed.decimals).toString(),
    destinationChainId: to.chainId,
    destinationCurrency: to.address,
    originChainId: from.chainId,
    originCurrency: from.address,
    tradeType,
    user: account,
    ...(recipient !== undefined && { recipient }),
    // Without it the service refunds nothing.
    refundTo: refundTo ?? account,
    ...(slippage !== undefined && { slippageTolerance: slippage }),
  };
  const bounds = boundsOf(options, from, to);
  if (file === undefined) {
    return {
      bounds,
      quote: await getQuote(service.client, { ...request, signal: terminal.signal }),
      request,
    };
  }
  const parsed = quoteSchema.safeParse(await readJsonFile(file));
  if (parsed.success) return { bounds, quote: parsed.data, request };
  const field = parsed.error.issues[0]?.path.join(".") ?? "";
  throw usageError(`${file} is no quote: \`${field}\` is invalid. Save one by waybill quote … --json.`);
}
