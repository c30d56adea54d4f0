import type { Hex } from "viem";
import { readHex } from "../internal/readHex.ts";
import { type Fields, readList, readObject, readText, readUint32 } from "../internal/readParts.ts";
import type { VmAddressPlace } from "../internal/vmAddress.ts";
import { type ChainVmTypes, vmTypeOf } from "./vmTypeOf.ts";

/** How the members of an order are turned from one form into another. */
export type OrderMembers<Address extends string, Amount, Salt> = {
  address: (value: unknown, place: VmAddressPlace) => Address;
  amount: (value: unknown, parameter: string) => Amount;
  salt: (value: unknown, parameter: string) => Salt;
  vmTypes: ChainVmTypes | undefined;
};

/**
 * Goes through an order of which nothing is known yet, in either form, and makes one of the other form of it.
 *
 * @param value The order.
 * @param path Its name for errors.
 * @param members How its members are turned.
 * @returns The order in the other form. Fields that are not part of an order are left out.
 * @throws {InvalidParameterError} Naming the member that does not fit.
 *
 * @example
 * walkOrder(order, "order", { address: writeVmAddress, amount: formatAmount, salt: formatAmount, vmTypes: {} });
 */
export function walkOrder<Address extends string, Amount, Salt>(
  value: unknown,
  path: string,
  members: OrderMembers<Address, Amount, Salt>,
) {
  const order = readObject(value, path);
  const solver = { parameter: `${path}.solver`, role: "account", vmType: "evm" } as const;
  return {
    version: readText(order.version, `${path}.version`),
    solverChainId: readText(order.solverChainId, `${path}.solverChainId`),
    // The order's type has an EVM address here, whatever the chain.
    solver: members.address(order.solver, solver),
    salt: members.salt(order.salt, `${path}.salt`),
    inputs: readList(order.inputs, `${path}.inputs`, (input, place) => walkInput(input, place, members)),
    output: walkOutput(order.output, `${path}.output`, members),
    fees: readList(order.fees, `${path}.fees`, (fee, place) => walkFee(fee, place, members)),
  };
}

/** Members but the salt, which only the order itself has. */
type Members<Address extends string, Amount> = Omit<OrderMembers<Address, Amount, unknown>, "salt">;

function walkInput<Address extends string, Amount>(
  value: unknown,
  path: string,
  members: Members<Address, Amount>,
) {
  const input = readObject(value, path);
  const payment = readObject(input.payment, `${path}.payment`);
  const chainId = readText(payment.chainId, `${path}.payment.chainId`);
  return {
    payment: {
      chainId,
      currency: walkAddress(payment, "currency", { chainId, members, path: `${path}.payment` }),
      amount: members.amount(payment.amount, `${path}.payment.amount`),
      weight: members.amount(payment.weight, `${path}.payment.weight`),
    },
    refunds: readList(input.refunds, `${path}.refunds`, (item, place) => {
      const refund = readObject(item, place);
      const refundChainId = readText(refund.chainId, `${place}.chainId`);
      const at = { chainId: refundChainId, members, path: place };
      return {
        chainId: refundChainId,
        recipient: walkAddress(refund, "recipient", at),
        currency: walkAddress(refund, "currency", at),
        minimumAmount: members.amount(refund.minimumAmount, `${place}.minimumAmount`),
        deadline: readUint32(refund.deadline, `${place}.deadline`),
        extraData: readBytes(refund.extraData, `${place}.extraData`),
      };
    }),
  };
}

function walkOutput<Address extends string, Amount>(
  value: unknown,
  path: string,
  members: Members<Address, Amount>,
) {
  const output = readObject(value, path);
  const chainId = readText(output.chainId, `${path}.chainId`);
  return {
    chainId,
    payments: readList(output.payments, `${path}.payments`, (item, place) => {
      const payment = readObject(item, place);
      return {
        recipient: walkAddress(payment, "recipient", { chainId, members, path: place }),
        currency: walkAddress(payment, "currency", { chainId, members, path: place }),
        minimumAmount: members.amount(payment.minimumAmount, `${place}.minimumAmount`),
        expectedAmount: members.amount(payment.expectedAmount, `${place}.expectedAmount`),
      };
    }),
    calls: readList(output.calls, `${path}.calls`, readBytes),
    deadline: readUint32(output.deadline, `${path}.deadline`),
    extraData: readBytes(output.extraData, `${path}.extraData`),
  };
}

function walkFee<Address extends string, Amount>(
  value: unknown,
  path: string,
  members: Members<Address, Amount>,
) {
  const fee = readObject(value, path);
  const recipientChainId = readText(fee.recipientChainId, `${path}.recipientChainId`);
  const currencyChainId = readText(fee.currencyChainId, `${path}.currencyChainId`);
  return {
    recipientChainId,
    recipient: walkAddress(fee, "recipient", { chainId: recipientChainId, members, path }),
    currencyChainId,
    currency: walkAddress(fee, "currency", { chainId: currencyChainId, members, path }),
    amount: members.amount(fee.amount, `${path}.amount`),
  };
}

/** An address by its field's name, which says what it stands for. */
function walkAddress<Address extends string, Amount>(
  fields: Fields,
  name: "currency" | "recipient",
  { chainId, members, path }: { chainId: string; members: Members<Address, Amount>; path: string },
): Address {
  return members.address(fields[name], {
    parameter: `${path}.${name}`,
    role: name === "currency" ? "currency" : "account",
    vmType: vmTypeOf(chainId, members.vmTypes),
  });
}

function readBytes(value: unknown, parameter: string): Hex {
  return readHex(value, parameter).toLowerCase() as Hex;
}
