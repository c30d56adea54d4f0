import { expect } from "chai";
import { type NodeLab, openNodeLab } from "../../helpers/hostileNode/openNodeLab.ts";
import type { Mutation } from "../../helpers/hostileNode/runOnce.ts";
import {
  type Attempt,
  type Broadcast,
  type Lie,
  liars,
  type MethodLie,
  type Script,
  wallets,
} from "../../helpers/hostileNode/Script.ts";
import { addTally, countOf, emptyTally } from "../../helpers/tally.ts";

const runs = 60;
/** Most runs until the judge finds what is broken. */
const mostRuns = 200;
const step = 5;

const otherId = 31338;
const attacker = "0x00000000000000000000000000000000000bad00";
const gweiMillion = 10n ** 15n;

/** Victims with a broken part, and what the judge says about them. */
const broken: readonly (readonly [string, Mutation, RegExp])[] = [
  ["that forgets its payments between runs", { isForgetful: true }, /left the victim, at most/],
  [
    "that signs for the chain which the node names",
    { sign: (transaction) => ({ ...transaction, chainId: otherId }) },
    /the victim paid on the other chain/,
  ],
  [
    "that signs any fee",
    { sign: (transaction) => ({ ...transaction, maxFeePerGas: gweiMillion, maxPriorityFeePerGas: 1n }) },
    /signed a fee of \d+ wei/,
  ],
  [
    "that pays another account",
    { sign: (transaction) => ({ ...transaction, to: attacker }) },
    /signed what no step has/,
  ],
  [
    "that says after every failure that nothing was sent",
    { error: (error) => Object.assign(error as Error, { outcome: "notDone", stepId: undefined }) },
    /was not done/,
  ],
  [
    "that throws errors without a code",
    { error: () => new TypeError("x is undefined") },
    /an error without a code/,
  ],
  ["that takes every error for a success", { isBlind: true }, /success without a payment/],
  ["that waits beyond its time limit", { timeout: 40_000 }, /ms of its clock/],
];

const usual = {
  hasChain: true,
  hasNonceManager: false,
  hasReader: false,
  isPlainWallet: true,
  maximumFee: undefined,
  retries: 0,
};
const attempt: Attempt = {
  abortAt: undefined,
  isFresh: false,
  isRejected: false,
  kill: undefined,
  node: "hostile",
  overtaken: undefined,
  state: "newest",
  switches: undefined,
  twice: undefined,
};
const honest: Attempt = { ...attempt, node: "honest" };
const always = { count: 1e6, from: 0 };
const kept: Broadcast = { after: 0, answer: undefined, to: [] };
/** Lies after which a transaction seems to have lost its nonce to one that the victim signed. */
const replaced: readonly MethodLie[] = [
  { ...always, lie: { result: null }, method: "eth_getTransactionReceipt" },
  { ...always, from: 1, lie: { shift: 1 }, method: "eth_getTransactionCount" },
  { ...always, lie: { replacement: "signed" }, method: "eth_getBlockByNumber" },
];

const answers: readonly Extract<Lie, { error: unknown } | { fault: unknown }>[] = [
  ...[-32000, -32003, -32601, -32602, -32603].map((code) => ({
    error: { code, message: "insufficient funds" },
  })),
  { error: { code: 4001, message: "User rejected the request." } },
  { fault: "html" },
  { fault: "drop" },
];

/** Attacks by name. */
const attacks: readonly (readonly [string, Pick<Script, "attempts" | "broadcasts" | "lies">])[] = [
  ...answers.map((answer) => {
    const name = "error" in answer ? `error ${answer.error.code}` : answer.fault;
    const script = {
      attempts: [attempt, attempt, honest],
      broadcasts: [{ ...kept, answer }],
      lies: [{ ...always, from: 1, lie: { shift: 1 }, method: "eth_getTransactionCount" }],
    };
    return [`signed bytes kept and answered with ${name}`, script] as const;
  }),
  [
    "a kept payment answered with the receipt of another transaction",
    {
      attempts: [attempt, honest],
      broadcasts: [kept],
      lies: [
        {
          ...always,
          lie: { receipt: { blocks: 0, isOther: true, status: "0x1" } },
          method: "eth_getTransactionReceipt",
        },
      ],
    },
  ],
  [
    "a kept transaction of another app shown as the replacement",
    { attempts: [{ ...attempt, overtaken: "kept" }, attempt, honest], broadcasts: [kept], lies: replaced },
  ],
  [
    "an earlier nonce shown for the payment",
    {
      attempts: [{ ...attempt, overtaken: "mined" }, attempt, honest],
      broadcasts: [kept],
      lies: [...replaced, { ...always, lie: { found: { nonce: 0 } }, method: "eth_getTransactionByHash" }],
    },
  ],
  [
    "signed bytes of a run whose save failed, then a restart",
    {
      attempts: [
        { ...attempt, kill: { at: 0, isSaved: false } },
        { ...attempt, state: "none" },
        { ...honest, isFresh: true },
      ],
      broadcasts: [{ ...kept, answer: { error: { code: -32000, message: "nonce too low" } } }],
      lies: [{ count: 1, from: 0, lie: { shift: 1 }, method: "eth_getTransactionCount" }],
    },
  ],
];

/** Methods that `execute` asks through a browser's wallet, which has no time limit. */
const silent = [
  ...["eth_estimateGas", "eth_maxPriorityFeePerGas", "eth_getBlockByNumber", "eth_blockNumber"],
  "eth_getTransactionReceipt",
];

describe("execute through an attacker's node", () => {
  let lab: NodeLab;
  before(async () => {
    lab = await openNodeLab();
  });
  after(() => lab.close());

  it(`pays once at most, on the right chain, within the maximum fee, in ${runs} runs by seed`, async () => {
    const report = await lab.run("integration", runs);
    expect(report.failures).to.deep.equal([]);
    expect(countOf(report, "paid")).to.be.greaterThan(runs / 2);
  });

  for (const [name, attack] of attacks) {
    it(`${name}, then each wallet pays once at most`, async () => {
      const sum = emptyTally();
      const payment = lab.payments.indexOf("native send");
      for (const wallet of wallets) {
        for (const liar of liars) {
          const script = { ...usual, ...attack, liar, payment, wallet };
          addTally(sum, await lab.play(`${name}, ${wallet}, ${liar}`, script));
        }
      }
      expect(sum.failures).to.deep.equal([]);
    });
  }

  for (const method of silent) {
    it(`a node that never answers ${method}: the run ends within its time limit, and pays once at most`, async () => {
      const lies = [{ ...always, lie: { silence: true }, method }] as const;
      const script = { ...usual, attempts: [attempt], broadcasts: [kept], lies, wallet: "browser" } as const;
      const { failures } = await lab.play(method, { ...script, liar: "both", payment: 0 }, { timeout: 300 });
      expect(failures).to.deep.equal([]);
    });
  }

  for (const [name, mutation, finding] of broken) {
    it(`a victim ${name}, then the judge says so`, async () => {
      for (let first = 0; first < mostRuns; first += step) {
        const { failures } = await lab.run("broken", step, { first, mutation });
        if (failures.some((failure) => finding.test(failure))) return;
      }
      expect.fail(`${mostRuns} runs passed`);
    });
  }
});
