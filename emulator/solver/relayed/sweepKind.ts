import { type Address, encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from "viem";
import * as z from "zod";
import { bytes32Schema, evmAddressSchema } from "../../../src/schema/wire/hex.ts";
import { uintStringSchema } from "../../../src/schema/wire/wireAmount.ts";
import { depositFactoryAddress } from "../../chains/accounts.ts";
import { prepareCall } from "../../router/prepareFill.ts";
import { failureOf, type RelayedKind } from "./RelayedKind.ts";

const factoryAbi = parseAbi([
  "function sweep(bytes32 salt, (address depository, address depositor, address currency, uint256 amount, bytes32 id) deposit)",
]);

/** First bytes of a sweep's calldata, which also names the request of its address. */
export const sweepSelector = toFunctionSelector(factoryAbi[0]);

const payloadSchema = z.object({
  /** The request that the address was made for. */
  salt: bytes32Schema,
  currency: evmAddressSchema,
  amount: uintStringSchema,
  /** The account that the deposit names. */
  depositor: evmAddressSchema,
});

export type SweepPayload = z.output<typeof payloadSchema>;

/** Deposits of payments to deposit addresses. */
export const sweepKind: RelayedKind = {
  explainRevert: async (_deposit, _chain, { message }) => failureOf("TRANSFER_FAILED", message),

  prepare: async ({ intent, payload }, chain, { accounts }) => {
    const { amount, currency, depositor, salt } = payloadSchema.parse(JSON.parse(payload));
    const deposit = {
      amount: BigInt(amount),
      currency: currency as Address,
      depository: chain.contracts.depository,
      depositor: depositor as Address,
      id: intent.orderId as Hex,
    };
    const data = encodeFunctionData({ abi: factoryAbi, args: [salt as Hex, deposit], functionName: "sweep" });
    const call = { data, to: depositFactoryAddress(accounts), value: 0n };
    const prepared = await prepareCall(call, chain, accounts.solver.account.address);
    if ("call" in prepared) return prepared;
    const { details, failedCall, revertData } = prepared;
    // A node refuses to run a call whose sender cannot pay for it. A call that ran has revert data.
    if (revertData === undefined && /insufficient funds|exceeds the balance/i.test(details)) {
      return failureOf("SOLVER_BALANCE_TOO_LOW", details);
    }
    return { ...failureOf("TRANSFER_FAILED", details), ...(failedCall !== undefined && { failedCall }) };
  },
};
