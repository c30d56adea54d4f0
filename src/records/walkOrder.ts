import { readHex } from "../internal/readHex.ts";
import { readText, readUint32 } from "../internal/readParts.ts";
import type { VmAddressPlace } from "../internal/vmAddress.ts";
import { foldOrder } from "./foldOrder.ts";
import { type ChainVmTypes, vmTypeOf } from "./vmTypeOf.ts";

/** Conversions of an order's members. */
export type OrderMembers = {
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
