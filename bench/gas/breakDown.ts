import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { type ContractTransactionReceipt, getBytes } from "ethers";
import { flattenCalls, type TracedCall, traceCalls } from "../../test/helpers/contracts/callTrace.ts";

/** Gas by item; negative for a refund. The sum is the transaction's gas. */
export type Breakdown = Readonly<Record<string, number>>;

type StructLog = {
  readonly op: string;
  /** Gas left before the opcode. */
  readonly gas: number;
  readonly gasCost: number;
  readonly depth: number;
};

const BASE = 21_000;
const FIRST_ADDRESS_BEHIND_PRECOMPILES = 0x100n;
const ENTERING = ["CALL", "STATICCALL", "DELEGATECALL"];

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^KECCAK256$/, "hashing"],
  [/^S(LOAD|STORE)$/, "storage"],
  [/^T(LOAD|STORE)$/, "transient storage"],
  [/^LOG\d$/, "events"],
  [/^EXTCODESIZE$/, "reaching other accounts"],
];

/** Functions of tokens and vaults, by selector. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  "0x095ea7b3": "approve",
  "0x137c29fe": "permitWitnessTransferFrom",
  "0x23b872dd": "transferFrom",
  "0x49290c1c": "depositNative",
  "0x6e553f65": "deposit",
  "0x70a08231": "balanceOf",
  "0xa9059cbb": "transfer",
  "0xd505accf": "permit",
  "0xdd62ed3e": "allowance",
  "0xe8017952": "depositErc20",
  "0xef55bec6": "receiveWithAuthorization",
};

/**
 * Breaks a transaction's gas down, from the traces of its opcodes and calls.
 *
 * @param receipt Of the transaction; it must have succeeded.
 * @param ours Contracts whose gas is listed by opcode. Other contracts' gas is listed by called function.
 */
export async function breakDown(
  ethers: HardhatEthers,
  receipt: ContractTransactionReceipt,
  ours: readonly string[],
): Promise<Breakdown> {
  const { data } = await receipt.getTransaction();
  const options = { disableMemory: true, disableStack: true, disableStorage: true };
  const { structLogs }: { structLogs: readonly StructLog[] } = await ethers.provider.send(
    "debug_traceTransaction",
    [receipt.hash, options],
  );
  const [outermost, ...calls] = flattenCalls(await traceCalls(ethers, receipt.hash));
  if (outermost === undefined) throw new Error("The transaction has no trace.");
  const calldata = getBytes(data).reduce((sum, byte) => sum + (byte === 0 ? 4 : 16), 0);
  const items: Record<string, number> = { calldata, transaction: BASE };
  const used = chargeFrames(structLogs, calls, new Set(ours.map((each) => each.toLowerCase())), items);
  const refund = Number(receipt.gasUsed) - BASE - calldata - used;
  if (refund !== 0) items["refund"] = refund;
  return items;
}

/** Charges every opcode of our frames, and every call out of them. Returns the gas of the outermost frame. */
function chargeFrames(
  logs: readonly StructLog[],
  calls: readonly TracedCall[],
  ours: ReadonlySet<string>,
  items: Record<string, number>,
): number {
  const charge = (item: string, gas: number) => {
    items[item] = (items[item] ?? 0) + gas;
  };
  let at = 0;
  let callsSeen = 0;

  const chargeFrame = (isOurs: boolean): number => {
    const depth = logs[at]?.depth;
    let used = 0;
    for (let log = logs[at]; log !== undefined && log.depth === depth; log = logs[at]) {
      at += 1;
      const call = ENTERING.includes(log.op) ? calls[callsSeen++] : undefined;
      const entersOurs = isOurs && call !== undefined && ours.has(call.to.toLowerCase());
      const isEntering = (logs[at]?.depth ?? 0) > log.depth;
      const inside = isEntering ? chargeFrame(entersOurs) : 0;
      const after = logs[at];
      const whole = after?.depth === log.depth ? log.gas - after.gas : log.gasCost;
      used += whole;
      if (!isOurs) continue;
      charge(kindOf(log, call), whole - inside);
      if (call !== undefined && isEntering && !entersOurs) charge(nameOf(call), inside);
    }
    return used;
  };
  return chargeFrame(true);
}

function kindOf({ op }: StructLog, call: TracedCall | undefined): string {
  if (call !== undefined) {
    return BigInt(call.to) < FIRST_ADDRESS_BEHIND_PRECOMPILES
      ? "signature recovery"
      : "reaching other accounts";
  }
  return KINDS.find(([pattern]) => pattern.test(op))?.[1] ?? "decoding, checks and memory";
}

function nameOf({ input }: TracedCall): string {
  const selector = input.slice(0, 10);
  return `inside ${FUNCTIONS[selector] ?? selector}`;
}
