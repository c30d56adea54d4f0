import { type Hex, keccak256 } from "viem";
import { forgeReceipt, forgeReplacement, minedTransaction, shiftQuantity } from "./forgeries.ts";
import type { Sent } from "./purse.ts";
import type { Lie, Script } from "./Script.ts";
import type { Scene, SceneChain } from "./scene.ts";

/** Answer to a request: a result, an error, or a fault of the connection. */
export type Outcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | Extract<Lie, { fault: unknown }>;

/** A node, as the transports of wallets and readers call it. */
export type Node = (method: string, params: readonly unknown[]) => Promise<Outcome>;

/** The network of a run: a hostile node and an honest one, and what they got to see. */
export type Network = {
  readonly hostile: Node;
  readonly honest: Node;
  /** Signed transactions, in order, each once. The attacker reads the honest node's mempool too. */
  readonly sent: readonly Sent[];
  /** Requests, answers and notes, in order. */
  readonly trace: readonly string[];
  note(line: string): void;
  /** Counts of the attacker's answers, by method and kind of lie, or `truth`. */
  readonly told: Readonly<Record<string, number>>;
  /** Sends a transaction of another app: to the origin chain, or to the attacker alone. */
  sendForeign(raw: Hex, end: "kept" | "mined"): Promise<void>;
};

/**
 * Opens the network of a run.
 *
 * @param changeBytes Changes signed bytes before they leave the victim's process.
 */
export function openNetwork(scene: Scene, script: Script, changeBytes: (raw: Hex) => Promise<Hex>): Network {
  const { origin, other } = scene;
  const sent: Sent[] = [];
  const trace: string[] = [];
  const told: Record<string, number> = {};
  const counts = new Map<string, number>();
  const waiting: { at: number; chains: readonly SceneChain[]; raw: Hex }[] = [];
  let requests = 0;

  const keep = (raw: Hex): void => {
    const hash = keccak256(raw);
    if (!sent.some((each) => each.hash === hash)) sent.push({ hash, raw });
  };
  const count = (method: string, lie?: Lie): void => {
    const name = `${method} ${kindOf(lie)}`;
    told[name] = (told[name] ?? 0) + 1;
  };
  const forwardDue = async () => {
    for (const each of waiting.filter(({ at }) => at <= requests)) {
      waiting.splice(waiting.indexOf(each), 1);
      for (const chain of each.chains) await ask(chain, "eth_sendRawTransaction", [each.raw]);
    }
  };
  /** The first lie whose window has this answer. */
  const lieAbout = (method: string, params: readonly unknown[]): Lie | undefined => {
    const index = counts.get(method) ?? 0;
    counts.set(method, index + 1);
    const names = [method, "*", `${method} ${calledFunction(params)}`];
    return script.lies.find(
      (each) => names.includes(each.method) && index >= each.from && index < each.from + each.count,
    )?.lie;
  };
  const tell = async (lie: Lie, method: string, params: readonly unknown[]): Promise<Outcome> => {
    count(method, lie);
    if ("fault" in lie || "error" in lie || "result" in lie) return lie;
    if ("silence" in lie) return new Promise(() => undefined);
    if ("chain" in lie) return ask(other, method, params);
    if ("receipt" in lie) {
      const head = Number(await origin.rpc("eth_blockNumber", []));
      return { result: forgeReceipt(scene, lie.receipt, params[0] as Hex, head) };
    }
    if ("found" in lie)
      return { result: minedTransaction(scene, { fields: lie.found, hash: params[0] as Hex }) };
    if ("fill" in lie) return { result: { raw: "0x", tx: { ...(params[0] as object), ...lie.fill } } };
    const truth = await ask(origin, method, params);
    if (!("result" in truth)) return truth;
    if ("shift" in lie) return { result: shiftQuantity(truth.result, lie.shift) };
    if ("replacement" in lie) {
      return { result: forgeReplacement(scene, truth.result, { kind: lie.replacement, sent }) };
    }
    return { result: { ...(truth.result as object), ...lie.fields } };
  };
  const broadcast = async (raw: Hex): Promise<Outcome> => {
    keep(raw);
    const index = Math.min(sent.length, script.broadcasts.length) - 1;
    const { after, answer, to } = script.broadcasts[index] ?? { after: 0, answer: undefined, to: ["origin"] };
    const chains = to.map((name) => (name === "origin" ? origin : other));
    waiting.push({ at: requests + after, chains, raw });
    await forwardDue();
    if (answer !== undefined) return tell(answer, "eth_sendRawTransaction", [raw]);
    count("eth_sendRawTransaction");
    return { result: keccak256(raw) };
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
      const lie = lieAbout(method, params);
      if (lie !== undefined) return tell(lie, method, params);
      count(method);
      return ask(origin, method, params);
    }),
    note: (line) => trace.push(line),
    sendForeign: async (raw, end) => {
      sent.push({ hash: keccak256(raw), isForeign: true, raw });
      if (end === "mined") await ask(origin, "eth_sendRawTransaction", [raw]);
    },
    sent,
    told,
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

function kindOf(lie: Lie | undefined): string {
  if (lie === undefined) return "truth";
  if ("error" in lie) return `error ${lie.error.code}`;
  return "fault" in lie ? lie.fault : (Object.keys(lie)[0] ?? "");
}

/** The function of a call that tests lie about. */
function calledFunction([call]: readonly unknown[]): string | undefined {
  const { data, input = data } = (call ?? {}) as { data?: string; input?: string };
  return { "0x70a08231": "balanceOf", "0xdd62ed3e": "allowance" }[String(input).slice(0, 10)];
}

function cut(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
