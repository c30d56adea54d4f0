import { type Address, maxUint256, zeroAddress } from "viem";
import { lowerHex } from "../../internal/lowerHex.ts";
import type { CallEffect } from "../callEffects.ts";
import type { CallFinding, CallsUnderCheck, CheckedCall } from "./CallsUnderCheck.ts";

/** An allowance at some point of the calls. */
type Allowance = {
  amount: bigint;
  readonly index: number;
  readonly spender: Address;
  readonly token: Address;
  /** Whether a later call went to the spender. */
  isUsed: boolean;
};

type State = {
  readonly allowances: Map<string, Allowance>;
  readonly findings: CallFinding[];
  /** Recipients of earlier transfers, which may need no approval. */
  readonly paid: Set<Address>;
  readonly under: CallsUnderCheck;
};

/**
 * Checks that every call has the allowance it spends and that none is left at the end. An approval may be missing, too
 * small, or of the wrong contract (specification, "Errors").
 */
export function checkAllowances(under: CallsUnderCheck): readonly CallFinding[] {
  const state: State = { allowances: new Map(), findings: [], paid: new Set(), under };
  for (const entry of under.entries) for (const effect of entry.effects) step(state, entry, effect);
  for (const allowance of state.allowances.values()) atEnd(state, allowance);
  return state.findings;
}

function step(state: State, entry: CheckedCall, effect: CallEffect): void {
  switch (effect.type) {
    case "approve":
      approve(state, entry, effect);
      return;
    case "transfer":
      state.paid.add(lowerHex(effect.to));
      return;
    case "spend":
      if (effect.needsApproval) spend(state, entry, effect);
      return;
    case "unknown":
      callUnknown(state, entry);
      return;
    default:
  }
}

function approve(
  { allowances, findings, under }: State,
  { index }: CheckedCall,
  effect: CallEffect & { type: "approve" },
): void {
  const { amount } = effect;
  const token = lowerHex(effect.token);
  const spender = lowerHex(effect.spender);
  const key = `${token} ${spender}`;
  const standing = allowances.get(key)?.amount;
  if (under.resetTokens.has(token) && amount !== 0n && standing !== 0n) {
    findings.push({
      code: "APPROVAL_NOT_RESET",
      fix: "Approve zero first: `approve` with `resetFirst`.",
      index,
      message:
        standing === undefined
          ? `${token} refuses to change an allowance, and the router is shared: somebody may have left one.`
          : `${token} refuses to change the allowance of ${standing} that an earlier call gave.`,
      severity: standing === undefined ? "warning" : "error",
    });
  }
  allowances.set(key, { amount, index, isUsed: false, spender, token });
}

function spend(state: State, entry: CheckedCall, effect: CallEffect & { type: "spend" }): void {
  const { amount } = effect;
  const allowance = standingFor(state, entry.target, effect.token);
  if (allowance === undefined) {
    state.findings.push(unapproved(state, entry, effect.token, "error"));
    return;
  }
  allowance.isUsed = true;
  if (amount !== undefined && allowance.amount < amount) {
    state.findings.push({
      code: "APPROVAL_SHORT",
      fix: `Approve ${amount}.`,
      index: allowance.index,
      message: `It approves ${allowance.amount}, but call ${entry.index} takes ${amount}.`,
      severity: "error",
    });
    allowance.amount = 0n;
  } else if (allowance.amount !== maxUint256) {
    // A proxy takes the whole allowance or balance.
    allowance.amount -= amount ?? allowance.amount;
  }
}

function callUnknown(state: State, entry: CheckedCall): void {
  const { paid, under } = state;
  const { target } = entry;
  const allowance = standingFor(state, target, undefined);
  if (allowance !== undefined) {
    allowance.isUsed = true;
    // The amount is unknown: assumes all of a limited allowance.
    if (allowance.amount !== maxUint256) allowance.amount = 0n;
    return;
  }
  const needsNone =
    under.currency === zeroAddress ||
    target === under.currency ||
    target === under.router ||
    paid.has(target);
  if (!needsNone && !isToken(state, target)) {
    state.findings.push(unapproved(state, entry, undefined, "warning"));
  }
}

/** The allowance that a call of `target` can use. */
function standingFor(
  { allowances }: State,
  target: Address,
  token: Address | undefined,
): Allowance | undefined {
  return [...allowances.values()].find(
    (allowance) =>
      allowance.amount > 0n &&
      allowance.spender === target &&
      (token === undefined || allowance.token === lowerHex(token)),
  );
}

/** Reports an approval of the wrong contract rather than a missing approval. */
function unapproved(
  state: State,
  { call, index }: CheckedCall,
  token: Address | undefined,
  severity: CallFinding["severity"],
): CallFinding {
  const stray = [...state.allowances.values()].find(
    (allowance) =>
      !allowance.isUsed &&
      allowance.amount > 0n &&
      (token === undefined || allowance.token === lowerHex(token)) &&
      !isCalledAfter(state, allowance),
  );
  if (stray === undefined) {
    return {
      code: "APPROVAL_MISSING",
      fix: `Approve ${call.to} in a call before it.`,
      index,
      message: `It is called without an approval of ${token ?? "any token"} before it.`,
      severity,
    };
  }
  stray.isUsed = true;
  stray.amount = 0n;
  return {
    code: "APPROVAL_MISDIRECTED",
    fix: `Approve ${call.to}, unless it has ${stray.spender} take the token.`,
    index: stray.index,
    message: `It approves ${stray.spender}, but call ${index} goes to ${call.to}.`,
    severity,
  };
}

function isCalledAfter({ under }: State, { index, spender }: Allowance): boolean {
  return under.entries.slice(index + 1).some(({ target }) => target === spender);
}

function isToken({ allowances, under }: State, target: Address): boolean {
  return (
    under.resetTokens.has(target) || [...allowances.values()].some((allowance) => allowance.token === target)
  );
}

function atEnd({ findings, under }: State, { amount, index, isUsed, spender, token }: Allowance): void {
  if (amount === 0n) return;
  const next = under.entries[index + 1];
  if (!isUsed && next !== undefined) {
    findings.push({
      code: "APPROVAL_MISDIRECTED",
      fix: `Approve the contract that is called, or leave the approval out.`,
      index,
      message: `It approves ${spender}, which no later call goes to; the next one goes to ${next.call.to}.`,
      severity: "warning",
    });
    return;
  }
  findings.push({
    code: "ALLOWANCE_LEFT",
    fix: `Approve zero behind the last call that needs it.`,
    index,
    message: `${spender} can still take ${token} from the shared router.`,
    severity: "warning",
  });
}
