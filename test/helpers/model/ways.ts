import type { Instruction, KeyPairSigner } from "@solana/kit";
import { type Account, type Address, type Hex, zeroAddress } from "viem";
import { loadSvm } from "../../../emulator/chains/svm/loadSvm.ts";
import { paymentInstructions, signSvmTransaction } from "../../../emulator/chains/svm/svmPayment.ts";
import { depositData } from "../../../emulator/quote/steps/userTransaction.ts";
import {
  type Client,
  claimAppFees,
  executeGasless,
  getStatus,
  type Quote,
} from "../../../src/client/index.ts";
import { formatExchangeAmount } from "../../../src/perps/amounts.ts";
import { perpsUsdcDecimals } from "../../../src/perps/constants.ts";
import { amountsOf, claimIdOf, type StartedClaim } from "../appFees/claims.ts";
import type { TestChain } from "../emulatorFixture.ts";
import { erc20Data } from "../erc20Data.ts";
import { setCode } from "../localChain.ts";
import { type ExchangeStage, postMapping, signQuote as signExchange, signTransfer } from "../perps.ts";
import { callsOf, gaslessBody } from "../quotes/gasless.ts";
import { requestIdOf } from "../quotes/intents.ts";
import { signatureOf, signQuote } from "../quotes/permits.ts";
import { orderIdOf, reverting } from "../requests/failureStage.ts";
import type { Draws } from "../seededDraws.ts";
import { instructionsOf, svmAccounts, svmUsdc } from "../svm.ts";
import type { Ask, Paid, User } from "./Payment.ts";
import { dollars, exchangeDollars, svmPayer } from "./quoteParameters.ts";

type Call = { readonly to: Address; readonly data: Hex; readonly value: bigint };
/** A user of a chain, by index. */
type Sender = { readonly chain: TestChain; readonly from: number };

const gas = 1_000_000n;
const ends: ReadonlySet<string> = new Set(["success", "failure", "refund"]);
const unpaid: ReadonlySet<string> = new Set(["waiting", "depositing"]);

/** The transactions among the steps of a quote. */
export function transactionsOf(steps: Quote["steps"]): readonly (Call & { readonly id: string })[] {
  return steps.flatMap(({ id, items, kind }) =>
    items.flatMap((item) => {
      if (kind !== "transaction") return [];
      const { data = "0x", to, value = "0" } = item.data as { data?: Hex; to: Address; value?: string };
      return [{ data, id, to, value: BigInt(value) }];
    }),
  );
}

/** A payment that reverted, so that nothing moved. */
export class RevertedPaymentError extends Error {}

/** Sends a transaction of a user and waits for its block. @throws RevertedPaymentError if it reverts. */
export async function send({ chain, data, from, to, value }: Call & Sender): Promise<Hex> {
  const hash = await chain.wallet(from).sendTransaction({ data, gas, to, value });
  const { status } = await chain.reader.waitForTransactionReceipt({ hash });
  if (status !== "success") throw new RevertedPaymentError(`the payment ${hash} reverted`);
  return hash;
}

/** Sends the transactions of a quote. Returns those that pay. */
export async function sendSteps({ steps }: Pick<Quote, "steps">, sender: Sender): Promise<readonly Hex[]> {
  const hashes: Hex[] = [];
  for (const { id, ...call } of transactionsOf(steps)) {
    const hash = await send({ ...sender, ...call });
    if (id !== "approve") hashes.push(hash);
  }
  return hashes;
}

/** Calldata of a deposit of native currency. */
export function depositOf(depositor: Address, id: Hex): Hex {
  return depositData({ currency: zeroAddress, depositor, id });
}

/** Posts the signature to two replicas at once; the money moves once. */
export async function payBySignature(quote: Quote, { index, intent, origin }: User, ask: Ask): Promise<Paid> {
  const own = { chain: origin, from: index };
  for (const approval of transactionsOf(quote.steps)) await send({ ...own, ...approval });
  const steps = await postTwice(origin.wallet(index).account, quote, ask);
  // An ERC-2612 permit is answered with the user's own transaction.
  const hashes = await sendSteps({ steps }, own);
  // The user approves Permit2 for one payment at a time: the next quote would rely on this one's allowance.
  const isPermit2 = intent.originCurrency === origin.currency("USDT");
  if (isPermit2) await ask(({ client }) => reached(client, quote, (status) => !unpaid.has(status)));
  return { hashes, relays: hashes.length === 0 ? 1 : 0 };
}

/** Pays, and claims the app fee of the payment once it succeeds. */
export async function payAndClaim(
  quote: Quote,
  { index, origin, purse }: User,
  draws: Draws,
  ask: Ask,
): Promise<Paid> {
  const hashes = await sendSteps(quote, { chain: origin, from: index });
  await ask(({ client }) => reached(client, quote, (status) => status === "success"));
  const account = draws.address();
  const claim: StartedClaim = await ask(({ client }) =>
    claimAppFees(client, {
      ...{ chainId: origin.info.id, currency: origin.currency("USDC") },
      ...{ bounds: "none", recipient: account, wallet: purse.address },
    }),
  );
  await postTwice(purse, claim as Quote, ask);
  const { payout: amount } = amountsOf(claim);
  const payout = { account, amount, chainId: origin.info.id, requestId: claimIdOf(claim) };
  return { hashes, payout, relays: 0 };
}

/** Pays by a signed batch of an account without native currency, posted to two replicas at once. */
export async function payWithoutGas(quote: Quote, { index, origin, purse }: User, ask: Ask): Promise<Paid> {
  const data = erc20Data("transfer", purse.address, dollars);
  await send({ chain: origin, data, from: index, to: origin.currency("USDC"), value: 0n });
  const body = await gaslessBody(purse, origin, callsOf(quote), { requestId: requestIdOf(quote) });
  await twice(() => ask(({ client }) => executeGasless(client, body)));
  return { hashes: [], passes: [purse.address], relays: 1 };
}

/**
 * Pays a deposit address by a plain transfer, which the solver sweeps.
 *
 * @param extra Added to the quoted amount.
 */
export async function payByTransfer(
  { steps }: Quote,
  { index, intent, origin }: User,
  extra: bigint,
): Promise<Paid> {
  const [transfer] = transactionsOf(steps);
  const address = steps[0]?.depositAddress as Address | undefined;
  if (transfer === undefined || address === undefined) throw new Error("the quote has no deposit address");
  const { recoveryAddress, refundTo, strict } = intent;
  const isRecovered = recoveryAddress !== undefined;
  if (isRecovered) await setCode(origin, refundTo as Address, reverting);
  const changed = extra === 0n ? {} : { value: transfer.value + extra };
  await send({ ...transfer, ...changed, chain: origin, from: index });
  return {
    ...{ depositAddress: address, hashes: [], passes: [address] },
    // The excess is swept as a deposit of its own.
    relays: strict && extra > 0n ? 2 : 1,
    ...(isRecovered && { refundTo: recoveryAddress }),
  };
}

/** Pays from the perps exchange, perhaps one unit less than quoted: states the nonce, then transfers with it. */
export async function payOnExchange(
  quote: Quote,
  { destination, index, origin }: User,
  less: bigint,
  ask: Ask,
): Promise<Paid> {
  const stageOf = (client: Client): ExchangeStage => ({
    ...{ alpha: origin, beta: destination, client },
    emulator: { control: { clock: { read: () => ({ now: Date.now() }) } }, info: {} },
  });
  const offline = stageOf(undefined as never);
  const signed = await signExchange(offline, quote, index);
  const deposited = exchangeDollars - less;
  const amount = formatExchangeAmount({ amount: deposited, decimals: perpsUsdcDecimals });
  const transfer = less === 0n ? signed.deposit : await signTransfer(offline, quote, { amount }, index);
  await ask(({ client }) => postMapping(stageOf(client), signed.authorize));
  await twice(() => ask(({ apiUrl }) => postAction(apiUrl, transfer)));
  return { deposited, hashes: [], relays: 0 };
}

/** @throws unless the exchange has executed the action, now or before. */
async function postAction(apiUrl: string, request: unknown): Promise<void> {
  const { response, status } = (await postJson(`${apiUrl}/perps/exchange`, request)) as {
    readonly response: unknown;
    readonly status: string;
  };
  if (status !== "ok" && !String(response).includes("already used")) throw new Error(String(response));
}

/**
 * Pays on the SVM chain, perhaps one unit less than quoted: sends one signed transaction to two replicas at once, until it is
 * executed.
 */
export async function payOnSvm(quote: Quote, payer: User, less: bigint, ask: Ask): Promise<Paid> {
  const user = await svmPayer(payer);
  const amount = dollars - less;
  const { solver } = await svmAccounts();
  const to = solver.signer.address;
  const payment = { amount, currency: svmUsdc, from: user, memo: orderIdOf(quote), payer: user, to };
  const instructions =
    less === 0n ? instructionsOf(quote, user) : await paymentInstructions(payment, await loadSvm());
  while (!(await sendSvm(instructions, user, ask)));
  const { amount: swapped } = quote.details.route?.origin?.outputCurrency ?? {};
  // Other payments move the pools, also in favour of this one.
  const deposited = swapped === undefined ? amount : (BigInt(swapped) * 101n) / 100n;
  return { deposited, hashes: [], relays: 0 };
}

type SvmAnswer = {
  readonly result?: { readonly value: { readonly blockhash: string } };
  readonly error?: { readonly message: string };
};

/** @returns Whether the chain has the transaction; false if its block hash expired before. */
async function sendSvm(
  instructions: readonly Instruction[],
  payer: KeyPairSigner,
  ask: Ask,
): Promise<boolean> {
  const call = (method: string, ...params: unknown[]) =>
    ask(({ apiUrl }) =>
      postJson(`${apiUrl}/svm`, { id: 1, jsonrpc: "2.0", method, params }),
    ) as Promise<SvmAnswer>;
  const { result } = await call("getLatestBlockhash");
  const blockhash = result?.value.blockhash ?? "";
  const wire = await signSvmTransaction(instructions, { blockhash, payer }, await loadSvm());
  const text = Buffer.from(wire).toString("base64");
  const answers = await twice(() => call("sendTransaction", text, { encoding: "base64" }));
  const errors = answers.flatMap(({ error }) => error?.message ?? []);
  const unexpected = errors.filter((each) => !/AlreadyProcessed|BlockhashNotFound/.test(each));
  if (unexpected.length > 0) throw new Error(unexpected.join());
  return errors.length < 2 || errors.some((each) => each.includes("AlreadyProcessed"));
}

/** Signs what a quote requests, and posts it to two replicas at once, repeatedly until both accept it. */
async function postTwice(account: Account, quote: Quote, ask: Ask): Promise<Quote["steps"]> {
  const { body, endpoint } = signatureOf(quote).post;
  const signature = await signQuote(account, quote);
  const post = () => ask(({ apiUrl }) => postJson(`${apiUrl}${endpoint}?signature=${signature}`, body));
  const [answer] = await twice(post);
  return (answer as { readonly steps?: Quote["steps"] }).steps ?? [];
}

const twice = <Result>(act: () => Promise<Result>) => Promise.all([act(), act()]);

/** @throws for every answer but 200. */
async function postJson(url: string, body: unknown): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { body: JSON.stringify(body), headers, method: "POST" });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

/** @throws As long as the request has another status. */
async function reached(client: Client, quote: Quote, isReached: (status: string) => boolean): Promise<void> {
  const requestId = requestIdOf(quote);
  const { status } = await getStatus(client, { requestId });
  if (isReached(status)) return;
  throw new Error(`${requestId} ${ends.has(status) ? "ended as" : "is still"} ${status}`);
}
