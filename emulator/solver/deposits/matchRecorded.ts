import type { Transaction } from "kysely";
import type { DepositRow, Tables } from "../../store/tables.ts";
import type { FoundDeposit } from "./findDeposits.ts";
import { splitExcess } from "./splitExcess.ts";

/** Most transactions of one query. */
const hashesAtOnce = 500;

/** Fields that identify a recorded payment among those of its transaction. */
type Recorded = Pick<FoundDeposit, "id" | "txHash"> &
  Pick<DepositRow, "currency" | "tag"> & { readonly amount: bigint };

/**
 * Gives found payments the ids under which they are recorded, in the caller's transaction. A reorg may mine a transaction
 * again with other payments, which shifts the index of the later ones.
 */
export async function matchRecorded(
  transaction: Transaction<Tables>,
  payments: readonly FoundDeposit[],
): Promise<readonly FoundDeposit[]> {
  if (payments.length === 0) return payments;
  const found = await splitExcess(transaction, payments);
  const recorded = Map.groupBy(await readRecorded(transaction, found), ({ txHash }) => txHash);
  if (recorded.size === 0) return found;
  const ids = new Map<FoundDeposit, string>();
  for (const [txHash, those] of Map.groupBy(found, (deposit) => deposit.txHash)) {
    for (const [deposit, id] of matchIds(those, recorded.get(txHash) ?? [])) ids.set(deposit, id);
  }
  return found.map((deposit) => ({ ...deposit, id: ids.get(deposit) ?? deposit.id }));
}

async function readRecorded(
  transaction: Transaction<Tables>,
  found: readonly FoundDeposit[],
): Promise<readonly Recorded[]> {
  const all = [...new Set(found.map(({ txHash }) => txHash))];
  const recorded: Recorded[] = [];
  for (let from = 0; from < all.length; from += hashesAtOnce) {
    recorded.push(...(await recordedBy(transaction, all.slice(from, from + hashesAtOnce))));
  }
  return recorded;
}

async function recordedBy(
  transaction: Transaction<Tables>,
  hashes: readonly FoundDeposit["txHash"][],
): Promise<readonly Recorded[]> {
  const rows = await transaction
    .selectFrom("deposits")
    .selectAll()
    .where("request_id", "in", (query) =>
      query
        .selectFrom("request_hashes")
        .select("request_hashes.request_id")
        .where("hash", "in", hashes)
        .where("kind", "=", "deposit"),
    )
    .where("tx_hash", "in", hashes)
    .where("source", "=", "payment")
    .orderBy("id")
    .execute();
  return rows.map(({ amount, currency, id, tag, tx_hash: txHash }) => ({
    ...{ amount: BigInt(amount), currency, id, tag },
    txHash: txHash as FoundDeposit["txHash"],
  }));
}

/**
 * Matches the payments of one transaction with the recorded ones: first the same payments, then those for the same request. The
 * others keep their own id, or take a free one.
 */
function matchIds(
  found: readonly FoundDeposit[],
  recorded: readonly Recorded[],
): ReadonlyMap<FoundDeposit, string> {
  const ids = new Map<FoundDeposit, string>();
  const left = new Set(recorded);
  const isSameId = (a: Recorded, b: FoundDeposit) => a.id === b.id;
  const isForSame = (a: Recorded, b: FoundDeposit) => a.tag === b.tag;
  const isSame = (a: Recorded, b: FoundDeposit) =>
    isForSame(a, b) && a.currency === b.currency && a.amount === b.amount;
  for (const isMatch of [
    (a: Recorded, b: FoundDeposit) => isSame(a, b) && isSameId(a, b),
    isSame,
    (a: Recorded, b: FoundDeposit) => isForSame(a, b) && isSameId(a, b),
    isForSame,
  ]) {
    for (const deposit of found) {
      if (ids.has(deposit)) continue;
      const match = [...left].find((each) => isMatch(each, deposit));
      if (match === undefined) continue;
      left.delete(match);
      ids.set(deposit, match.id);
    }
  }
  const taken = new Set([...recorded.map(({ id }) => id), ...ids.values()]);
  for (const deposit of found) {
    if (ids.has(deposit)) continue;
    const id = freeId(deposit, taken);
    taken.add(id);
    ids.set(deposit, id);
  }
  return ids;
}

function freeId({ chainId, id, txHash }: FoundDeposit, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  let index = 0;
  while (taken.has(`${chainId}:${txHash}:${index}`)) index++;
  return `${chainId}:${txHash}:${index}`;
}
