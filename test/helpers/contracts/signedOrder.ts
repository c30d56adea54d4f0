import { getBytes, type HDNodeWallet, TypedDataEncoder } from "ethers";
import type { Order } from "../../../src/records/Order.ts";
import type { Order as OrderSolidity } from "../../../typechain-types/interfaces/records/IRecordVerifier.ts";

/** The members of the protocol's EIP-712 structs, in the order they are hashed in. */
const members: Readonly<Record<string, string>> = {
  Order:
    "string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees",
  Input: "InputPayment payment,InputRefund[] refunds",
  InputPayment: "string chainId,bytes currency,uint256 amount,uint256 weight",
  InputRefund:
    "string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData",
  Output: "string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData",
  OutputPayment: "bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount",
  Fee: "string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount",
};

const types = Object.fromEntries(
  Object.entries(members).map(([struct, list]) => [
    struct,
    list.split(",").map((member) => {
      const [type = "", name = ""] = member.split(" ");
      return { name, type };
    }),
  ]),
);

/** Hashes with ethers, independently of the library and the contracts. */
export function orderIdOf(order: Order): string {
  return TypedDataEncoder.hashStruct("Order", types, order);
}

/** The 65-byte signature of `wallet` over the 32 bytes of the order's id. */
export function signOrder(wallet: HDNodeWallet, order: Order): string {
  return wallet.signMessageSync(getBytes(orderIdOf(order)));
}

/**
 * Returns the order in the contract's form. The library's lists are read-only to the compiler, the contract's types
 * are not.
 */
export function orderStruct(order: Order): OrderSolidity.DataStruct {
  return {
    ...order,
    inputs: order.inputs.map(({ payment, refunds }) => ({ payment, refunds: [...refunds] })),
    output: { ...order.output, payments: [...order.output.payments], calls: [...order.output.calls] },
    fees: [...order.fees],
  };
}
