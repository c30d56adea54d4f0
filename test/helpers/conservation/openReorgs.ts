import {
  type Address,
  type Hex,
  isAddressEqual,
  serializeTransaction,
  type TransactionSerializableEIP1559,
} from "viem";
import type { EmulatorFixture, TestChain } from "../emulatorFixture.ts";
import { admin, type RequestState } from "../kills/checks.ts";
import type { Payer, Payment } from "../kills/Payment.ts";
import type { PaymentKind } from "../kills/paymentPlans.ts";
import { mine } from "../localChain.ts";
import { isEnded } from "../requests/isEnded.ts";
import { until } from "../requests/requestHistory.ts";
import type { Draws } from "../seededDraws.ts";

/** What happens to the users' transactions of removed blocks. The solver's own are left to the solver. */
const ways = ["mined again", "sent again", "lost"] as const;

/** Number of reorgs by way, and of their effects on requests by trigger. */
export type ReorgCounts = Readonly<Record<string, number>>;

/** Reorgs of the EVM chains, while the solver works on all payments. */
export type Reorgs = {
  /** Counts the reorgs so far, and what the payments' requests report of them. */
  count(requests: Iterable<RequestState>): ReorgCounts;
  /** Runs a payment while no user's transaction can be removed under way. */
  whilePaying(work: () => Promise<Payment | undefined>): Promise<Payment | undefined>;
  /** Draws whether a chain of the payer is reorganised after a payment, and executes it. */
  draw(payment: Payment, payer: Payer, draws: Draws): Promise<void>;
  /** The payment with the end that its deposit's loss leads to. */
  afterLoss(payment: Payment, request?: RequestState): Payment;
};

const chance = 0.4;
/** Blocks of a reorg, unless it reaches down to the payment itself. */
const depths = 3;
/** Most blocks of any reorg. */
const deepest = 16n;
/** The solver looks for removed blocks at least every 500 ms. */
export const noticeMs = 1_000;

/** Payments by one deposit, the last transaction of its sender: no other transaction relies on it. */
const losable: ReadonlySet<PaymentKind> = new Set<PaymentKind>([
  ...(["fixed output", "fixed rate", "gas on top", "native", "overpaid", "swapped", "third party"] as const),
  ...(["through the receiver", "to SVM", "to the exchange", "to the solver", "token"] as const),
  ...(["too little", "with a call", "wrong currency"] as const),
]);
/** Payments that set the code of an account: a reorg would remove the code with its block. */
const withCode: ReadonlySet<PaymentKind> = new Set<PaymentKind>([
  "by plain transfer, recovered",
  "recipient refuses",
]);

/** Lists the transactions of some blocks in order, with the bytes of those that the solver did not send. */
async function transactionsIn(chain: TestChain, first: bigint, last: bigint, solver: Address) {
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

const least = (a: bigint, b: bigint) => (a < b ? a : b);

/** Prepares reorgs; none removes a block that is mined now. */
export async function openReorgs({ alpha, beta, emulator }: EmulatorFixture): Promise<Reorgs> {
  const { control, info } = emulator;
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  const floors = new Map<TestChain, bigint>();
  /** Keeps the present state of both chains from reorgs. */
  const keepState = async () => {
    for (const chain of [alpha, beta]) {
      await mine(chain);
      floors.set(chain, await chain.reader.getBlockNumber());
    }
  };
  await keepState();
  const lost = new Set<Hex>();
  /** Those of the lost whose fill was removed afterwards. */
  const unfilled = new Set<Hex>();
  const paying = new Set<Promise<unknown>>();
  let turn: Promise<unknown> = Promise.resolve();
  /** Runs `work` after all payments under way, and before all others. */
  const alone = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const next = turn.then(async () => {
      await Promise.allSettled(paying);
      return work();
    });
    turn = next.catch(() => undefined);
    return next;
  };
  const stateOf = async (id: Hex) => (await admin(info, `/requests/${id}/events`)) as RequestState;
  const isReady = async ({ kind, plan, requestId }: Payment, isLate: boolean, isLost: boolean) => {
    if (requestId === undefined) return;
    await until(async () => {
      const state = await stateOf(requestId);
      const isSeen = state.status !== "waiting" && state.status !== "depositing";
      return (!isLost || isSeen) && (!isLate || plan.end === "waiting" || isEnded(state)) ? state : undefined;
    }, `${kind} before a reorg, ${requestId}`);
  };
  /**
   * Removes the last blocks of a chain, down to one of some transactions if it is near, else as many as wanted.
   *
   * @returns Whether that transaction was removed.
   */
  const reorganise = (
    chain: TestChain,
    drawn: { hashes: readonly string[]; wanted: bigint; way: (typeof ways)[number] },
  ): Promise<boolean> =>
    alone(async () => {
      const head = await chain.reader.getBlockNumber();
      const most = least(deepest, head - (floors.get(chain) ?? head));
      const removable = await transactionsIn(chain, head - most + 1n, head, info.solver);
      const target = removable.find(({ hash }) => drawn.hashes.includes(hash));
      const way = target === undefined && drawn.way === "lost" ? "sent again" : drawn.way;
      const blocks = target === undefined ? least(drawn.wanted, most) : head - target.block + 1n;
      if (blocks < 1n) return false;
      const returns = way === "mined again";
      const reorg = { blocks: Number(blocks), chainId: chain.info.id, returns };
      const report = await control.chains.reorg(reorg);
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
    });
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
    draw: async (payment, { destination, origin }, draws) => {
      if (!draws.chance(chance)) return;
      const drawn = draws.pick(ways);
      const isLate = draws.chance(0.5);
      const isLosable = losable.has(payment.kind);
      const mayBeLost = drawn === "lost" && isLosable;
      const reachesPayment = mayBeLost || draws.chance(0.5);
      const chain = reachesPayment ? origin : draws.pick([origin, destination]);
      const wanted = BigInt(draws.whole(1, depths));
      await isReady(payment, isLate, mayBeLost);
      const way = drawn === "lost" && !isLosable ? "sent again" : drawn;
      const hashes = reachesPayment ? payment.hashes : [];
      if (!(await reorganise(chain, { hashes, wanted, way })) || way !== "lost") return;
      const id = payment.requestId ?? "0x";
      lost.add(id);
      const failed = () => stateOf(id).then((state) => (state.status === "failure" ? state : undefined));
      const { transactions } = await until(failed, `${payment.kind} to fail without its deposit, ${id}`);
      // Its fill is removed too: nothing may pay it again.
      const fills = transactions.filter(({ kind }) => kind === "fill").map(({ hash }) => hash);
      if (await reorganise(destination, { hashes: fills, wanted, way: "sent again" })) unfilled.add(id);
    },
    whilePaying: async (work) => {
      for (let before: unknown; before !== turn; await before) before = turn;
      const running = work().then(async (payment) => {
        if (payment !== undefined && withCode.has(payment.kind)) await keepState();
        return payment;
      });
      paying.add(running);
      try {
        return await running;
      } finally {
        paying.delete(running);
      }
    },
  };
}

/** The bytes of a transaction that a node has, as its sender signed them. */
async function signedBytes({ reader }: TestChain, hash: Hex): Promise<Hex> {
  const { input: data, r, s, yParity, ...transaction } = await reader.getTransaction({ hash });
  const unsigned = { ...transaction, data } as unknown as TransactionSerializableEIP1559;
  return serializeTransaction(unsigned, { r, s, yParity: yParity ?? 0 });
}
