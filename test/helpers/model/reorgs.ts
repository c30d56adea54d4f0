import {
  type Address,
  type Hex,
  isAddressEqual,
  serializeTransaction,
  type TransactionSerializableEIP1559,
} from "viem";
import type { Control } from "../../../emulator/index.ts";
import type { TestChain } from "../emulatorFixture.ts";
import { mine } from "../localChain.ts";
import { isEnded } from "../requests/isEnded.ts";
import { until } from "../requests/requestHistory.ts";
import type { Draws } from "../seededDraws.ts";
import { readState } from "./checks.ts";
import type { Payment, RequestState } from "./Payment.ts";
import type { PaymentKind } from "./paymentKinds.ts";
import type { World } from "./worlds.ts";

/** What happens to the users' transactions of removed blocks. The solver's own are left to the solver. */
const ways = ["mined again", "sent again", "lost"] as const;

/** Reorgs of the EVM chains, while the solver works on all payments. */
export type Reorgs = {
  /** Counts the reorgs by way, and what requests report of them by trigger. */
  count(requests: Iterable<RequestState>): Readonly<Record<string, number>>;
  /** Keeps the code that a payment set from reorgs: they would remove it with its block. */
  keepCode(payment: Payment): Promise<void>;
  /** Draws a reorg after a payment, and executes it while no user's transaction is under way. */
  draw(payment: Payment, draws: Draws): Promise<void>;
  /** The payment with the end that its deposit's loss leads to. */
  afterLoss(payment: Payment, request?: RequestState): Payment;
};

/** Blocks of a reorg, unless it reaches down to the payment itself. */
const depths = 3;
/** Most blocks of any reorg. */
const deepest = 16n;
/** The solver looks for removed blocks at least every 500 ms. */
export const noticeMs = 1_000;

/** Payments by one deposit, the last transaction of its sender: no other transaction relies on it. */
const losable: ReadonlySet<PaymentKind> = new Set<PaymentKind>([
  ...(["drawn", "native", "overpaid", "third party", "through the receiver", "to the solver"] as const),
  ...(["too little", "with a call", "wrong currency"] as const),
]);
const withCode: ReadonlySet<PaymentKind> = new Set<PaymentKind>([
  "by plain transfer, recovered",
  "recipient refuses",
]);

const least = (a: bigint, b: bigint) => (a < b ? a : b);

/** Prepares reorgs; none removes a block that is mined now. */
export async function openReorgs({ chains, infos }: World, control: Control): Promise<Reorgs> {
  const [info] = infos;
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  const floors = new Map<TestChain, bigint>();
  const keepState = async () => {
    for (const chain of chains) {
      await mine(chain);
      floors.set(chain, await chain.reader.getBlockNumber());
    }
  };
  await keepState();
  const lost = new Set<Hex>();
  /** Those of the lost whose fill was removed afterwards. */
  const unfilled = new Set<Hex>();
  /**
   * Removes the last blocks of a chain, down to one of some transactions if it is near, else as many as wanted.
   *
   * @returns Whether that transaction was removed.
   */
  const reorganise = async (
    chain: TestChain,
    drawn: { hashes: readonly string[]; wanted: bigint; way: (typeof ways)[number] },
  ): Promise<boolean> => {
    const head = await chain.reader.getBlockNumber();
    const most = least(deepest, head - (floors.get(chain) ?? head));
    const removable = await readTransactions(chain, head - most + 1n, head, info.solver);
    const target = removable.find(({ hash }) => drawn.hashes.includes(hash));
    const way = target === undefined && drawn.way === "lost" ? "sent again" : drawn.way;
    const blocks = target === undefined ? least(drawn.wanted, most) : head - target.block + 1n;
    if (blocks < 1n) return false;
    const returns = way === "mined again";
    const report = await control.chains.reorg({ blocks: Number(blocks), chainId: chain.info.id, returns });
    if (report.lost.length > 0) throw new Error(`a reorg lost ${report.lost.join()}`);
    count(way);
    let isRemoved = false;
    for (const { block, hash, raw } of removable) {
      // The solver may have mined another block meanwhile: then fewer of these were removed.
      if (block <= report.forkBlock) continue;
      isRemoved ||= hash === target?.hash;
      if (way === "lost" && hash === target?.hash) continue;
      if (!returns && raw !== undefined)
        await chain.reader.sendRawTransaction({ serializedTransaction: raw });
    }
    return isRemoved;
  };
  return {
    afterLoss: (payment, request) => {
      const id = payment.requestId ?? "0x";
      if (!lost.has(id)) return payment;
      const mined = request?.transactions.filter(({ kind, state }) => kind === "fill" && state === "mined");
      // A fill that was mined before stays with its recipient: the solver waits for no confirmations.
      const fills = unfilled.has(id) ? 0 : (mined?.length ?? 0);
      const plan = { ...payment.plan, end: "failure", fills, refunds: 0 } as const;
      return { ...payment, plan, topup: fills === 0 ? 0n : payment.topup };
    },
    count: (requests) => {
      const triggers = [...requests].flatMap(({ events }) => events.map(({ trigger }) => trigger));
      for (const trigger of triggers) if (/-(?:reorged|returned)$/.test(trigger)) count(trigger);
      return Object.fromEntries(counts);
    },
    draw: async (payment, draws) => {
      const { hashes, kind, plan, requestId: id } = payment;
      const origin = chains.find((chain) => chain.info.id === payment.paidOn) ?? draws.pick(chains);
      const destination = chains.find((chain) => chain !== origin) ?? origin;
      const drawn = draws.pick(ways);
      const isLosable = losable.has(kind) && plan.isSameChain !== true;
      const isLost = drawn === "lost" && isLosable;
      const isLate = draws.chance(0.5);
      const reachesPayment = isLost || draws.chance(0.5);
      const chain = reachesPayment ? origin : draws.pick(chains);
      const wanted = BigInt(draws.whole(1, depths));
      if (id !== undefined) {
        await until(async () => {
          const state = await readState(info, id);
          const isSeen = state.status !== "waiting" && state.status !== "depositing";
          return (!isLost || isSeen) && (!isLate || plan.end === "waiting" || isEnded(state))
            ? state
            : undefined;
        }, `${kind} before a reorg, ${id}`);
      }
      const way = drawn === "lost" && !isLosable ? "sent again" : drawn;
      const reached = { hashes: reachesPayment ? hashes : [], wanted, way };
      if (!(await reorganise(chain, reached)) || way !== "lost" || id === undefined) return;
      lost.add(id);
      const { transactions } = await until(async () => {
        const state = await readState(info, id);
        return state.status === "failure" ? state : undefined;
      }, `${kind} to fail without its deposit, ${id}`);
      // Its fill is removed too: nothing may pay it again.
      const fills = transactions.filter((each) => each.kind === "fill").map(({ hash }) => hash);
      if (await reorganise(destination, { hashes: fills, wanted, way: "sent again" })) unfilled.add(id);
    },
    keepCode: async ({ kind }) => {
      if (withCode.has(kind)) await keepState();
    },
  };
}

/** Lists the transactions of some blocks in order, with the bytes of those that the solver did not send. */
async function readTransactions(chain: TestChain, first: bigint, last: bigint, solver: Address) {
  const found: { hash: Hex; block: bigint; raw: Hex | undefined }[] = [];
  for (let block = first; block <= last; block++) {
    const { transactions } = await chain.reader.getBlock({ blockNumber: block, includeTransactions: true });
    for (const { from, hash } of transactions) {
      const isSolvers = isAddressEqual(from, solver);
      found.push({ block, hash, raw: isSolvers ? undefined : await signedBytes(chain, hash) });
    }
  }
  return found;
}

/** The bytes of a transaction that a node has, as its sender signed them. */
async function signedBytes({ reader }: TestChain, hash: Hex): Promise<Hex> {
  const { input: data, r, s, yParity, ...transaction } = await reader.getTransaction({ hash });
  const unsigned = { ...transaction, data } as unknown as TransactionSerializableEIP1559;
  return serializeTransaction(unsigned, { r, s, yParity: yParity ?? 0 });
}
