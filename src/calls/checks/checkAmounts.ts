import { zeroAddress } from "viem";
import { lowerHex } from "../../internal/lowerHex.ts";
import type { CallFinding, CallsUnderCheck } from "./CallsUnderCheck.ts";

/** Compares the amounts of the calls with the amount of the quote. */
export function checkAmounts(under: CallsUnderCheck): readonly CallFinding[] {
  return [...checkValues(under), ...checkSpent(under), ...checkFixed(under)];
}

/** With native output, `amount` is the sum of the calls' values (specification, `POST /quote/v2`). */
function checkValues({ amount, currency, entries, isExactOutput }: CallsUnderCheck): readonly CallFinding[] {
  if (entries.length === 0) return [];
  const sum = entries.reduce((total, { call }) => total + call.value, 0n);
  if (currency === zeroAddress) {
    if (!isExactOutput || sum === amount) return [];
    return [
      {
        code: "VALUE_SUM",
        fix: `Ask for an amount of ${sum}, or change the values.`,
        index: undefined,
        message: `The values of the calls are ${sum} together, but the amount is ${amount}.`,
        severity: "error",
      },
    ];
  }
  const first = entries.find(({ call }) => call.value > 0n);
  if (first === undefined || entries.slice(0, first.index).some(bringsNative)) return [];
  return [
    {
      code: "VALUE_SUM",
      fix: "Ask for native currency, or unwrap it in a call before.",
      index: first.index,
      message: `It sends ${first.call.value} wei, but the router is paid in ${currency}.`,
      severity: "error",
    },
  ];
}

function bringsNative({ effects }: CallsUnderCheck["entries"][number]): boolean {
  return effects.some(({ type, ...effect }) =>
    type === "unknown" ? true : type === "receive" && "token" in effect && effect.token === zeroAddress,
  );
}

/** With an exact token output, the calls can spend no more than that. */
function checkSpent(under: CallsUnderCheck): readonly CallFinding[] {
  if (!under.isExactOutput || under.currency === zeroAddress) return [];
  const { entries, total } = fixedSpending(under);
  const [last] = entries.slice(-1);
  if (last === undefined || total <= under.amount) return [];
  return [
    {
      code: "AMOUNT_EXCEEDED",
      fix: `Ask for an amount of ${total}, or spend less.`,
      index: last.index,
      message: `The calls spend ${total} of ${under.currency}, but the amount is ${under.amount}.`,
      severity: "error",
    },
  ];
}

/** With a fixed input, the output is unknown when the calls are composed (specification, call-execution rule 3). */
function checkFixed(under: CallsUnderCheck): readonly CallFinding[] {
  if (!under.isExactInput) return [];
  return fixedSpending(under).entries.map(({ amount, index }) => ({
    code: "FIXED_AMOUNT",
    fix: "Use EXACT_OUTPUT, or a proxy step that reads the live balance.",
    index,
    message: `It spends ${amount}, but with EXACT_INPUT the amount that arrives is only known when it arrives.`,
    severity: "warning",
  }));
}

/** Sums the fixed amounts of the destination currency that the calls spend. */
export function fixedSpending({ currency, entries }: CallsUnderCheck): {
  readonly entries: readonly { readonly amount: bigint; readonly index: number }[];
  readonly total: bigint;
} {
  const found = entries.flatMap(({ effects, index }) =>
    effects.flatMap((effect) => {
      if (effect.type !== "spend" && effect.type !== "transfer") return [];
      const { amount, token } = effect;
      // A vault deposit does not name its asset: assumes the destination currency.
      const isOurs = token === undefined ? currency !== zeroAddress : lowerHex(token) === currency;
      return isOurs && amount !== undefined && amount > 0n ? [{ amount, index }] : [];
    }),
  );
  return { entries: found, total: found.reduce((sum, { amount }) => sum + amount, 0n) };
}
