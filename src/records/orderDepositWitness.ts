import { type Address, getAddress, type Hex, hashStruct } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAccount } from "../internal/readAddress.ts";
import { readChainId } from "../internal/readParts.ts";
import {
  type TransferTerms,
  tokenPermissions,
  transferMembers,
  type WitnessTransfer,
  witnessTransfer,
} from "./depositWitness.ts";
import { hashOrder } from "./hashOrder.ts";
import type { Order, OrderInput } from "./Order.ts";

const witnessMembers = [
  { name: "orderId", type: "bytes32" },
  { name: "receiver", type: "address" },
] as const;

const permit2Types = {
  OrderDepositWitness: witnessMembers,
  PermitWitnessTransferFrom: [...transferMembers, { name: "witness", type: "OrderDepositWitness" }],
  TokenPermissions: tokenPermissions,
} as const;

type OrderDepositWitness = { readonly orderId: Hex; readonly receiver: Address };

export type HashOrderDepositWitnessParameters = {
  /** The order the solver signed. */
  order: Order;
  /** The paid `OrderReceiver`. */
  receiver: Address;
};

export type HashOrderDepositWitnessReturnType = Hex;

export type OrderPermit2TypedDataParameters = HashOrderDepositWitnessParameters &
  TransferTerms & {
    /** Chain id of the input. The order contains only the chain's protocol name. */
    chainId: number;
    /** Index of the paid input. Default: 0. */
    inputIndex?: number;
  };

export type OrderPermit2TypedDataReturnType = WitnessTransfer<typeof permit2Types, OrderDepositWitness>;

/**
 * EIP-712 struct hash of the `OrderDepositWitness`, which binds an owner's tokens to one order and one receiver. It is the
 * nonce of the ERC-3009 authorization that `OrderReceiver.depositErc20WithAuthorization` takes, and the witness of the
 * transfer that `depositErc20WithPermit2` takes.
 *
 * @returns 32 bytes.
 * @throws {InvalidParameterError} Names the invalid argument.
 *
 * @example
 * import { hashOrderDepositWitness, type Order } from "waybill";
 *
 * declare const order: Order;
 * declare const receiver: `0x${string}`;
 * const nonce = hashOrderDepositWitness({ order, receiver });
 */
export function hashOrderDepositWitness(
  parameters: HashOrderDepositWitnessParameters,
): HashOrderDepositWitnessReturnType {
  return hashStruct({
    data: witnessOf(parameters),
    primaryType: "OrderDepositWitness",
    types: { OrderDepositWitness: witnessMembers },
  });
}

/**
 * Typed data an owner signs to pay one input of an order by `OrderReceiver.depositErc20WithPermit2`: a Permit2
 * transfer of exactly the input's amount to the receiver, with the `OrderDepositWitness`. Permit2 needs an allowance of
 * the owner.
 *
 * @returns Typed data for viem's `signTypedData`.
 * @throws {InvalidParameterError} Names the invalid argument. An input in native currency is invalid.
 *
 * @example
 * import { mnemonicToAccount } from "viem/accounts";
 * import { type Order, orderPermit2TypedData } from "waybill";
 *
 * declare const order: Order;
 * declare const receiver: `0x${string}`;
 * const owner = mnemonicToAccount("test test test test test test test test test test test junk");
 * const deadline = BigInt(Math.floor(Date.now() / 1000) + 600);
 * const typedData = orderPermit2TypedData({ chainId: 8453, deadline, nonce: 1n, order, receiver });
 * const signature = await owner.signTypedData(typedData);
 */
export function orderPermit2TypedData(
  parameters: OrderPermit2TypedDataParameters,
): OrderPermit2TypedDataReturnType {
  const { chainId, deadline, inputIndex = 0, nonce, order } = parameters;
  const witness = witnessOf(parameters);
  const { payment } = readInput(order, inputIndex);
  return witnessTransfer(permit2Types, witness, {
    chainId: readChainId(chainId, "chainId"),
    deadline,
    nonce,
    permitted: {
      amount: payment.amount,
      token: getAddress(readAccount(payment.currency, `order.inputs[${inputIndex}].payment.currency`)),
    },
  });
}

function witnessOf({ order, receiver }: HashOrderDepositWitnessParameters): OrderDepositWitness {
  return { orderId: hashOrder({ order }), receiver: readAccount(receiver, "receiver") };
}

function readInput(order: Order, inputIndex: number): OrderInput {
  const input = order.inputs[inputIndex];
  if (input === undefined) {
    throw new InvalidParameterError({
      parameter: "inputIndex",
      reason: `the order has ${order.inputs.length} inputs`,
    });
  }
  return input;
}
