import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { latestHead } from "../chains/rpc.ts";
import type { Context } from "../context/Context.ts";
import { describeAnswer, describeResponse, fromJson, type Input, type Run, toJson } from "./Recording.ts";

type Fetch = (request: Request) => Promise<Response>;

type Parts<Handle extends object> = {
  readonly context: Context;
  readonly fetch: Fetch;
  readonly handle: Handle;
  readonly solver: Parameters<typeof settleSolver>[0]["solver"];
};

/** Passes all inputs of a running emulator through a run, and begins it. */
export function attachRun<Handle extends object>(
  run: Run,
  parts: Parts<Handle>,
): { readonly fetch: Fetch; readonly handle: Handle; begin(): Promise<void> } {
  return {
    begin: () => run.begin({ perform: (input) => perform(input, parts), settle: () => settleSolver(parts) }),
    fetch: (request) => admitRequest(request, run, parts.fetch),
    handle: recordCalls(parts.handle, run),
  };
}

const safe: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

async function admitRequest(request: Request, run: Run, fetch: Fetch): Promise<Response> {
  if (safe.has(request.method)) return fetch(request);
  const body = await request.text();
  const { pathname, search } = new URL(request.url);
  const { method } = request;
  const input: Input = {
    body,
    headers: [...request.headers],
    kind: "http",
    method,
    path: `${pathname}${search}`,
  };
  const { headers, signal, url } = request;
  const again = new Request(url, { headers, method, signal, ...(body !== "" && { body }) });
  return run.admit(input, () => fetch(again), describeAnswer);
}

async function perform<Handle extends object>(
  input: Input,
  { context, fetch, handle }: Parts<Handle>,
): Promise<unknown> {
  switch (input.kind) {
    case "call":
      return (await callByName(handle, input.name, input.args)) ?? null;
    case "http": {
      const { body, headers, method, path } = input;
      const init = { headers, method, ...(body !== "" && { body }) };
      return describeAnswer(await fetch(new Request(`http://localhost${path}`, init)));
    }
    case "rpc": {
      const result = await context.chains.get(input.chainId)?.rpc(input.method, input.params);
      return describeResponse({ result });
    }
    case "tick":
      return null;
  }
}

const reading: ReadonlySet<string> = new Set([
  "deliveries",
  "entries",
  "get",
  "health",
  "list",
  "log",
  "read",
  "snapshots",
]);

/** The handle with its changing functions admitted as inputs, named by their path. */
function recordCalls<Handle extends object>(handle: Handle, run: Run, path = ""): Handle {
  const wrapped = Object.entries(handle).map(([key, value]: [string, unknown]) => {
    const name = path === "" ? key : `${path}.${key}`;
    if (typeof value === "object" && value !== null) return [key, recordCalls(value, run, name)];
    if (typeof value !== "function" || reading.has(key)) return [key, value];
    const act = value as (...args: unknown[]) => Promise<unknown>;
    return [
      key,
      (...args: unknown[]) =>
        run.admit(
          { args: plain(args), kind: "call", name },
          () => act(...args),
          (answer) => answer ?? null,
        ),
    ];
  });
  return Object.fromEntries(wrapped) as Handle;
}

/** Arguments as JSON has them, without what cannot be repeated, such as signals. */
function plain(args: readonly unknown[]): unknown[] {
  const kept = args.map((arg) => {
    if (typeof arg !== "object" || arg === null) return arg;
    return Object.fromEntries(Object.entries(arg).filter(([, value]) => !(value instanceof AbortSignal)));
  });
  return fromJson(toJson(kept)) as unknown[];
}

function callByName(handle: object, name: string, args: readonly unknown[]): Promise<unknown> {
  let found: unknown = handle;
  for (const key of name.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) {
      throw new Error(`the handle has no ${name}`);
    }
    found = (found as Record<string, unknown>)[key];
  }
  return (found as (...args: readonly unknown[]) => Promise<unknown>)(...args);
}

/** Rounds without a change after which nothing more happens. */
const quietRounds = 2;

type Settled = {
  readonly context: Pick<Context, "chains" | "exchange" | "store">;
  readonly solver: {
    wake(): void;
    hold<Result>(work: () => Promise<Result>): Promise<Result>;
  };
};

/** Waits until rounds of the solver change nothing. @returns A digest of events, transactions, blocks and the exchange's ledger. */
async function settleSolver({ context, solver }: Settled): Promise<string> {
  let [before, quiet] = ["", 0];
  while (quiet < quietRounds) {
    solver.wake();
    // The next round begins before the hold.
    await setImmediate();
    await setImmediate();
    const state = await solver.hold(() => stateOf(context));
    quiet = state === before && state !== "" ? quiet + 1 : 0;
    before = state;
  }
  return before;
}

/** Digest of the state; empty while a block was not announced yet. */
async function stateOf({ chains, exchange, store }: Settled["context"]): Promise<string> {
  const heads: string[] = [];
  for (const { head, rpc } of chains.values()) {
    const { hash } = await latestHead(rpc);
    if (hash !== head().hash) return "";
    heads.push(hash);
  }
  const events = await store
    .selectFrom("events")
    .select(["seq", "request_id", "status", "trigger", "at", "data"])
    .orderBy("seq", "desc")
    .limit(50)
    .execute();
  const deposits = await store.selectFrom("deposits").select(["id", "state"]).orderBy("id").execute();
  const transactions = await store
    .selectFrom("transactions")
    .select(["hash", "state"])
    .orderBy("hash")
    .execute();
  const cursors = await store.selectFrom("cursors").selectAll().orderBy("chain_id").execute();
  const ledger = exchange && (await ledgerOf(store));
  const text = JSON.stringify({ cursors, deposits, events, heads, ledger, transactions });
  return createHash("sha256").update(text).digest("hex");
}

/** Actions, balances and signed statements of the perps exchange. */
async function ledgerOf(store: Context["store"]) {
  return {
    actions: await store
      .selectFrom("exchange_actions")
      .select(["id", "hash", "at", "error"])
      .orderBy("id")
      .execute(),
    balances: await store
      .selectFrom("exchange_balances")
      .selectAll()
      .orderBy("account")
      .orderBy("currency")
      .execute(),
    mappings: await store.selectFrom("nonce_mappings").selectAll().orderBy("order_id").execute(),
  };
}
