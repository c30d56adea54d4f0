import { type Hex, numberToHex } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { maxUint256, parseAmount } from "../internal/amounts.ts";
import { readHex } from "../internal/readHex.ts";
import { readObject, readText, readUint32 } from "../internal/readParts.ts";
import { readUint256, wireOrderHint } from "../internal/readUint256.ts";
import { show } from "../internal/show.ts";
import {
  type OrderVmType,
  orderVmTypes,
  readVmAddress,
  type VmAddressPlace,
  writeVmAddress,
} from "../internal/vmAddress.ts";
import type { OrderData } from "../schema/quote/order.ts";
import type { Quote } from "../schema/quote/quote.ts";
import { foldOrder } from "./foldOrder.ts";
import { hashReadOrder } from "./hashOrder.ts";
import type { Order } from "./Order.ts";

/** A protocol order in JSON: the `orderData` of a quote. Amounts are decimal strings in smallest units. */
export type WireOrder = OrderData;

export type NormalizeOrderParameters = {
  /** `protocol.v2.orderData` of a quote, untrusted. */
  orderData: WireOrder;
  /** VM types of chains other than EVM chains, `solana` and `hyperliquid`. */
  vmTypes?: ChainVmTypes | undefined;
};

export type NormalizeOrderReturnType = Order;

/**
 * Parses an order from JSON: amounts to `bigint`, addresses to raw bytes. Addresses have 20 bytes on EVM chains and 32
 * on SVM chains. On the perps exchange, accounts have 20, and currencies 16 or more.
 *
 * @returns The order, with hexadecimal in lower case and without unknown fields.
 * @throws {InvalidParameterError} For an invalid field, by path, such as `orderData.inputs[0].payment.amount`.
 *
 * @example
 * import { hashOrder, normalizeOrder, type WireOrder } from "waybill";
 *
 * declare const orderData: WireOrder;
 * const orderId = hashOrder({ order: normalizeOrder({ orderData }) });
 */
export function normalizeOrder({ orderData, vmTypes }: NormalizeOrderParameters): NormalizeOrderReturnType {
  if (vmTypes !== undefined) readObject(vmTypes, "vmTypes");
  return walkOrder(orderData, "orderData", {
    address: readVmAddress,
    amount: (value, parameter) => parseAmount(readText(value, parameter), parameter),
    salt: readSalt,
    vmTypes,
  }) as Order;
}

/** Published orders use hexadecimal; decimal text and small numbers are accepted too. */
function readSalt(value: unknown, parameter: string): bigint {
  const isText = typeof value === "string" && /^(?:0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/.test(value);
  if (isText || (Number.isSafeInteger(value) && (value as number) >= 0)) {
    const salt = BigInt(value as string | number);
    if (salt <= maxUint256) return salt;
  }
  throw new InvalidParameterError({ parameter, reason: "it is not a quantity that fits a uint256" });
}

export type FormatOrderParameters = {
  order: Order;
  /** VM types of chains other than EVM chains, `solana` and `hyperliquid`. */
  vmTypes?: ChainVmTypes | undefined;
};

export type FormatOrderReturnType = WireOrder;

/**
 * Converts an order to JSON, the reverse of `normalizeOrder`: amounts to decimal strings, the salt to 32 bytes in
 * hexadecimal, addresses to their chain's format.
 *
 * @returns The `orderData` of a quote.
 * @throws {InvalidParameterError} For an invalid member, by path, such as `order.output.payments[0].recipient`.
 *
 * @example
 * import { formatOrder, type Order } from "waybill";
 *
 * declare const order: Order;
 * const body = JSON.stringify(formatOrder({ order }));
 */
export function formatOrder({ order, vmTypes }: FormatOrderParameters): FormatOrderReturnType {
  return walkOrder(order, "order", {
    address: writeVmAddress,
    amount: (value, parameter) => readUint256(value, parameter, wireOrderHint).toString(),
    salt: (value, parameter) => numberToHex(readUint256(value, parameter, wireOrderHint), { size: 32 }),
    vmTypes,
  }) as WireOrder;
}

/** The named chains of a proof. */
type NamedChains = readonly { readonly name: string; readonly vmType?: string | undefined }[];

/**
 * Hashes the quote's order: the quote may state the id of another one. Returns that id without an order, and undefined for
 * an order that cannot be hashed.
 */
export function hashQuotedOrder({ protocol }: Pick<Quote, "protocol">, chains: NamedChains): Hex | undefined {
  const { orderData, orderId } = protocol?.v2 ?? {};
  if (orderData === undefined) return orderId;
  const vmTypes = Object.fromEntries(chains.map(({ name, vmType }) => [name, vmType]));
  try {
    return hashReadOrder(normalizeOrder({ orderData, vmTypes: vmTypes as never }));
  } catch {
    return undefined;
  }
}

/** Conversions of an order's members. */
type OrderMembers = {
  address: (value: unknown, place: VmAddressPlace) => string;
  amount: (value: unknown, parameter: string) => bigint | string;
  salt: (value: unknown, parameter: string) => bigint | string;
  vmTypes: ChainVmTypes | undefined;
};

/**
 * Converts an untrusted order between wire JSON and parsed form.
 *
 * @returns The order in the other form, without unknown fields.
 * @throws {InvalidParameterError} For an invalid member, by path.
 */
function walkOrder(order: unknown, parameter: string, members: OrderMembers): unknown {
  return foldOrder<unknown>(order, parameter, {
    leaf: (type, value, { chainId, name, parameter }) => {
      switch (type) {
        case "string":
          return readText(value, parameter);
        case "uint32":
          return readUint32(value, parameter);
        case "uint256":
          return (name === "salt" ? members.salt : members.amount)(value, parameter);
        case "address":
          // The solver is an EVM address on every chain.
          return members.address(value, { parameter, role: "account", vmType: "evm" });
        default: {
          const role = roles[name];
          if (role === undefined) return readHex(value, parameter);
          return members.address(value, { parameter, role, vmType: vmTypeOf(chainId, members.vmTypes) });
        }
      }
    },
    list: (items) => items,
    struct: (_type, fields) => Object.fromEntries(fields),
  });
}

/** Names of `bytes` members that contain addresses. */
const roles: Readonly<Record<string, VmAddressPlace["role"]>> = {
  currency: "currency",
  recipient: "account",
};

/**
 * VM types by the protocol's chain names, such as `{ eclipse: "svm" }`. The service's chain records contain both:
 * `protocol.v2.chainId` and `vmType`.
 */
export type ChainVmTypes = Readonly<Record<string, OrderVmType>>;

/** VM types of the known chains that are not EVM chains, by protocol name. */
const knownVmTypes: ReadonlyMap<string, OrderVmType> = new Map([
  ["hyperliquid", "hypevm"],
  ["solana", "svm"],
]);

/**
 * Returns the VM type of a chain; `evm` for unlisted chains. Their addresses must then be 20 bytes of hex, so those of
 * other VMs are rejected.
 *
 * @throws InvalidParameterError for an unknown VM type in `vmTypes`.
 */
function vmTypeOf(chainId: string, vmTypes: ChainVmTypes = {}): OrderVmType {
  const given = Object.hasOwn(vmTypes, chainId) ? vmTypes[chainId] : undefined;
  const named = given ?? knownVmTypes.get(chainId);
  if (named === undefined) return "evm";
  if (orderVmTypes.includes(named)) return named;
  const reason = `"${show(named)}" is none of ${orderVmTypes.join(", ")}`;
  throw new InvalidParameterError({ parameter: `vmTypes.${chainId}`, reason });
}
