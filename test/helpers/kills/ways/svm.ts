import type { Instruction, KeyPairSigner } from "@solana/kit";
import { loadSvm } from "../../../../emulator/chains/svm/loadSvm.ts";
import { paymentInstructions, signSvmTransaction } from "../../../../emulator/chains/svm/svmPayment.ts";
import type { Quote } from "../../../../src/client/index.ts";
import { orderIdOf } from "../../requests/failureStage.ts";
import { instructionsOf, svmAccounts, svmUsdc } from "../../svm.ts";
import { dollars, svmPayer } from "../drawIntent.ts";
import type { Ask, Paid, Payer } from "../Payment.ts";
import type { PaymentKind } from "../paymentPlans.ts";
import { postJson } from "./signature.ts";

/** Pays on the SVM chain: sends one signed transaction to two replicas at once, until it is executed. */
export async function payOnSvm(kind: PaymentKind, quote: Quote, payer: Payer, ask: Ask): Promise<Paid> {
  const user = await svmPayer(payer);
  const isLess = kind === "from SVM, too little";
  const amount = dollars - (isLess ? 1n : 0n);
  const instructions = isLess ? await transfer(amount, user, quote) : instructionsOf(quote, user);
  for (let isExecuted = false; !isExecuted; ) isExecuted = await sendSigned(instructions, user, ask);
  const { amount: swapped } = quote.details.route?.origin?.outputCurrency ?? {};
  // Other payments move the pools, also in favour of this one.
  const deposited = swapped === undefined ? amount : (BigInt(swapped) * 101n) / 100n;
  return { deposited, hashes: [], relays: 0 };
}

async function transfer(amount: bigint, from: KeyPairSigner, quote: Quote): Promise<readonly Instruction[]> {
  const { solver } = await svmAccounts();
  const to = solver.signer.address;
  const payment = { amount, currency: svmUsdc, from, memo: orderIdOf(quote), payer: from, to };
  return paymentInstructions(payment, await loadSvm());
}

type Answer = {
  readonly result?: { readonly value: { readonly blockhash: string } };
  readonly error?: { readonly message: string };
};

/** @returns Whether the chain has the transaction; false if its block hash expired before. */
async function sendSigned(
  instructions: readonly Instruction[],
  payer: KeyPairSigner,
  ask: Ask,
): Promise<boolean> {
  const call = async (method: string, ...params: unknown[]) =>
    (await ask(
      ({ apiUrl }) => postJson(`${apiUrl}/svm`, { id: 1, jsonrpc: "2.0", method, params }),
      true,
    )) as Answer;
  const { result } = await call("getLatestBlockhash");
  const blockhash = result?.value.blockhash ?? "";
  const wire = await signSvmTransaction(instructions, { blockhash, payer }, await loadSvm());
  const text = Buffer.from(wire).toString("base64");
  const sent = () => call("sendTransaction", text, { encoding: "base64" });
  const errors = (await Promise.all([sent(), sent()])).flatMap(({ error }) => error?.message ?? []);
  const unexpected = errors.filter((each) => !/AlreadyProcessed|BlockhashNotFound/.test(each));
  if (unexpected.length > 0) throw new Error(unexpected.join());
  return errors.length < 2 || errors.some((each) => each.includes("AlreadyProcessed"));
}
