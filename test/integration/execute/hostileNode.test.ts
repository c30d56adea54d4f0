import { expect } from "chai";
import { assertNoFailures } from "../../helpers/hostileNode/Report.ts";
import { type HostileLab, openLab } from "../../helpers/hostileNode/runHostileNode.ts";
import type { Mutation } from "../../helpers/hostileNode/runOnce.ts";
import type {
  Attempt,
  Broadcast,
  Lie,
  MethodLie,
  Script,
  WalletKind,
} from "../../helpers/hostileNode/Script.ts";
import { wallets } from "../../helpers/hostileNode/Script.ts";

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
  ["that believes in a payment which no chain has", { isPaid: true }, /success without a payment/],
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

const answers: readonly Lie[] = [
  ...[-32000, -32003, -32601, -32602, -32603].map((code) => ({
    error: { code, message: "insufficient funds" },
  })),
  { error: { code: 4001, message: "User rejected the request." } },
  { fault: "html" },
  { fault: "drop" },
];

/** Attacks by name, with the victim's wallet. */
const attacks: readonly (readonly [string, WalletKind, Pick<Script, "attempts" | "broadcasts" | "lies">])[] =
  [
    ...answers.flatMap((answer) =>
      wallets.map((wallet) => {
        const name = "error" in answer ? `error ${answer.error.code}` : JSON.stringify(answer);
        const script = {
          attempts: [attempt, attempt, honest],
          broadcasts: [{ after: 0, answer, to: [] }],
          lies: [{ ...always, from: 1, lie: { shift: 1 }, method: "eth_getTransactionCount" }],
        };
        return [
          `a node that keeps the bytes and answers with ${name}, a wallet of ${wallet}`,
          wallet,
          script,
        ] as const;
      }),
    ),
    ...wallets.map((wallet) => {
      const script = {
        attempts: [{ ...attempt, overtaken: "kept" }, attempt, honest],
        broadcasts: [kept],
        lies: replaced,
      } as const;
      return [
        `a kept transaction of another app shown as the replacement, a wallet of ${wallet}`,
        wallet,
        script,
      ] as const;
    }),
    ...wallets.map((wallet) => {
      const found = { ...always, lie: { found: { nonce: 0 } }, method: "eth_getTransactionByHash" };
      const script = {
        attempts: [{ ...attempt, overtaken: "mined" }, attempt, honest],
        broadcasts: [kept],
        lies: [...replaced, found],
      } as const;
      return [`an earlier nonce shown for the payment, a wallet of ${wallet}`, wallet, script] as const;
    }),
    ...wallets.map((wallet) => {
      const unsaved = { ...attempt, kill: { at: 0, isSaved: false } };
      const script = {
        attempts: [unsaved, { ...attempt, state: "none" }, { ...honest, isFresh: true }],
        broadcasts: [{ ...kept, answer: { error: { code: -32000, message: "nonce too high" } } }],
        lies: [{ count: 1, from: 0, lie: { shift: 1 }, method: "eth_getTransactionCount" }],
      } as const;
      return [`bytes of a run whose save failed, a wallet of ${wallet}`, wallet, script] as const;
    }),
  ];

describe("execute through an attacker's node", () => {
  let lab: HostileLab;
  before(async () => {
    lab = await openLab();
  });
  after(() => lab.close());

  it(`pays once at most, on the right chain, within the maximum fee, in ${runs} runs by seed`, async () => {
    const report = await lab.run("integration", runs);
    assertNoFailures(report);
    expect(report.paid).to.be.greaterThan(runs / 2);
  });

  for (const [name, wallet, { attempts, broadcasts, lies }] of attacks) {
    it(`${name}, then the payment is made once at most`, async () => {
      const payment = lab.payments.indexOf("native send");
      const script = { ...usual, attempts, broadcasts, lies, payment, wallet };
      assertNoFailures(await lab.play(name, script));
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
