import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { show } from "./show.ts";

/** Fields of an untrusted object. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads an object whose fields are read next.
 *
 * @throws InvalidParameterError when it is something else, a list included.
 *
 * @example
 * readObject({ amount: "1" }, "payment").amount; // "1"
 */
export function readObject(value: unknown, parameter: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new InvalidParameterError({ parameter, reason: "it is not an object" });
}

/**
 * Reads a list, item by item.
 *
 * @param read Reads one item; it gets the item's place.
 * @throws InvalidParameterError when it is something else, and whatever `read` throws.
 *
 * @example
 * readList(["0x12"], "calls", readHex); // ["0x12"]
 */
export function readList<Item>(
  value: unknown,
  parameter: string,
  read: (item: unknown, parameter: string) => Item,
): Item[] {
  if (!Array.isArray(value)) throw new InvalidParameterError({ parameter, reason: "it is not a list" });
  const items: Item[] = [];
  // A gap in a list is no item, and `map` would pass over it.
  for (let index = 0; index < value.length; index++) items.push(read(value[index], `${parameter}[${index}]`));
  return items;
}

/**
 * Reads text.
 *
 * @throws InvalidParameterError when it is something else.
 *
 * @example
 * readText("base", "chainId"); // "base"
 */
export function readText(value: unknown, parameter: string): string {
  if (typeof value === "string") return value;
  throw new InvalidParameterError({ parameter, reason: "it is not a text" });
}

/**
 * Reads a number of 32 bits, such as a deadline in unix seconds.
 *
 * @throws InvalidParameterError when it is something else.
 *
 * @example
 * readUint32(1_777_339_792, "deadline"); // 1777339792
 */
export function readUint32(value: unknown, parameter: string): number {
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 32)
    return value as number;
  throw new InvalidParameterError({ parameter, reason: "it is not a uint32" });
}

/**
 * Reads a chain id.
 *
 * @throws InvalidParameterError when it is not a whole number above zero that floating point holds exactly.
 *
 * @example
 * readChainId(8453, "originChainId"); // 8453
 */
export function readChainId(value: unknown, parameter: string): number {
  if (Number.isSafeInteger(value) && (value as number) > 0) return value as number;
  throw new InvalidParameterError({ parameter, reason: `"${show(value)}" is not a positive safe integer` });
}
