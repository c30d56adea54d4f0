import { type Hex, keccak256, zeroAddress } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import { balanceOf } from "../../chains/rpc.ts";
import type { Context } from "../../context/Context.ts";
import type { SolverCall } from "../../router/fillCall.ts";
import { isPostgres } from "../../store/dialect/columnTypes.ts";
import type { StoreTransaction } from "../../store/tables.ts";
import type { Payment } from "../SolverLedger.ts";

/** A payment on an EVM chain: a transaction and its gas limit. */
export type EvmPayment = Payment & { readonly call: SolverCall; readonly gas: bigint };

/** State of a chain that signing depends on. */
export type ChainState = {
  readonly chain: Chain;
  /** The next nonce by the chain's pending state. */
  nonce: number;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** Balances that the solver can still spend, by currency. */
  readonly holdings: Map<string, bigint>;
};

/** Wei. */
const tip = 1_000_000_000n;

/** The most that the solver pays for a unit of gas, in wei: twice the base fee holds as long as a fill can be expected to wait. */
function maxFeeOf(chain: Chain): bigint {
  return chain.head().baseFeePerGas * 2n + tip;
}

/** Reads the state that the solver's transactions depend on, once for each chain. */
export async function readChainStates(
  plans: readonly (Pick<Payment, "spends"> & { readonly chain: Chain })[],
  { accounts }: Pick<Context, "accounts">,
): Promise<ReadonlyMap<number, ChainState>> {
  const { address } = accounts.solver.account;
  const chains = new Set(plans.map(({ chain }) => chain));
  const states = await Promise.all(
    [...chains].map(async (chain) => {
      const currencies = new Set([
        zeroAddress,
        ...plans.flatMap((plan) => (plan.chain === chain ? [plan.spends.currency] : [])),
      ]);
      const holdings = new Map<string, bigint>();
      const [nonce] = await Promise.all([
        chain.client.getTransactionCount({ address, blockTag: "pending" }),
        ...[...currencies].map(async (currency) => {
          holdings.set(currency.toLowerCase(), await balanceOf(chain, currency, address));
        }),
      ]);
      const maxFeePerGas = maxFeeOf(chain);
      return { chain, holdings, maxFeePerGas, maxPriorityFeePerGas: tip, nonce };
    }),
  );
  return new Map(states.map((state) => [state.chain.definition.id, state]));
}

/** Reserves the money for a transaction; false when the solver cannot pay for it after those before. */
export function reserve({ call, gas, spends }: EvmPayment, { holdings, maxFeePerGas }: ChainState): boolean {
  const native = call.value + gas * maxFeePerGas;
  const token = spends.currency.toLowerCase();
  const [heldNative, heldToken] = [holdings.get(zeroAddress) ?? 0n, holdings.get(token) ?? 0n];
  const isToken = token !== zeroAddress;
  if (heldNative < native || (isToken && heldToken < spends.amount)) return false;
  holdings.set(zeroAddress, heldNative - native);
  if (isToken) holdings.set(token, heldToken - spends.amount);
  return true;
}

/** Signs a transaction of the solver with its next nonce; the caller stores it in the same transaction. */
export async function signNext(
  transaction: StoreTransaction,
  { call, gas }: Pick<EvmPayment, "call" | "gas">,
  state: ChainState,
  { solver }: Context["accounts"],
): Promise<{ readonly nonce: number; readonly raw: Hex; readonly hash: Hex }> {
  const nonce = await takeNonce(transaction, state);
  const { authorizationList, ...plain } = call;
  const fields = {
    ...plain,
    chainId: state.chain.definition.id,
    gas,
    maxFeePerGas: state.maxFeePerGas,
    maxPriorityFeePerGas: state.maxPriorityFeePerGas,
    nonce,
  };
  const raw = await solver.account.signTransaction(
    authorizationList === undefined
      ? { ...fields, type: "eip1559" }
      : { ...fields, authorizationList, type: "eip7702" },
  );
  return { hash: keccak256(raw), nonce, raw };
}

/**
 * Draws the next nonce that neither the chain nor a stored transaction has used. The chain's row is locked
 * until the transaction ends, so that one process at a time draws its nonces.
 */
async function takeNonce(transaction: StoreTransaction, state: ChainState): Promise<number> {
  const chainId = state.chain.definition.id;
  if (isPostgres(transaction)) {
    await transaction
      .selectFrom("cursors")
      .select("chain_id")
      .where("chain_id", "=", chainId)
      .forUpdate()
      .execute();
  }
  const stored = await transaction
    .selectNoFrom(({ selectFrom }) =>
      (["relayed_deposits", "transactions"] as const).map((table) =>
        // Both tables have the columns of this query.
        selectFrom(table as "transactions")
          .select((row) => row.fn.max("nonce").as("nonce"))
          .where("chain_id", "=", chainId)
          .as(table),
      ),
    )
    .executeTakeFirstOrThrow();
  return Math.max(
    state.nonce,
    Number(stored.relayed_deposits ?? -1) + 1,
    Number(stored.transactions ?? -1) + 1,
  );
}
