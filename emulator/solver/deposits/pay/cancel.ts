import { type Hex, keccak256, parseTransaction } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { formatExchangeAmount } from "../../../../src/perps/amounts.ts";
import { exchangeChainId, perpsUsdcAddress } from "../../../../src/perps/constants.ts";
import type { Context } from "../../../context/Context.ts";
import { assetByCurrency } from "../../../perps/exchangeCurrencies.ts";
import { signTransfer } from "../../../perps/signAction.ts";
import type { StoreTransaction, TransactionRow } from "../../../store/tables.ts";

/** Gas of a plain transfer. */
const gas = 21_000n;
/** Nodes replace a pending transaction only if the fees rise by a tenth. */
const raised = (fee: bigint | undefined) => ((fee ?? 0n) * 5n) / 4n + 1n;

/**
 * Replaces a stored payment by a transaction with the same nonce that moves no money, in the caller's database
 * transaction. The payment is never sent again. Without the replacement later nonces could not be mined.
 */
export async function cancel(
  transaction: StoreTransaction,
  row: TransactionRow,
  { accounts }: Pick<Context, "accounts">,
): Promise<void> {
  const { at, chain_id, deposit_id, hash, kind, nonce, request_id } = row;
  if (kind === "cancel") throw new Error(`${hash} is a cancel itself`);
  const sign = chain_id === exchangeChainId ? signExchangeCancel : signEvmCancel;
  const { id } = await transaction
    .insertInto("transactions")
    .values({
      ...{ at, chain_id, deposit_id, nonce, request_id },
      ...(await sign(row, accounts.solver.account)),
      kind: "cancel",
      state: "signed",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await transaction.updateTable("transactions").set({ replaced_by: id }).where("id", "=", row.id).execute();
}

type Replacement = Pick<TransactionRow, "hash" | "raw">;

async function signEvmCancel(
  { chain_id, nonce, raw: replaced }: TransactionRow,
  account: PrivateKeyAccount,
): Promise<Replacement> {
  const before = parseTransaction(replaced as Hex);
  const raw = await account.signTransaction({
    chainId: chain_id,
    gas,
    maxFeePerGas: raised(before.maxFeePerGas),
    maxPriorityFeePerGas: raised(before.maxPriorityFeePerGas),
    nonce,
    to: account.address,
    type: "eip1559",
  });
  return { hash: keccak256(raw), raw };
}

/** The exchange executes one action a nonce: the solver sends one unit to itself. */
async function signExchangeCancel(
  { nonce }: TransactionRow,
  account: PrivateKeyAccount,
): Promise<Replacement> {
  const asset = assetByCurrency(perpsUsdcAddress);
  if (asset === undefined) throw new Error("the exchange has no perps account");
  const amount = formatExchangeAmount({ amount: 1n, decimals: asset.decimals });
  return signTransfer(account, { amount, asset, destination: account.address, nonce });
}
