import { realpathSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { erc20Abi, formatUnits, zeroAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { TrustRoots } from "../../src/calls/verify/TrustRoots.ts";
import { verifyQuote } from "../../src/calls/verifyQuote.ts";
import { printable } from "../../src/errors/printable.ts";
import type { Quote } from "../../src/schema/quote/quote.ts";
import type { NamedCurrency } from "../quotes/findCurrency.ts";
import { openNode } from "../settings/openNode.ts";
import { openService, type Service, trustOf } from "../settings/openService.ts";
import { checkFailed, usageError } from "../terminal/CommandError.ts";
import { confirm, isInteractive } from "../terminal/confirm.ts";
import { orStop } from "../terminal/runCommand.ts";
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
  const service = await openService(options);
  const trust = await trustOf(service);
  // A stop ends preparations, whatever they wait for, and never a payment.
  const pay = await orStop(prepare(terminal, options, { service, trust }), terminal.signal);
  await pay?.();
}

function assertFlags(options: ExecuteOptions): void {
  const { amount, dryRun, from, resume, to, tradeType, yes } = options;
  const canConfirm = dryRun === true || (yes !== true && isInteractive());
  if (resume === undefined) {
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

/** Proves and shows a quote, and asks for the payment. Of a payment that has begun, the quote was proven before. */
async function prepare(
  terminal: Terminal,
  options: ExecuteOptions,
  opened: Opened,
): Promise<Pay | undefined> {
  const { anyPrice, dryRun, resume, tradeType, yes } = options;
  const saved = resume === undefined ? undefined : await readExecutionFile(resume);
  const { url } = opened.service;
  if (saved !== undefined && url !== saved.url) {
    throw usageError(`${resume} is of the service ${saved.url}, not of ${url}.`);
  }
  const stage = await openStage(terminal, options, { ...opened, saved });
  const asked = saved ?? (await requestQuote(stage));
  let { quote } = asked;
  if (saved !== undefined && hasBegun(saved)) {
    terminal.note(`Continues request ${saved.state?.requestId}.`);
    if (dryRun === true) return undefined;
  } else {
    quote = await prove(stage, asked);
    await show(stage, asked, quote);
    if (dryRun === true) return undefined;
    await assertBalance(stage, quote);
  }
  await askToPay(stage, quote);
  const isBounded = asked.bounds.bounds !== "none" || anyPrice === true || yes === true;
  if (saved === undefined && !isBounded) {
    return () => payQuote(stage, { ...asked, bounds: confirmedBounds(asked.quote, tradeType) });
  }
  // A save would replace a link, and leave its target behind.
  return () => payQuote(stage, asked, resume === undefined ? undefined : realpathSync(resume));
}

async function openStage(
  terminal: Terminal,
  options: ExecuteOptions,
  { saved, service, trust }: Opened & { readonly saved: ExecutionFile | undefined },
): Promise<Stage> {
  const { from, to } = saved === undefined ? options : routeOf(saved);
  // The flags were checked.
  if (from === undefined || to === undefined) throw usageError("--from or --to is missing.");
  const payer = signerOf(service, { ...options, ...(saved && { user: saved.account }) });
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

const routeOf = ({ request }: ExecutionFile): Readonly<Record<"from" | "to", NamedCurrency>> => ({
  from: { chainId: request.originChainId, currency: request.originCurrency },
  to: { chainId: request.destinationChainId, currency: request.destinationCurrency },
});

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
  { destination, origin, terminal, trust }: Stage,
  { bounds, quote, request }: Asked,
): Promise<Quote> {
  terminal.signal.throwIfAborted();
  const readers = { destinationReader: destination, reader: origin };
  return verifyQuote({ ...toPolicy(bounds), ...readers, quote, request, trust });
}

async function show(stage: Stage, { bounds, request }: Asked, quote: Quote): Promise<void> {
  const { account, from, origin: node, terminal, to, trust } = stage;
  const recipient = request.recipient ?? account;
  const refundTo = request.refundTo ?? account;
  const { maxFee = usualMaximumFee } = stage.options;
  const plan = await planOf({ account, bounds, from, maxFee, node, quote, recipient, refundTo, to, trust });
  const text = describePlan(plan, from);
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
