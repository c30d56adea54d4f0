import { type Address, zeroAddress } from "viem";
import { lowerHex } from "../../internal/lowerHex.ts";
import type { CallEffect } from "../callEffects.ts";
import type { CallFinding, CallsUnderCheck } from "./CallsUnderCheck.ts";
import { fixedSpending } from "./checkAmounts.ts";

type Emptied = Map<Address, number>;

/** Checks that every token leaves the router, once, after its last use. Anyone can take a remaining balance. */
export function checkSweeps(under: CallsUnderCheck): readonly CallFinding[] {
  const { currency, entries, router } = under;
  const emptied: Emptied = new Map();
  /** Tokens on the router, with the last call that added or used them. */
  const held = new Map<Address, number>(
    currency === zeroAddress || entries.length === 0 ? [] : [[currency, 0]],
  );
  const findings: CallFinding[] = [];
  for (const { effects, index } of entries) {
    for (const effect of effects) {
      findings.push(...afterSweep(effect, emptied));
      follow(effect, { emptied, held, index, router });
    }
  }
  const spent = fixedSpending(under).total;
  if (under.isExactOutput && spent >= under.amount) held.delete(currency);
  return [...findings, ...[...held].map(leftover)];
}

function leftover([token, index]: [Address, number]): CallFinding {
  return {
    code: "LEFTOVER",
    fix: "Sweep it in the last call (cleanupErc20s).",
    index,
    message: `The remaining ${token} stays on the router, where anyone can take it.`,
    severity: "warning",
  };
}

/** Finds uses of a token that an earlier call swept. Reports each sweep once. */
function afterSweep(effect: CallEffect, emptied: Emptied): readonly CallFinding[] {
  if (effect.type === "unknown" || effect.type === "receive" || effect.token === undefined) return [];
  const token = lowerHex(effect.token);
  const index = emptied.get(token);
  const takesNothing = effect.type === "approve" && effect.amount === 0n;
  if (index === undefined || takesNothing) return [];
  emptied.delete(token);
  const name = token === zeroAddress ? "native currency" : token;
  if (effect.type === "sweep") {
    return [
      {
        code: "ZERO_SENTINEL",
        fix: "Give each of them its amount, or leave one out; zero never means nothing.",
        index,
        message: `An amount of zero is the whole balance, so nothing of ${name} is left for the sweep after it.`,
        severity: "error",
      },
    ];
  }
  return [
    {
      code: "SWEEP_BEFORE_SPEND",
      fix: "Move the sweep behind the last call that needs the currency.",
      index,
      message: `It sweeps ${name}, which a later call needs.`,
      severity: "error",
    },
  ];
}

function follow(
  effect: CallEffect,
  state: { emptied: Emptied; held: Map<Address, number>; index: number; router: Address | undefined },
): void {
  const { emptied, held, index, router } = state;
  switch (effect.type) {
    case "sweep":
      if (effect.amount !== 0n) return;
      emptied.set(lowerHex(effect.token), index);
      held.delete(lowerHex(effect.token));
      return;
    case "receive": {
      const token = lowerHex(effect.token);
      if (effect.to !== undefined && lowerHex(effect.to) !== router) return;
      emptied.delete(token);
      // The router itself refunds native currency.
      if (token !== zeroAddress) held.set(token, index);
      return;
    }
    case "spend":
      // The call takes the whole balance, and the proxy sends the rest to a recipient.
      if (effect.amount === undefined && effect.token !== undefined) held.delete(lowerHex(effect.token));
      else touch(held, effect.token, index);
      return;
    case "approve":
    case "transfer":
      touch(held, effect.token, index);
      return;
    case "unknown":
      // An unknown call may return swept tokens.
      emptied.clear();
  }
}

function touch(held: Map<Address, number>, token: Address | undefined, index: number): void {
  if (token !== undefined && held.has(lowerHex(token))) held.set(lowerHex(token), index);
}
