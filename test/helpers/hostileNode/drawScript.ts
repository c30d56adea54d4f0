import { maxUint256, parseEther, parseGwei, toHex } from "viem";
import type { Draws } from "../seededDraws.ts";
import {
  type Attempt,
  type Broadcast,
  faults,
  type Lie,
  liars,
  type MethodLie,
  type Script,
  wallets,
} from "./Script.ts";

/** Errors of nodes and wallets. Some libraries take a few of them for a proof that nothing was sent. */
const errors: readonly (readonly [number, string])[] = [
  ...["insufficient funds for gas * price + value", "nonce too low", "nonce too high", "already known"].map(
    (message) => [-32000, message] as const,
  ),
  ...["replacement transaction underpriced", "max fee per gas less than block base fee"].map(
    (message) => [-32000, message] as const,
  ),
  ...[-32003, -32005, -32601, -32602, -32603, -32700, 3, 4001, 4100, 4200, 4900, 4902, 5750].map(
    (code) => [code, "rejected"] as const,
  ),
];

const garbage = [null, "0x", "0xzz", "-0x1", "0x00", 7, -1, "1e30", {}, [], true, `0x1${"0".repeat(80)}`];
const absurdFees = [parseGwei("1000000"), parseEther("1"), 2n ** 64n, 2n ** 128n, maxUint256].map((wei) =>
  toHex(wei),
);
const absurdGas = [30_000_000n, 10_000_001n, 2n ** 53n, maxUint256].map((gas) => toHex(gas));
const feeMethods = ["eth_gasPrice", "eth_maxPriorityFeePerGas"];
const reads =
  `eth_blockNumber,eth_call,eth_call allowance,eth_call balanceOf,eth_chainId,eth_estimateGas,eth_feeHistory,
eth_fillTransaction,eth_gasPrice,eth_getBalance,eth_getBlockByNumber,eth_getCode,eth_getTransactionByHash,
eth_getTransactionCount,eth_getTransactionReceipt,eth_maxPriorityFeePerGas`.split(/,\s*/);

type Theme = (draws: Draws, otherId: number) => readonly MethodLie[];

/** A lie for all answers, those after the first ones, or one of them. */
function window(draws: Draws): { count: number; from: number } {
  const from = draws.chance(0.5) ? 0 : draws.whole(0, 4);
  return { count: draws.chance(0.6) ? 1e6 : draws.whole(1, 3), from };
}

function anyError(draws: Draws): Lie {
  const [code, message] = draws.pick(errors);
  return { error: { code, message } };
}

function anyLie(draws: Draws): Lie {
  return draws.pick<() => Lie>([
    () => anyError(draws),
    () => ({ fault: draws.pick(faults) }),
    () => ({ result: draws.pick(garbage) }),
    () => ({ chain: "other" }),
  ])();
}

function quantity(draws: Draws, absurd: readonly string[]): Lie {
  return draws.chance(0.7) ? { result: draws.pick(absurd) } : anyLie(draws);
}

const themes: Readonly<Record<string, Theme>> = {
  calls: (draws) =>
    ["eth_call allowance", "eth_call balanceOf", "eth_getBalance"].map((method) => ({
      ...window(draws),
      lie: draws.chance(0.6)
        ? { result: draws.pick([toHex(maxUint256), toHex(0, { size: 32 })]) }
        : anyLie(draws),
      method,
    })),
  chain: (draws, otherId) => {
    const id: Lie = draws.chance(0.8)
      ? { result: toHex(draws.chance(0.8) ? otherId : draws.whole(0, 1)) }
      : quantity(draws, absurdGas);
    const named = { ...window(draws), lie: id, method: "eth_chainId" };
    const all = { ...named, from: 0, lie: { chain: "other" } as const, method: "*" };
    return draws.chance(0.5) ? [named, all] : [named];
  },
  fees: (draws) => {
    const fee = draws.pick(absurdFees);
    const history = { baseFeePerGas: [fee, fee], reward: [[fee]] };
    return [
      ...feeMethods.map((method) => ({ ...window(draws), lie: quantity(draws, absurdFees), method })),
      { ...window(draws), lie: { fields: history }, method: "eth_feeHistory" },
      {
        ...window(draws),
        lie: { fields: { baseFeePerGas: draws.chance(0.7) ? fee : draws.pick(garbage) } },
        method: "eth_getBlockByNumber",
      },
    ].filter(() => draws.chance(0.6));
  },
  fill: (draws, otherId) => {
    const fields = {
      chainId: toHex(otherId),
      gas: draws.pick(absurdGas),
      maxFeePerGas: draws.pick(absurdFees),
      maxPriorityFeePerGas: draws.pick(absurdFees),
      nonce: toHex(draws.whole(0, 9)),
      to: "0x00000000000000000000000000000000000bad00",
      type: draws.pick(["0x0", "0x1", "0x2", "0x3", "0x4"]),
      value: toHex(parseEther("1")),
    };
    const drawn = Object.entries(fields).filter(() => draws.chance(0.4));
    return [{ ...window(draws), lie: { fill: Object.fromEntries(drawn) }, method: "eth_fillTransaction" }];
  },
  gas: (draws) => {
    const gas = draws.chance(0.6) ? absurdGas : ["0x0", "0x1", "0x5208", "0x9000"];
    return [{ ...window(draws), lie: quantity(draws, gas), method: "eth_estimateGas" }];
  },
  nonce: (draws) => {
    const shift = draws.pick([-1, 1, 2, 5, 1_000, 2 ** 52]);
    const lie = draws.chance(0.8) ? { shift } : anyLie(draws);
    return [{ ...window(draws), lie, method: "eth_getTransactionCount" }];
  },
  receipts: (draws) => {
    const receipt = {
      blocks: draws.pick([-1_000, 0, 1, 1_000_000]),
      isOther: draws.chance(0.3),
      status: draws.pick(["0x0", "0x0", "0x1", "0x2", "0x"]),
    };
    const lie = draws.pick<Lie>([{ receipt }, { receipt }, { result: null }, anyLie(draws)]);
    const lies = [{ ...window(draws), lie, method: "eth_getTransactionReceipt" }];
    const found = draws.pick<Lie>([
      { found: { nonce: draws.whole(0, 9) } },
      { fields: { from: draws.address(), nonce: toHex(draws.whole(0, 3)) } },
      { result: null },
      anyLie(draws),
    ]);
    if (draws.chance(0.3))
      return [...lies, { ...window(draws), lie: found, method: "eth_getTransactionByHash" }];
    if (draws.chance(0.5)) return lies;
    const head = draws.pick<Lie>([{ shift: -3 }, { shift: 10_000 }, anyLie(draws)]);
    return [...lies, { ...window(draws), lie: head, method: "eth_blockNumber" }];
  },
  replacements: (draws) => {
    const replacement = draws.pick(["other call", "same call", "signed", "signed"] as const);
    const always = { count: 1e6, from: 0 };
    const found = draws.pick<Lie>([{ result: null }, { found: { nonce: draws.whole(0, 1) } }]);
    return [
      {
        ...always,
        from: draws.pick([0, 0, 1, 2, 3]),
        lie: { result: null },
        method: "eth_getTransactionReceipt",
      },
      {
        ...always,
        from: draws.whole(0, 4),
        lie: { shift: draws.whole(1, 2) },
        method: "eth_getTransactionCount",
      },
      { ...always, lie: { replacement }, method: "eth_getBlockByNumber" },
      { ...always, lie: { shift: draws.whole(0, 3) }, method: "eth_blockNumber" },
      ...(draws.chance(0.6) ? [{ ...window(draws), lie: found, method: "eth_getTransactionByHash" }] : []),
    ];
  },
  soup: (draws) => [0, 1, 2].map(() => ({ ...window(draws), lie: anyLie(draws), method: draws.pick(reads) })),
};

function drawBroadcast(draws: Draws): Broadcast {
  if (draws.chance(0.3)) return { after: 0, answer: undefined, to: ["origin"] };
  const to = draws.pick([["origin"], ["origin"], ["origin"], ["other"], ["origin", "other"], []] as const);
  const after = draws.chance(0.6) ? 0 : draws.whole(1, 40);
  const wrongHash = draws.pick([draws.bytes32(), null, "0x", toHex(0, { size: 32 })]);
  const answer = draws.pick<Lie | undefined>([
    undefined,
    anyError(draws),
    anyError(draws),
    anyError(draws),
    { fault: draws.pick(faults) },
    { result: wrongHash },
  ]);
  return { after, answer, to };
}

function drawAttempt(draws: Draws, index: number): Attempt {
  const isFresh = index > 0 && draws.chance(0.35);
  return {
    abortAt: draws.chance(0.08) ? draws.whole(0, 6) : undefined,
    isFresh,
    isRejected: draws.chance(0.1),
    kill: draws.chance(0.25) ? { at: draws.whole(0, 8), isSaved: draws.chance(0.5) } : undefined,
    overtaken: draws.chance(0.15) ? draws.pick(["kept", "mined"]) : undefined,
    node: index === 0 || draws.chance(0.5) ? "hostile" : "honest",
    state: isFresh ? "newest" : draws.pick(["newest", "newest", "newest", "older", "none"]),
    twice: draws.chance(0.15) ? draws.pick(["same state", "two states"]) : undefined,
    switches: draws.chance(0.1) ? [draws.whole(0, 12), draws.whole(13, 40)] : undefined,
  };
}

/** Draws a run: the victim's payment, wallet and restarts, and the attacker's lies. */
export function drawScript(
  draws: Draws,
  { otherId, payments }: { otherId: number; payments: number },
): Script {
  const names = Object.keys(themes);
  const drawn = Array.from({ length: draws.whole(0, 3) }, () =>
    draws.pick([...names, "receipts", "replacements"]),
  );
  return {
    attempts: Array.from({ length: draws.whole(1, 5) }, (_, index) => drawAttempt(draws, index)),
    broadcasts: Array.from({ length: draws.whole(1, 3) }, () => drawBroadcast(draws)),
    hasChain: draws.chance(0.5),
    hasNonceManager: draws.chance(0.2),
    hasReader: draws.chance(0.4),
    isPlainWallet: draws.chance(0.5),
    lies: [...new Set(drawn)].flatMap((name) => themes[name]?.(draws, otherId) ?? []),
    maximumFee: draws
      .pick([undefined, parseEther("0.001"), parseEther("0.01"), parseEther("0.5")])
      ?.toString(),
    liar: draws.pick([...liars, "both", "both"]),
    payment: draws.whole(0, payments - 1),
    retries: draws.pick([0, 0, 2]),
    wallet: draws.pick([...wallets, "viem", "ethers"]),
  };
}
