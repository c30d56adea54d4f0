import { readList, readObject } from "../internal/readParts.ts";
import { type TypeMember, typeMembers } from "../internal/typeMembers.ts";

/** EIP-712 types of an order. In `Output`, the deadline precedes the calls, unlike in JSON. */
export const orderTypes: Readonly<Record<string, string>> = {
  Fee: "string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount",
  Input: "InputPayment payment,InputRefund[] refunds",
  InputPayment: "string chainId,bytes currency,uint256 amount,uint256 weight",
  InputRefund:
    "string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData",
  Order:
    "string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees",
  Output: "string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData",
  OutputPayment: "bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount",
};

type Member = TypeMember & {
  /** The member with its chain; undefined if the parent struct has it. */
  readonly chain: string | undefined;
};

export const orderMembers: Readonly<Record<string, Member[]>> = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries(orderTypes).map(([struct, text]) => [struct, membersOf(text)]),
);

/** Position of a value in an order. */
type OrderPlace = {
  /** Protocol name of its chain; text if that member is valid. */
  readonly chainId: string;
  /** Name of the member, or of its list. */
  readonly name: string;
  /** Full path, for errors. */
  readonly parameter: string;
};

/** Maps the parts of an order to results, innermost first. */
export type OrderFold<Result> = {
  /** A leaf, by its EIP-712 type. */
  readonly leaf: (type: string, value: unknown, place: OrderPlace) => Result;
  readonly list: (items: readonly Result[]) => Result;
  /** Members by name, in the order of the type. */
  readonly struct: (type: string, members: readonly (readonly [string, Result])[]) => Result;
};

/**
 * Folds an untrusted order from its leaves up. Drops unknown fields.
 *
 * @throws {InvalidParameterError} For a member that is no object or no list, by name; errors of `fold`.
 */
export function foldOrder<Result>(order: unknown, parameter: string, fold: OrderFold<Result>): Result {
  return foldMember("Order", order, { chainId: "", name: "", parameter }, fold);
}

function foldMember<Result>(
  type: string,
  value: unknown,
  place: OrderPlace,
  fold: OrderFold<Result>,
): Result {
  if (type.endsWith("[]")) {
    const one = type.slice(0, -2);
    const read = (item: unknown, parameter: string) => foldMember(one, item, { ...place, parameter }, fold);
    return fold.list(readList(value, place.parameter, read));
  }
  const members = orderMembers[type];
  if (members === undefined) return fold.leaf(type, value, place);
  const fields = readObject(value, place.parameter);
  return fold.struct(
    type,
    members.map(({ chain, name, type: inner }) => {
      const chainId = chain === undefined ? place.chainId : (fields[chain] as string);
      const at = { chainId, name, parameter: `${place.parameter}.${name}` };
      return [name, foldMember(inner, fields[name], at, fold)];
    }),
  );
}

function membersOf(text: string): Member[] {
  const members = typeMembers(text);
  return members.map(({ name, type }) => {
    const names = [`${name}ChainId`, "chainId"];
    const chain = names.find((each) => members.some((member) => member.name === each));
    return { chain, name, type };
  });
}
