import { AccountRole, address, createSolanaRpc, type Instruction, type KeyPairSigner } from "@solana/kit";
import type { Hex } from "viem";
import { loadSvm } from "../../emulator/chains/svm/loadSvm.ts";
import { svmRpcPath } from "../../emulator/chains/svm/SvmChain.ts";
import { deriveSvmAccounts } from "../../emulator/chains/svm/svmAccounts.ts";
import { svmTokens } from "../../emulator/chains/svm/svmCurrencies.ts";
import { paymentInstructions, signSvmTransaction } from "../../emulator/chains/svm/svmPayment.ts";
import { getQuote, type Quote } from "../../src/client/index.ts";
import { svmNativeDecimals, svmNativeToken } from "../../src/svm/constants.ts";
import type { SvmTransactionData } from "../../src/svm/SvmTransaction.ts";
import type { EmulatorFixture } from "./emulatorFixture.ts";
import { fresh } from "./requests/failureStage.ts";

export const sol = { address: svmNativeToken, decimals: svmNativeDecimals };
export const svmUsdc = svmTokenOf("USDC");

/** A token of the SVM chain, by its symbol. */
export function svmTokenOf(symbol: string) {
  const found = svmTokens.find((token) => token.symbol === symbol);
  if (found === undefined) throw new Error(`the SVM chain has no ${symbol}`);
  return found;
}

/** Keys of the SVM chain, the same on every start. */
export const svmAccounts = async () => deriveSvmAccounts(await loadSvm());

/** The `index`-th user of the SVM chain. */
export async function svmUser(index = 0): Promise<KeyPairSigner> {
  const { users } = await svmAccounts();
  return (users[index] as (typeof users)[number]).signer;
}

let drawn = 0;

/** A wallet without any transaction. */
export async function freshSvm(): Promise<string> {
  const { kit } = await loadSvm();
  const key = new Uint8Array(32).fill(9);
  new DataView(key.buffer).setUint32(0, ++drawn);
  return (await kit.createKeyPairSignerFromPrivateKeyBytes(key)).address;
}

export const svmRpc = (apiUrl: string) => createSolanaRpc(`${apiUrl}${svmRpcPath}`);

/** Balance of a wallet, in smallest units. */
export const svmBalance = (
  { emulator }: EmulatorFixture,
  account: string,
  currency: string = svmNativeToken,
) => emulator.control.balances.get({ account: account as Hex, chainId: 792703809, currency });

/** Quotes 25 USDC of the first user for a fresh account of beta. */
export async function svmWithdrawal(
  { beta, client }: EmulatorFixture,
  overrides: Partial<Parameters<typeof getQuote>[1]> = {},
): Promise<Quote> {
  return getQuote(client, {
    amount: "25000000",
    destinationChainId: beta.info.id,
    destinationCurrency: beta.currency("USDC"),
    originChainId: 792703809,
    originCurrency: svmUsdc.address,
    recipient: fresh(),
    refundTo: overrides.user ?? (await svmUser()).address,
    tradeType: "EXACT_INPUT",
    user: (await svmUser()).address,
    ...overrides,
  });
}

async function send(fixture: EmulatorFixture, instructions: readonly Instruction[], payer: KeyPairSigner) {
  const packages = await loadSvm();
  const rpc = svmRpc(fixture.emulator.info.apiUrl);
  const { value } = await rpc.getLatestBlockhash().send();
  const { blockhash } = value;
  const wire = await signSvmTransaction(instructions, { blockhash, payer }, packages);
  const encoded = Buffer.from(wire).toString("base64") as never;
  return rpc.sendTransaction(encoded, { encoding: "base64" }).send();
}

/** Signs and sends the step of a quote as a wallet does: the instructions are those of the step alone. */
export async function payOnSvm(
  fixture: EmulatorFixture,
  quote: Quote,
  user: KeyPairSigner,
  payer = user,
): Promise<string> {
  return send(fixture, instructionsOf(quote, user, payer), payer);
}

/** The instructions of a quote's step, with their signers. */
export function instructionsOf(quote: Quote, user: KeyPairSigner, payer = user): readonly Instruction[] {
  const [item] = quote.steps[0]?.items ?? [];
  const { instructions } = (item?.data ?? { instructions: [] }) as unknown as SvmTransactionData;
  return instructions.map(({ data, keys, programId }) => ({
    accounts: keys.map(({ isSigner, isWritable, pubkey }) =>
      isSigner
        ? {
            address: address(pubkey),
            role: isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER,
            signer: pubkey === user.address ? user : payer,
          }
        : { address: address(pubkey), role: isWritable ? AccountRole.WRITABLE : AccountRole.READONLY },
    ),
    data: Uint8Array.from(Buffer.from(data, "hex")),
    programAddress: address(programId),
  }));
}

/** Pays a deposit address by plain transfer. */
export async function payAddress(
  fixture: EmulatorFixture,
  to: string,
  parts: { amount: bigint; currency?: typeof sol; from: KeyPairSigner },
): Promise<string> {
  const { currency = sol, from } = parts;
  const payment = { ...parts, currency, payer: from, to };
  return send(fixture, await paymentInstructions(payment, await loadSvm()), from);
}

/** Pays the solver without a quote's step. */
export async function transferToSolver(
  fixture: EmulatorFixture,
  parts: { amount: bigint; currency?: typeof sol; memo?: string; from: KeyPairSigner },
): Promise<string> {
  const { solver } = await svmAccounts();
  const { currency = sol, from } = parts;
  const payment = { ...parts, currency, payer: from, to: solver.signer.address };
  return send(fixture, await paymentInstructions(payment, await loadSvm()), from);
}
