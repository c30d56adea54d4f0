import { type Address, concatHex, type Hex, hashTypedData, hexToNumber, keccak256, numberToHex } from "viem";
import * as z from "zod";
import { BaseError } from "../../src/errors/BaseError.ts";
import { parseExchangeAmount } from "../../src/perps/amounts.ts";
import { checkExchangeNonce } from "../../src/perps/nonce.ts";
import { sendAssetTypedData } from "../../src/perps/sendAsset.ts";
import { recoverSigner } from "../../src/records/recoverSigner.ts";
import {
  type ExchangeRequest,
  type ExchangeResponse,
  exchangeRequestSchema,
} from "../../src/schema/quote/exchangeAction.ts";
import { evmAddressSchema } from "../../src/schema/wire/hex.ts";
import type { Store, StoreTransaction } from "../store/tables.ts";
import { balanceIn, lockLedger, setBalanceIn } from "./balances.ts";
import { assetByToken, type ExchangeAsset } from "./exchangeCurrencies.ts";

/** `hyperliquidChain` of the actions that the exchange accepts. */
export const hyperliquidChain = "Mainnet";

/** An action whose signer is known. */
export type SignedAction = {
  readonly account: Address;
  /** Identifies the action: the hash of its digest and its signer. Two accounts can sign equal actions. */
  readonly hash: Hex;
  readonly request: ExchangeRequest;
};

/** The exchange refuses an action; the message is its answer. */
class ActionRefusedError extends Error {
  override readonly name = "ActionRefusedError";
}

/**
 * Executes a posted action like the exchange: verifies signature and nonce, then moves the money or nothing. An action
 * of a known account with a valid nonce uses that nonce even when it fails.
 *
 * @param now Unix milliseconds; read once the ledger is locked, so that an expired nonce is never used later.
 */
export async function executeAction(
  store: Store,
  body: unknown,
  now: () => number,
): Promise<ExchangeResponse> {
  try {
    const action = await readAction(body);
    const error = await store.transaction().execute((transaction) => execute(transaction, action, now));
    if (error === null) return { response: { type: "default" }, status: "ok" };
    return { response: error, status: "err" };
  } catch (error) {
    if (!(error instanceof ActionRefusedError)) throw error;
    return { response: error.message, status: "err" };
  }
}

/** Recovers the signer of a posted action. @throws ActionRefusedError */
async function readAction(body: unknown): Promise<SignedAction> {
  const parsed = z.safeParse(exchangeRequestSchema, body);
  if (!parsed.success) return refuse("Failed to deserialize the JSON body into the target type");
  try {
    return await identifyAction(parsed.data);
  } catch (error) {
    if (error instanceof BaseError) return refuse(`Invalid action: ${error.message.split("\n")[0]}`);
    throw error;
  }
}

/** Recovers the signer of an action and computes its hash. */
export async function identifyAction(request: ExchangeRequest): Promise<SignedAction> {
  const { action, signature } = request;
  const { signatureChainId, type: _, ...parameters } = action;
  const chainId = hexToNumber(signatureChainId as Hex);
  const digest = hashTypedData(sendAssetTypedData({ chainId, parameters }));
  const { r, s, v } = signature;
  const account = await recoverSigner({ digest, signature: concatHex([r, s, numberToHex(v)]) });
  return { account, hash: keccak256(concatHex([digest, account])), request };
}

async function execute(
  transaction: StoreTransaction,
  signed: SignedAction,
  now: () => number,
): Promise<string | null> {
  const { account: signer, hash, request } = signed;
  const { action, nonce } = request;
  if (action.nonce !== nonce) return refuse("Invalid nonce: the action has another one");
  await lockLedger(transaction);
  const at = now();
  const { verdict } = checkExchangeNonce({ nonce: BigInt(nonce), now: at });
  if (verdict !== "ok") return refuse(`Invalid nonce: ${verdict === "too-old" ? "too old" : "too new"}`);
  const account = signer.toLowerCase();
  await expectUnused(transaction, account, nonce);
  const { id } = await transaction
    .selectFrom("exchange_actions")
    .select((row) => row.fn.max("id").as("id"))
    .executeTakeFirstOrThrow();
  const move = readMove(request);
  const error = typeof move === "string" ? move : await moveFunds(transaction, account, move);
  const fields =
    typeof move === "string" ? { amount: "0", currency: "", sent_currency: "" } : columnsOf(move);
  await transaction
    .insertInto("exchange_actions")
    .values({
      ...fields,
      account,
      at,
      destination: action.destination.toLowerCase(),
      error,
      hash,
      id: Number(id ?? 0) + 1,
      nonce,
      request: JSON.stringify(request),
    })
    .execute();
  return error;
}

/** @throws ActionRefusedError for an unknown account or a used nonce. */
async function expectUnused(transaction: StoreTransaction, account: string, nonce: number): Promise<void> {
  const [known, used] = [
    await transaction
      .selectFrom("exchange_balances")
      .select("account")
      .where("account", "=", account)
      .limit(1)
      .executeTakeFirst(),
    await transaction
      .selectFrom("exchange_actions")
      .select("id")
      .where("account", "=", account)
      .where("nonce", "=", nonce)
      .executeTakeFirst(),
  ];
  // A changed action recovers another signer, which has no account.
  if (known === undefined) refuse(`User or API Wallet ${account} does not exist.`);
  if (used !== undefined) refuse(`Invalid nonce: ${nonce} is already used`);
}

type Move = {
  readonly from: ExchangeAsset;
  readonly to: ExchangeAsset;
  readonly destination: string;
  /** Smallest units. */
  readonly amount: bigint;
};

function columnsOf({ amount, from, to }: Move) {
  return { amount: amount.toString(), currency: to.address, sent_currency: from.address };
}

/** The transfer that an action asks for, or why there is none. */
function readMove({ action }: ExchangeRequest): Move | string {
  const { destinationDex, fromSubAccount, sourceDex, token } = action;
  if (action.hyperliquidChain !== hyperliquidChain)
    return `Invalid hyperliquidChain: not ${hyperliquidChain}`;
  if (fromSubAccount !== "") return "Invalid sub-account";
  const destination = evmAddressSchema.safeParse(action.destination);
  if (!destination.success) return "Invalid destination";
  const [from, to] = [assetByToken(sourceDex, token), assetByToken(destinationDex, token)];
  if (from === undefined || to === undefined) return "Invalid token or dex";
  const amount = readAmount(action.amount, from.decimals);
  if (amount === undefined || amount === 0n) return "Invalid amount";
  return { amount, destination: destination.data.toLowerCase(), from, to };
}

function readAmount(amount: string, decimals: number): bigint | undefined {
  try {
    return parseExchangeAmount({ amount, decimals });
  } catch (error) {
    if (error instanceof BaseError) return undefined;
    throw error;
  }
}

async function moveFunds(
  transaction: StoreTransaction,
  account: string,
  { amount, destination, from, to }: Move,
): Promise<string | null> {
  const held = await balanceIn(transaction, from.address, account);
  if (held < amount) return "Insufficient balance for token transfer";
  await setBalanceIn(transaction, from.address, account, held - amount);
  // Read after the debit: an account may move funds between its own dexes, or send to itself.
  const before = await balanceIn(transaction, to.address, destination);
  await setBalanceIn(transaction, to.address, destination, before + amount);
  return null;
}

function refuse(message: string): never {
  throw new ActionRefusedError(message);
}
