import type { Hex } from "viem";
import { readHex } from "../internal/readHex.ts";
import { readText, readUint32 } from "../internal/readParts.ts";
import type { VmAddressPlace } from "../internal/vmAddress.ts";
import { foldOrder } from "./foldOrder.ts";
import { type ChainVmTypes, vmTypeOf } from "./vmTypeOf.ts";

/** How the members of an order are turned from one form into another. */
export type OrderMembers = {
  address: (value: unknown, place: VmAddressPlace) => string;
  amount: (value: unknown, parameter: string) => bigint | string;
  salt: (value: unknown, parameter: string) => bigint | string;
  vmTypes: ChainVmTypes | undefined;
};

/**
 * Turns an untrusted order into its other form: wire JSON or parsed.
 *
 * @param order In either form.
 * @param parameter Its name for errors.
 * @param members How its members are turned.
 * @returns The order in the other form. Fields that are not part of an order are left out.
 * @throws {InvalidParameterError} Naming the member that does not fit.
 *
 * @example
 * walkOrder(order, "order", { address: writeVmAddress, amount: formatAmount, salt: formatAmount, vmTypes: {} });
 */
export function walkOrder(order: unknown, parameter: string, members: OrderMembers): unknown {
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
          // The solver: an EVM address, whatever the chain.
          return members.address(value, { parameter, role: "account", vmType: "evm" });
        default: {
          const role = roles[name];
          if (role === undefined) return readHex(value, parameter).toLowerCase() as Hex;
          return members.address(value, { parameter, role, vmType: vmTypeOf(chainId, members.vmTypes) });
        }
      }
    },
    list: (items) => items,
    struct: (_type, fields) => Object.fromEntries(fields),
  });
}

/** Bytes that are addresses, by the names of their members. */
const roles: Readonly<Record<string, VmAddressPlace["role"]>> = {
  currency: "currency",
  recipient: "account",
};
