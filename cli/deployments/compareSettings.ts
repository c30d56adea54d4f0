import { zeroAddress } from "viem";
import type { ContractName } from "../../src/deployment/contracts.ts";
import type { DeploymentParameters } from "../../src/deployment/parameters.ts";
import type { Setting, Settings } from "./readSettings.ts";

/** A setting that is not as expected. */
export type SettingDifference = {
  /** Path of the setting, such as `solvers.0.nativePayee`. */
  readonly setting: string;
  readonly expected: string;
  readonly actual: string;
};

/** Settings of a contract right after its deployment with these parameters. */
export function initialSettings(
  contract: ContractName,
  parameters: DeploymentParameters,
): Settings | undefined {
  if (contract === "PinnedReceiver" || contract === "OrderReceiver") return parameters[contract];
  if (contract !== "ManagedReceiver") return undefined;
  const given = parameters[contract];
  if (given === undefined) return undefined;
  return {
    ...given,
    attributor: zeroAddress,
    isPaused: false,
    pendingOwners: [],
    recipients: [],
    solvers: given.solvers.map((solver) => ({ ...solver, state: "active" })),
  };
}

/**
 * Compares settings to the expected ones. Only expected names are compared; lists are compared whole, in any order.
 */
export function compareSettings(expected: Settings, actual: Settings): readonly SettingDifference[] {
  return compare(expected, actual, []);
}

function compare(
  expected: Setting,
  actual: Setting | undefined,
  path: readonly string[],
): SettingDifference[] {
  const differ = () => [{ actual: textOf(actual), expected: textOf(expected), setting: path.join(".") }];
  if (typeof expected !== "object") return textOf(expected) === textOf(actual) ? [] : differ();
  if (typeof actual !== "object") return differ();
  if (isList(expected) !== isList(actual)) return differ();
  if (isList(expected) && isList(actual)) {
    if (expected.length !== actual.length) return differ();
    const [one, other] = [sorted(expected), sorted(actual)];
    return one.flatMap((each, i) => compare(each, other[i], [...path, `${i}`]));
  }
  return Object.entries(expected).flatMap(([name, value]) =>
    compare(value, (actual as Settings)[name], [...path, name]),
  );
}

function isList(value: Setting): value is readonly Setting[] {
  return Array.isArray(value);
}

/** By what names an entry, so that entries that differ elsewhere meet. */
function sorted(list: readonly Setting[]): readonly Setting[] {
  return list.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function keyOf(entry: Setting): string {
  if (typeof entry !== "object" || isList(entry)) return textOf(entry);
  const { account = "", chainId = "", currency = "", solver = "" } = entry;
  return [solver, currency, account, chainId].map(textOf).join(" ");
}

/** Addresses and hashes in lower case; numbers, however given, in decimals. */
function textOf(value: Setting | undefined): string {
  if (value === undefined) return "nothing";
  if (typeof value !== "object") return String(value).replace(/^0x[0-9a-fA-F]+$/, (hex) => hex.toLowerCase());
  return JSON.stringify(value, (_, each) => (typeof each === "bigint" ? each.toString() : each));
}
