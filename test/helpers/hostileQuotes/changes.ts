import { isAddress, isHex, maxUint256, zeroAddress } from "viem";
import type { Draws } from "../seededDraws.ts";

/** Replacement values by kind: of the attacker, the service and the caller. */
export type Palette = {
  readonly addresses: readonly string[];
  /** Ids of orders and requests, the attacker's own among them. */
  readonly words: readonly string[];
  /** Names of chains, kinds and statuses. */
  readonly names: readonly string[];
};

/** Names of fields and indexes of lists. */
export type Keys = readonly (string | number)[];
type Container = Record<string | number, unknown>;

/** Lists all values within a tree that can be changed. Selectors stay: another function with these arguments would be noise. */
export function placesIn(value: unknown, path: Keys = []): readonly Keys[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const own = [...path, Array.isArray(value) ? Number(name) : name];
    return name === "$call" || name === "$selector" ? [] : [own, ...placesIn(field, own)];
  });
}

/** Reads a value in a tree; `undefined` if there is none. */
export function read(root: unknown, path: Keys): unknown {
  return path.reduce<unknown>((value, key) => (value as Container | undefined)?.[key], root);
}

/** Replaces a value in a tree. */
export function write(root: unknown, path: Keys, fresh: unknown): void {
  parentOf(root, path)[path.at(-1) ?? ""] = fresh;
}

function parentOf(root: unknown, path: Keys): Container {
  const parent = read(root, path.slice(0, -1));
  if (typeof parent !== "object" || parent === null) throw new Error("nothing to change");
  return parent as Container;
}

/**
 * Changes one place of a tree: replaces its value, drops it, or doubles and moves the entries of its list.
 *
 * @returns What was changed, in words.
 */
export function changePlace(root: unknown, path: Keys, palette: Palette, draws: Draws): string {
  const parent = parentOf(root, path);
  const key = path.at(-1) ?? "";
  const value = parent[key];
  const edits: (readonly [string, () => unknown])[] = [];
  if (Array.isArray(parent)) {
    const index = Number(key);
    edits.push(
      ["dropped", () => parent.splice(index, 1)],
      ["doubled", () => parent.splice(index, 0, structuredClone(value))],
      ["repeated at the end", () => parent.push(structuredClone(value))],
    );
  } else if (!String(key).startsWith("$")) edits.push(["dropped", () => delete parent[key]]);
  if (Array.isArray(value) && value.length > 0) {
    edits.push(["reversed", () => value.reverse()], ["rotated", () => value.push(value.shift())]);
    edits.push(["emptied", () => value.splice(0)]);
  }
  const fresh = replacements(value, palette);
  const isReplaced = fresh.length > 0 && draws.chance(0.85);
  const [name, edit] = isReplaced
    ? (() => {
        const drawn = draws.pick(fresh);
        return [`${JSON.stringify(drawn)}`.slice(0, 80), () => write(root, path, drawn)] as const;
      })()
    : draws.pick(edits);
  edit();
  return `${path.join(".")}: ${name}`;
}

/** Lists other values for a leaf. */
function replacements(value: unknown, palette: Palette): readonly unknown[] {
  return candidates(value, palette).filter((fresh) => JSON.stringify(fresh) !== JSON.stringify(value));
}

function candidates(value: unknown, { addresses, names, words }: Palette): readonly unknown[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return integers(BigInt(Math.trunc(value))).map(Number);
  if (typeof value !== "string") return [];
  if (isAddress(value, { strict: false })) return [...addresses, zeroAddress];
  if (/^-?\d+$/.test(value)) return integers(BigInt(value)).map(String);
  if (!isHex(value)) return [...names, "", `${value}x`];
  const flipped = value.length > 2 ? `${value.slice(0, -1)}${value.endsWith("0") ? "1" : "0"}` : "0x01";
  const shorter = value.length > 3 ? value.slice(0, -2) : "0x";
  const common = ["0x", flipped, shorter, `${value}00`, `${value}${"00".repeat(32)}`];
  if (value.length !== 66) return common;
  const word = (digits: string) => `0x${digits.padStart(64, "0")}`;
  const near = integers(BigInt(value)).filter((fresh) => fresh >= 0n && fresh <= maxUint256);
  return [
    ...common,
    ...words,
    ...addresses.map((address) => word(address.slice(2))),
    ...near.map((fresh) => word(fresh.toString(16))),
  ];
}

function integers(value: bigint): readonly bigint[] {
  const near = [value + 1n, value - 1n, value * 10n, value / 10n, value / 2n, value * 2n, -value];
  return [...near, maxUint256, 2n ** 62n, 1n, 0n];
}
