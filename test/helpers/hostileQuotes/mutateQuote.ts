import { formatUnits, type Hex, keccak256, toFunctionSelector, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Quote } from "../../../src/client/index.ts";
import type { ExecutionState } from "../../../src/execute/index.ts";
import { hashOrder } from "../../../src/records/hashOrder.ts";
import { normalizeOrder } from "../../../src/records/normalizeOrder.ts";
import type { Draws } from "../seededDraws.ts";
import { closeCalldata, openCalldata } from "./calldataTree.ts";
import { changePlace, type Keys, type Palette, placesIn, read, write } from "./changes.ts";
import { drawHostileStep, drawRouterCall } from "./hostileSteps.ts";
import { type Mutant, type Stage, thief } from "./stage.ts";

type ItemState = ExecutionState["items"][number];

/** Probability of each mutation, in percent. */
const ways: readonly (readonly [number, (stage: Stage, draws: Draws) => Mutant])[] = [
  [52, mutateFields],
  [8, mutateEverywhere],
  [8, mutateOrder],
  [8, serveAnother],
  [5, graft],
  [12, addSteps],
  [4, spoilCalls],
  [4, appendSteps],
  [4, spoilState],
];

/** Draws a mutant of an honest quote. */
export function drawMutant(stage: Stage, draws: Draws): Mutant {
  // Few routes have approvals or signatures: their mutants would hardly be drawn among 500.
  const rare = [
    ...(approvalPlaces(stage).length > 0 ? [mutateApproval] : []),
    ...(hasSignature(stage) ? [appendSteps] : []),
  ];
  if (rare.length > 0 && draws.chance(0.4)) return draws.pick(rare)(stage, draws);
  const bag = ways.flatMap(([weight, way]) => Array.from({ length: weight }, () => way));
  const way = draws.pick(bag);
  return way(stage, draws);
}

/** A mutant's place in a run over all fields: its route, the number of routes, and the route's turns so far. */
export type Turn = { readonly lane: number; readonly lanes: number; readonly turn: number };

/** Changes every field in turn. Display fields are divided among the routes, because all routes have them. */
export function mutantInTurn(stage: Stage, draws: Draws, { lane, lanes, turn }: Turn): Mutant {
  const visited = openedQuote(stage).places.filter(
    (path, index) => money.test(path.join(".")) || index % lanes === lane,
  );
  const place = visited[turn % visited.length];
  return place === undefined ? mutateFields(stage, draws) : mutantOf(stage, [place], draws);
}

const money =
  /^(?:steps\..*\.(?:data|status)|protocol|details\.(?:currency|sender|recipient))|^steps(?:\.\d+(?:\.items)?)?$/;

type Opened = { readonly tree: unknown; readonly places: readonly Keys[] };
const opened = new WeakMap<Stage, Opened>();

/** The quote with its calldata opened, once for all its mutants. */
function openedQuote(stage: Stage): Opened {
  const tree = opened.get(stage)?.tree ?? openCalldata(stage.quote);
  const known = opened.get(stage) ?? { places: placesIn(tree), tree };
  opened.set(stage, known);
  return known;
}

/** Changes places of a quote whose calldata is opened, and closes it again. */
function mutantOf(stage: Stage, places: readonly Keys[], draws: Draws): Mutant {
  const tree = structuredClone(openedQuote(stage).tree);
  const names = places.map((place) => changePlace(tree, place, paletteOf(stage), draws));
  return { name: names.join(" & "), quote: closeCalldata(tree) as Quote };
}

const signed = /^steps.*\.data\.(?:data|to|value|sign)/;
/** Signed and sent fields are drawn more often than display fields. */
const weights = [
  ...[signed, signed, signed, signed, signed, /^steps/],
  ...[/^protocol/, /^protocol/, /^protocol/, /^details\.currency/, /^details/, /./],
];

function mutateFields(stage: Stage, draws: Draws): Mutant {
  const weighed = draws.pick(weights);
  const { places: all, tree } = openedQuote(stage);
  const fitting = all.filter((path) => weighed.test(path.join(".")));
  const like = (form: RegExp) => fitting.filter((path) => form.test(String(read(tree, path))));
  // Other accounts and amounts are what an attacker wants.
  const [accounts, amounts] = [like(/^0x[0-9a-fA-F]{40}$/), like(/^\d+$/)];
  const kinds = [accounts, accounts, accounts, amounts, fitting].filter((each) => each.length > 0);
  const some = draws.pick(kinds);
  const places = Array.from({ length: draws.pick([1, 1, 1, 2, 3]) }, () => draws.pick(some));
  return mutantOf(stage, places, draws);
}

/** Spenders and amounts of the quote's approvals. */
function approvalPlaces(stage: Stage): readonly Keys[] {
  const { places, tree } = openedQuote(stage);
  return places.filter(
    (path) => path.at(-2) === "args" && read(tree, [...path.slice(0, -2), "$call"]) === approve,
  );
}

const approve = toFunctionSelector("approve(address,uint256)");

function mutateApproval(stage: Stage, draws: Draws): Mutant {
  return mutantOf(stage, [draws.pick(approvalPlaces(stage))], draws);
}

/** Replaces a value by another everywhere, calldata included. */
function mutateEverywhere(stage: Stage, draws: Draws): Mutant {
  const { accounts, fixture, quote } = stage;
  const palette = paletteOf(stage);
  const { currencyIn, currencyOut } = quote.details;
  const orderId = quote.protocol?.v2?.orderId ?? `0x${"00".repeat(32)}`;
  const amount = (text: string) => BigInt(text).toString(16).padStart(64, "0");
  const changed = (text: string, change: (value: bigint) => bigint) => change(BigInt(text));
  const pairs: readonly (readonly [string, string])[] = [
    [accounts.recipient, draws.pick(palette.addresses)],
    [accounts.user, draws.pick(palette.addresses)],
    [fixture.alpha.info.contracts.depository, draws.pick(palette.addresses)],
    [fixture.emulator.info.solver, draws.pick(palette.addresses)],
    [currencyIn.currency.address, draws.pick(palette.addresses)],
    [currencyOut.currency.address, draws.pick(palette.addresses)],
    [orderId, draws.pick(palette.words)],
    [String(quote.steps[0]?.requestId), draws.pick(palette.words)],
    ...[currencyIn.amount, currencyOut.amount, currencyOut.minimumAmount ?? "1"].map((old) => {
      const change = draws.pick([
        (n: bigint) => n + 1n,
        (n: bigint) => n * 10n,
        (n: bigint) => n / 2n,
        () => 1n,
      ]);
      return [old, changed(old, change).toString()] as const;
    }),
  ];
  const [from, to] = draws.pick(pairs);
  const isAmount = /^\d+$/.test(from);
  let text = JSON.stringify(quote);
  if (isAmount) {
    text = text.replaceAll(`"${from}"`, `"${to}"`).replaceAll(new RegExp(amount(from), "gi"), amount(to));
  } else {
    text = text.replaceAll(new RegExp(from.slice(2), "gi"), to.slice(2).toLowerCase());
  }
  return { name: `everywhere ${from} is ${to}`, quote: JSON.parse(text, showAmount) as Quote };
}

/** Formats each amount anew: a contradiction in the display alone would have the quote refused. */
function showAmount(_: string, value: unknown): unknown {
  const { amount, amountFormatted, currency } = Object(value) as Partial<Quote["details"]["currencyIn"]>;
  if (typeof amountFormatted !== "string" || amount === undefined || currency === undefined) return value;
  return Object.assign(value as object, { amountFormatted: formatUnits(BigInt(amount), currency.decimals) });
}

/** Replaces the order and its id everywhere; the attacker signs it, or its old signature stays. */
function mutateOrder(stage: Stage, draws: Draws): Mutant {
  const { protocol } = stage.quote;
  const old = protocol?.v2?.orderId;
  if (protocol?.v2?.orderData === undefined || old === undefined) return mutateFields(stage, draws);
  const order = structuredClone(protocol.v2.orderData);
  const name = changePlace(order, draws.pick(placesIn(order)), paletteOf(stage), draws);
  const isSolver = draws.chance(0.3);
  if (isSolver) write(order, ["solver"], attackersKey.address);
  const fresh = hashOrder({ order: normalizeOrder({ orderData: order }) });
  const text = JSON.stringify({ ...stage.quote, protocol: { v2: { ...protocol.v2, orderData: order } } });
  const quote = JSON.parse(text.replaceAll(new RegExp(old.slice(2), "gi"), fresh.slice(2))) as Quote;
  return { name: `order re-hashed: ${name}${isSolver ? ", another solver" : ""}`, quote };
}

const attackersKey = privateKeyToAccount(keccak256(toHex("a solver that nobody knows")));

/** Answers with another quote of the same service, which its solver fills. */
function serveAnother({ donors }: Stage, draws: Draws): Mutant {
  return { name: "another quote of the service as a whole", quote: structuredClone(draws.pick(donors)) };
}

/** Replaces a part by that of another quote of the same service. */
function graft(stage: Stage, draws: Draws): Mutant {
  const donor = draws.pick(stage.donors);
  const paths = placesIn(stage.quote).filter(
    (path) => typeof read(stage.quote, path) === "object" && path[0] !== "fees",
  );
  const names = new Set(["protocol", "steps"]);
  const near = paths.filter(([first]) => names.has(String(first)));
  const quote = structuredClone(stage.quote);
  const drawn = Array.from({ length: draws.whole(1, 3) }, () => draws.pick(draws.chance(0.8) ? near : paths));
  for (const path of drawn) {
    const part = read(donor, path);
    if (part !== undefined) write(quote, path, structuredClone(part));
  }
  if (draws.chance(0.3)) delete (quote as { protocol?: unknown }).protocol;
  return { name: `grafted ${drawn.map((path) => path.join(".")).join(" and ")}`, quote };
}

/** Inserts steps and items before, between or after the honest ones, or replaces those. */
function addSteps(stage: Stage, draws: Draws): Mutant {
  const quote = structuredClone(stage.quote);
  const hostile = Array.from({ length: draws.whole(1, 2) }, () => drawHostileStep(stage, draws));
  const place = draws.pick(["before", "behind", "instead", "item", "instead of the last"] as const);
  if (place === "before") quote.steps.unshift(...hostile);
  if (place === "behind") quote.steps.push(...hostile);
  if (place === "instead") quote.steps = hostile;
  if (place === "instead of the last") quote.steps.splice(-1, 1, ...hostile);
  const [first] = hostile;
  if (place === "item" && first !== undefined)
    draws.pick(quote.steps).items.push(...(first.items as never[]));
  // Items marked as complete are not executed.
  if (draws.chance(0.3))
    for (const { items } of quote.steps.slice(0, -1)) for (const item of items) item.status = "complete";
  const withoutOrder = draws.chance(0.25);
  if (withoutOrder) delete (quote as { protocol?: unknown }).protocol;
  const named = hostile.map(({ id, kind }) => `${kind} ${id}`).join(" and ");
  return { name: `${named} ${place}${withoutOrder ? ", no order" : ""}`, quote };
}

/** Inserts the attacker's calls among those of the service's router. */
function spoilCalls(stage: Stage, draws: Draws): Mutant {
  const tree = structuredClone(openedQuote(stage).tree);
  const lists = placesIn(tree).filter((path) => {
    const [first] = [read(tree, path)].flat();
    return (
      typeof path.at(-1) === "string" &&
      typeof first === "object" &&
      first !== null &&
      "allowFailure" in first
    );
  });
  if (lists.length === 0) return addSteps(stage, draws);
  const calls = read(tree, draws.pick(lists)) as unknown[];
  const router = stage.fixture.alpha.info.contracts.v3.erc20Router;
  const hostile = drawRouterCall(stage, draws, router);
  const place = draws.whole(0, calls.length);
  calls.splice(place, draws.pick([0, 0, 1]), { ...hostile, value: hostile.value.toString() });
  return {
    name: `a call of the router at ${place}: ${hostile.callData.slice(0, 10)}`,
    quote: closeCalldata(tree) as Quote,
  };
}

/** Steps that the service appends to its answer to a signature. */
function appendSteps(stage: Stage, draws: Draws): Mutant {
  if (!hasSignature(stage)) return addSteps(stage, draws);
  const steps = Array.from({ length: draws.whole(1, 2) }, () => drawHostileStep(stage, draws));
  const named = steps.map(({ id, kind }) => `${kind} ${id}`).join(" and ");
  return {
    changeAnswer: (answer) => ({ ...answer, steps }),
    name: `appended after a signature: ${named}`,
    quote: stage.quote,
  };
}

function hasSignature({ quote }: Stage): boolean {
  return quote.steps.some(({ kind }) => kind === "signature");
}

/** A changed saved state: steps that the service never appended, and items marked as complete. */
function spoilState(stage: Stage, draws: Draws): Mutant {
  const { quote } = stage;
  const appended = Array.from({ length: draws.whole(0, 2) }, () => drawHostileStep(stage, draws));
  const items = [...quote.steps, ...appended].flatMap((_, stepIndex) => {
    const key = { itemIndex: 0, stepIndex };
    const txHash = draws.bytes32();
    return draws.pick<readonly ItemState[]>([
      [],
      [],
      [{ ...key, status: "complete" }],
      [{ ...key, status: "sent", txHash }],
      [{ ...key, batchId: txHash, status: "sent" }],
      [{ ...key, fromBlock: 1, status: "sending" }],
    ]);
  });
  const said = items.map(({ status, stepIndex }) => `step ${stepIndex} ${status}`).join(", ");
  const named = appended.map(({ id, kind }) => `${kind} ${id}`).join(" and ");
  const requestId = quote.steps[0]?.requestId as Hex;
  return {
    name: `a saved state with ${named || "no more steps"}: ${said || "nothing begun"}`,
    quote,
    state: { appendedSteps: appended as never, items, requestId, version: 1 },
  };
}

function paletteOf({ accounts, donors, fixture, quote }: Stage): Palette {
  const { contracts, currencies } = fixture.alpha.info;
  const { approvalProxy, depository, erc20Router, multicall3, permit2, relayReceiver, uniswapV2Router, v3 } =
    contracts;
  const ids = [quote, ...donors].flatMap(({ protocol, steps }) => [
    protocol?.v2?.orderId,
    steps[0]?.requestId,
  ]);
  return {
    addresses: [
      ...[thief, accounts.user, accounts.recipient, accounts.callee, fixture.emulator.info.solver],
      ...[approvalProxy, depository, erc20Router, multicall3, permit2, relayReceiver, uniswapV2Router],
      ...[v3.approvalProxy, v3.erc20Router],
      ...[...currencies, ...fixture.beta.info.currencies].map(({ address }) => address),
    ],
    names: [
      ...["alpha", "beta", "approve", "deposit", "complete", "incomplete", "signature", "transaction"],
      ...["Permit", "eip3009", "permit", "permit2"],
    ],
    words: [...ids.filter((id) => id !== undefined), `0x${"0d".repeat(32)}`],
  };
}
