import {
  type Hex,
  hexToBigInt,
  isHex,
  keccak256,
  parseTransaction,
  type TransactionSerialized,
  toHex,
} from "viem";
import type { Lie, Script } from "./Script.ts";
import type { Scene, SceneChain } from "./scene.ts";

/** Answer to a request: a result, an error, or a fault of the connection. */
export type Outcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | Extract<Lie, { fault: unknown }>;

/** A node, as the transports of wallets and readers call it. */
export type Node = (method: string, params: readonly unknown[]) => Promise<Outcome>;

/** Signed bytes that left the victim's process. */
export type Sent = { readonly hash: Hex; readonly raw: Hex };

/** The network of a run: a hostile node and an honest one, and what they got to see. */
export type Network = {
  readonly hostile: Node;
  readonly honest: Node;
  /** Signed transactions, in order, each once. The attacker reads the honest node's mempool too. */
  readonly sent: readonly Sent[];
  /** Requests, answers and notes, in order. */
  readonly trace: readonly string[];
  note(line: string): void;
};

/**
 * Opens the network of a run.
 *
 * @param changeBytes Changes signed bytes before they leave the victim's process.
 */
export function openNetwork(
  { origin, other, victim }: Scene,
  script: Script,
  changeBytes: (raw: Hex) => Promise<Hex>,
): Network {
  const sent: Sent[] = [];
  const trace: string[] = [];
  const counts = new Map<string, number>();
  const waiting: { at: number; chains: readonly SceneChain[]; raw: Hex }[] = [];
  let requests = 0;

  const keep = (raw: Hex): void => {
    const hash = keccak256(raw);
    if (!sent.some((each) => each.hash === hash)) sent.push({ hash, raw });
  };
  const forwardDue = async () => {
    for (const each of waiting.filter(({ at }) => at <= requests)) {
      waiting.splice(waiting.indexOf(each), 1);
      for (const chain of each.chains) await ask(chain, "eth_sendRawTransaction", [each.raw]);
    }
  };
  /** The first lie whose window has this answer. */
  const lieAbout = (method: string): Lie | undefined => {
    const count = counts.get(method) ?? 0;
    counts.set(method, count + 1);
    return script.lies.find(
      (each) =>
        (each.method === method || each.method === "*") &&
        count >= each.from &&
        count < each.from + each.count,
    )?.lie;
  };
  const tell = async (lie: Lie, method: string, params: readonly unknown[]): Promise<Outcome> => {
    if ("fault" in lie || "error" in lie || "result" in lie) return lie;
    if ("chain" in lie) return ask(other, method, params);
    if ("receipt" in lie) return { result: await forgeReceipt(lie.receipt, params) };
    if ("fill" in lie) return { result: { raw: "0x", tx: { ...(params[0] as object), ...lie.fill } } };
    const truth = await ask(origin, method, params);
    if (!("result" in truth)) return truth;
    if ("shift" in lie) return { result: shifted(truth.result, lie.shift) };
    if ("replacement" in lie) return { result: replaced(truth.result, lie.replacement) };
    return { result: { ...(truth.result as object), ...lie.fields } };
  };
  const forgeReceipt = async (
    { blocks, isOther, status }: Extract<Lie, { receipt: unknown }>["receipt"],
    [hash]: readonly unknown[],
  ) => {
    const head = Number(await origin.rpc("eth_blockNumber", []));
    return {
      blockHash: keccak256(toHex(head)),
      blockNumber: toHex(Math.max(head + blocks, 0)),
      contractAddress: null,
      cumulativeGasUsed: "0x5208",
      effectiveGasPrice: "0x1",
      from: victim.address,
      gasUsed: "0x5208",
      logs: [],
      logsBloom: toHex(0, { size: 256 }),
      status,
      to: victim.address,
      transactionHash: isOther ? keccak256(hash as Hex) : hash,
      transactionIndex: "0x0",
      type: "0x2",
    };
  };
  /** A block with another transaction at the victim's newest nonce. */
  const replaced = (block: unknown, call: "other call" | "same call") => {
    const last = sent.at(-1);
    const { transactions } = (block ?? {}) as { transactions?: readonly unknown[] };
    if (last === undefined || transactions === undefined || typeof transactions[0] === "string") return block;
    const { data = "0x", nonce = 0, to, value = 0n } = parseTransaction(last.raw as TransactionSerialized);
    const { number } = block as { number: Hex };
    const isSame = call === "same call";
    const forged = {
      blockNumber: number,
      chainId: toHex(origin.id),
      from: victim.address,
      gas: "0x5208",
      gasPrice: "0x1",
      hash: keccak256(last.hash),
      input: isSame ? data : "0x",
      maxFeePerGas: "0x1",
      maxPriorityFeePerGas: "0x1",
      nonce: toHex(nonce),
      to: isSame ? to : victim.address,
      transactionIndex: "0x0",
      type: "0x2",
      value: isSame ? toHex(value) : "0x0",
    };
    return { ...(block as object), transactions: [...transactions, forged] };
  };
  const broadcast = async (raw: Hex): Promise<Outcome> => {
    keep(raw);
    const index = Math.min(sent.length, script.broadcasts.length) - 1;
    const { after, answer, to } = script.broadcasts[index] ?? { after: 0, answer: undefined, to: ["origin"] };
    const chains = to.map((name) => (name === "origin" ? origin : other));
    waiting.push({ at: requests + after, chains, raw });
    await forwardDue();
    if (answer === undefined) return { result: keccak256(raw) };
    return tell(answer, "eth_sendRawTransaction", [raw]);
  };
  const noting =
    (name: string, node: Node): Node =>
    async (method, params) => {
      const outcome = await node(method, params);
      trace.push(`${name} ${method} ${cut(params)} → ${cut(outcome)}`);
      return outcome;
    };
  return {
    honest: noting("honest", async (method, params) => {
      if (method !== "eth_sendRawTransaction") return ask(origin, method, params);
      const raw = await changeBytes(params[0] as Hex);
      keep(raw);
      return ask(origin, method, [raw]);
    }),
    hostile: noting("hostile", async (method, params) => {
      requests++;
      await forwardDue();
      if (method === "eth_sendRawTransaction") return broadcast(await changeBytes(params[0] as Hex));
      const lie = lieAbout(method);
      return lie === undefined ? ask(origin, method, params) : tell(lie, method, params);
    }),
    note: (line) => trace.push(line),
    sent,
    trace,
  };
}

/** Asks a chain, without lies. */
export async function ask({ rpc }: SceneChain, method: string, params: readonly unknown[]): Promise<Outcome> {
  try {
    return { result: await rpc(method, [...params]) };
  } catch (error) {
    const { code, data, message } = error as { code?: unknown; data?: unknown; message: string };
    return { error: { code: typeof code === "number" ? code : -32603, data, message } };
  }
}

function shifted(value: unknown, by: number): unknown {
  if (!isHex(value)) return value;
  const sum = hexToBigInt(value) + BigInt(by);
  return toHex(sum < 0n ? 0n : sum);
}

function cut(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
