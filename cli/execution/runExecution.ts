import { existsSync, realpathSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { erc20Abi, formatUnits, zeroAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { TrustRoots } from "../../src/calls/verify/TrustRoots.ts";
import { verifyQuote } from "../../src/calls/verifyQuote.ts";
import { printable } from "../../src/errors/printable.ts";
import { QuoteMismatchError } from "../../src/errors/QuoteMismatchError.ts";
import type { Quote } from "../../src/schema/quote/quote.ts";
import type { NamedCurrency } from "../quotes/findCurrency.ts";
import { openNode } from "../settings/openNode.ts";
import { openService, type Service, trustOf } from "../settings/openService.ts";
import { CommandError, checkFailed, exitCodes, usageError } from "../terminal/CommandError.ts";
import { confirm, isInteractive } from "../terminal/confirm.ts";
import type { Terminal } from "../terminal/Terminal.ts";
import { type ExecutionFile, readExecutionFile } from "./ExecutionFile.ts";
import type { ExecuteOptions } from "./payFlags.ts";
import { hasBegun, payQuote, usualMaximumFee } from "./payQuote.ts";
import { describePlan, planOf } from "./planOf.ts";
import {
  assertBounds,
  confirmedBounds,
  requestQuote,
  resolveCurrency,
  type Stage,
  toPolicy,
} from "./requestQuote.ts";

/** Pays a proven and confirmed quote. */
type Pay = () => Promise<void>;

/** Proves a quote, asks for a confirmation, and pays it; or continues a saved run. */
export async function runExecution(terminal: Terminal, options: ExecuteOptions): Promise<void> {
  assertFlags(options);
  if (options.resume !== undefined && !existsSync(options.resume)) {
    throw usageError(`There is no file ${options.resume}.`);
  }
  const service = await openService(options);
  const trust = await trustOf(service);
  const opened = { service, trust };
  if (options.resume === undefined) {
    const pay = await orStop(prepare(terminal, options, opened), terminal.signal);
    await pay?.();
    return;
  }
  // A save would replace a link, and leave its target behind.
  const resume = realpathSync(options.resume);
  const saved = readExecutionFile(resume);
  const prepared = prepareAgain(terminal, { ...options, resume }, { ...opened, saved });
  const pay = await orStop(prepared, terminal.signal);
  await pay?.();
}

/** Ends preparations at a stop, whatever they wait for. A payment is never ended so. */
async function orStop<Result>(preparation: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  return Promise.race([preparation, stopped]);
}

function assertFlags(options: ExecuteOptions): void {
  const { amount, anyPrice, dryRun, file, from, resume, to, tradeType = "EXACT_INPUT", user, yes } = options;
  const canConfirm = dryRun === true || (yes !== true && isInteractive());
  if (resume !== undefined) {
    const given = { amount, anyPrice, file, from, "min-output": options.minOutput, to, user };
    const [extra] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
    if (extra !== undefined) throw usageError(`--resume excludes --${extra}: the file has the quote.`);
  } else {
    const missing = Object.entries({ amount, from, to }).find(([, value]) => value === undefined);
    if (missing !== undefined) {
      throw usageError(`--${missing[0]} is missing: name --from, --to and --amount, or --resume <file>.`);
    }
    assertBounds(options, tradeType, canConfirm);
  }
  if (yes === true || canConfirm) return;
  throw usageError("There is no terminal to confirm the payment on: pass --yes to pay without asking.");
}

type Opened = { readonly service: Service; readonly trust: TrustRoots };

async function prepare(
  terminal: Terminal,
  options: ExecuteOptions,
  { service, trust }: Opened,
): Promise<Pay | undefined> {
  const { from: paid, to: received, tradeType = "EXACT_INPUT" } = options;
  if (paid === undefined || received === undefined) return undefined;
  const stage = await openStage(terminal, options, { from: paid, service, to: received, trust });
  const asked = await requestQuote(stage);
  const proven = await prove(stage, asked);
  await show(stage, asked, proven);
  if (options.dryRun === true) return undefined;
  await assertBalance(stage, proven);
  const isBounded = asked.bounds.bounds !== "none" || options.anyPrice === true || options.yes === true;
  const bounds = isBounded ? asked.bounds : confirmedBounds(asked.quote, tradeType);
  await askToPay(stage, proven);
  return () => payQuote(stage, { ...asked, bounds });
}

async function prepareAgain(
  terminal: Terminal,
  options: ExecuteOptions & { readonly resume: string },
  { saved, service, trust }: Opened & { readonly saved: ExecutionFile },
): Promise<Pay | undefined> {
  if (service.url !== saved.url) {
    throw usageError(`${options.resume} is of the service ${saved.url}, not of ${service.url}.`);
  }
  const { destinationChainId, destinationCurrency, originChainId, originCurrency } = saved.request;
  const route = {
    from: { chainId: originChainId, currency: originCurrency },
    to: { chainId: destinationChainId, currency: destinationCurrency },
  };
  const ofAccount = { ...options, user: saved.account };
  const stage = await openStage(terminal, ofAccount, { ...route, service, trust });
  if (!hasBegun(saved)) {
    const proven = await prove(stage, saved);
    await show(stage, saved, proven);
    if (options.dryRun === true) return undefined;
    await assertBalance(stage, proven);
    await askToPay(stage, proven);
  } else {
    terminal.note(`Continues request ${saved.state?.requestId}.`);
    if (options.dryRun === true) return undefined;
    await askToPay(stage, saved.quote);
  }
  return () => payQuote(stage, saved, options.resume);
}

async function openStage(
  terminal: Terminal,
  options: ExecuteOptions,
  { from, service, to, trust }: Opened & Readonly<Record<"from" | "to", NamedCurrency>>,
): Promise<Stage> {
  const payer = signerOf(service, options);
  const origin = await openNode(service, from.chainId, options.rpcUrl);
  const isOneChain = from.chainId === to.chainId;
  const destination = isOneChain ? origin : await openNode(service, to.chainId, options.rpcUrl);
  return {
    ...payer,
    destination,
    from: await resolveCurrency(service, origin, from),
    options,
    origin,
    service,
    terminal,
    to: await resolveCurrency(service, destination, to),
    trust,
  };
}

/** A dry run needs no key if `--user` names the account. */
function signerOf(service: Service, { dryRun, user }: ExecuteOptions): Pick<Stage, "account" | "signer"> {
  if (dryRun === true && user !== undefined) return { account: user, signer: undefined };
  const signer = privateKeyToAccount(service.privateKey(user));
  if (user === undefined || user.toLowerCase() === signer.address.toLowerCase()) {
    return { account: signer.address, signer };
  }
  throw usageError(`The private key is of ${signer.address}, not of ${user}.`);
}

type Asked = Pick<ExecutionFile, "bounds" | "quote" | "request">;

async function prove(
  { destination, origin, terminal, to, trust }: Stage,
  { bounds, quote, request }: Asked,
): Promise<Quote> {
  terminal.signal.throwIfAborted();
  const readers = { destinationReader: destination, reader: origin };
  try {
    return await verifyQuote({ ...toPolicy(bounds), ...readers, quote, request, trust });
  } catch (error) {
    throw aboutSlippage(error, { least: bounds.minimumOutput, quote, to }) ?? error;
  }
}

/** Explains a bound between the expected output and the least one: users take the first for the second. */
function aboutSlippage(
  error: unknown,
  { least, quote, to }: Pick<Asked, "quote"> & { least: string | undefined; to: Stage["to"] },
): CommandError | undefined {
  const { amount, minimumAmount = amount } = quote.details.currencyOut;
  const isSlippage =
    least !== undefined && BigInt(amount) >= BigInt(least) && BigInt(minimumAmount) < BigInt(least);
  if (!isSlippage || !(error instanceof QuoteMismatchError)) return undefined;
  // Another mismatch matters more than a bound.
  if (error.mismatches.some(({ path }) => !path.endsWith(".minimumAmount"))) return undefined;
  const text = (units: string) => `${formatUnits(BigInt(units), to.decimals)} ${to.symbol}`;
  const sentence = `The quote expects ${text(amount)}, and guarantees ${text(minimumAmount)} after slippage, below --min-output ${text(least)}: lower it, or name a smaller --slippage.`;
  return new CommandError(sentence, { cause: error, code: error.code, exitCode: exitCodes.refused });
}

async function show(stage: Stage, { bounds, request }: Asked, quote: Quote): Promise<void> {
  const { account, from, origin: node, terminal, to, trust } = stage;
  const recipient = request.recipient ?? account;
  const refundTo = request.refundTo ?? account;
  const { maxFee = usualMaximumFee } = stage.options;
  const plan = await planOf({ account, bounds, from, maxFee, node, quote, recipient, refundTo, to, trust });
  const text = describePlan(plan, from, terminal.style);
  const isDry = stage.options.dryRun === true;
  terminal.line({ type: "plan", ...plan }, isDry ? `${text}\nDry run: nothing is signed or paid.` : text);
}

/** Refuses a payment that the account cannot make, before a signature. */
async function assertBalance({ account, from, origin }: Stage, { details }: Quote): Promise<void> {
  const token = { abi: erc20Abi, address: from.address } as const;
  const balance =
    from.address === zeroAddress
      ? await origin.getBalance({ address: account })
      : await origin.readContract({ ...token, args: [account], functionName: "balanceOf" });
  const needed = BigInt(details.currencyIn.amount);
  if (balance >= needed) return;
  const text = (units: bigint) => `${formatUnits(units, from.decimals)} ${from.symbol}`;
  throw checkFailed(
    `${account} has ${text(balance)} on ${from.chainId}, and the quote costs ${text(needed)}.`,
    "INSUFFICIENT_BALANCE",
  );
}

async function askToPay({ from, options, terminal }: Stage, { details }: Quote): Promise<void> {
  if (options.yes !== true) {
    const paid = `${formatUnits(BigInt(details.currencyIn.amount), from.decimals)} ${from.symbol}`;
    const { signal } = terminal;
    const undone = "nothing was signed or paid";
    const isConfirmed = await confirm({
      question: `Pay ${paid} on ${from.chainId} for ${printable(details.recipient, 100)}?`,
      signal,
      undone,
    });
    if (!isConfirmed) throw usageError(`Not confirmed: ${undone}.`);
  }
  // A closed pipe is reported a moment after a write. Nothing is signed for a reader that is gone.
  await setImmediate();
  terminal.signal.throwIfAborted();
}
