import { createRequire } from "node:module";
import { type Abi, type Address, erc20Abi, type Hex, pad, zeroAddress } from "viem";
import { orderReceiverAbi } from "../../../src/abi/OrderReceiver.ts";
import { pinnedReceiverAbi } from "../../../src/abi/PinnedReceiver.ts";
import { normalizeOrder } from "../../../src/records/normalizeOrder.ts";
import type { WireOrder } from "../../../src/records/WireOrder.ts";
import type { TestChain } from "../emulatorFixture.ts";

const require = createRequire(import.meta.url);
const bytecodeOf = (name: string) =>
  (require(`waybill/artifacts/${name}.json`) as { bytecode: Hex }).bytecode;

/** A receiver's deposit: the currency and amount of the payer, and the request. */
export type ReceiverPayment = {
  readonly currency: Address;
  readonly amount: bigint;
  readonly payer: number;
};

/** Places a `PinnedReceiver`. Its records name the caller, or the receiver, as the user. */
export function placePinnedReceiver(
  chain: TestChain,
  solver: Address,
  binding: "receiver" | "caller",
): Promise<Address> {
  const payee = chain.wallet(9).account.address;
  const bytecode = bytecodeOf("PinnedReceiver");
  return chain.placeReceiver({
    abi: pinnedReceiverAbi,
    args: [solver, solver, binding === "caller" ? 1 : 0, payee],
    bytecode,
  });
}

/** Pays a `PinnedReceiver` under a record. */
export async function payPinnedReceiver(
  chain: TestChain,
  receiver: Address,
  { amount, currency, payer }: ReceiverPayment,
  record: {
    readonly requestId: Hex;
    readonly destinationChainId: number;
    readonly recipient: Hex;
    readonly signature: Hex;
  },
): Promise<void> {
  const { destinationChainId, recipient, requestId, signature } = record;
  const args = [requestId, BigInt(destinationChainId), pad(recipient), signature] as const;
  await approve(chain, receiver, { amount, currency, payer });
  const wallet = chain.wallet(payer);
  const contract = { abi: pinnedReceiverAbi as Abi, address: receiver };
  const hash =
    currency === zeroAddress
      ? await wallet.writeContract({ ...contract, args, functionName: "deposit", value: amount })
      : await wallet.writeContract({
          ...contract,
          args: [currency, amount, ...args],
          functionName: "depositErc20",
        });
  await chain.reader.waitForTransactionReceipt({ hash });
}

/** Places an `OrderReceiver` of the chain. */
export function placeOrderReceiver(chain: TestChain, solver: Address): Promise<Address> {
  const { contracts, id, name } = chain.info;
  const payee = chain.wallet(9).account.address;
  return chain.placeReceiver({
    abi: orderReceiverAbi,
    args: [solver, contracts.depository, name, BigInt(id), payee],
    bytecode: bytecodeOf("OrderReceiver"),
  });
}

/** Pays the first input of an order by an `OrderReceiver`. */
export async function payOrderReceiver(
  chain: TestChain,
  receiver: Address,
  { amount, currency, payer }: ReceiverPayment,
  { orderData, signature }: { readonly orderData: WireOrder; readonly signature: Hex },
): Promise<void> {
  const order = normalizeOrder({ orderData });
  await approve(chain, receiver, { amount, currency, payer });
  const args = [order, 0n, signature];
  const wallet = chain.wallet(payer);
  const contract = { abi: orderReceiverAbi as Abi, address: receiver };
  const hash =
    currency === zeroAddress
      ? await wallet.writeContract({ ...contract, args, functionName: "deposit", value: amount })
      : await wallet.writeContract({
          ...contract,
          args: [currency, amount, ...args],
          functionName: "depositErc20",
        });
  await chain.reader.waitForTransactionReceipt({ hash });
}

async function approve(
  chain: TestChain,
  spender: Address,
  { amount, currency, payer }: ReceiverPayment,
): Promise<void> {
  if (currency === zeroAddress) return;
  const hash = await chain.wallet(payer).writeContract({
    abi: erc20Abi,
    address: currency,
    args: [spender, amount],
    functionName: "approve",
  });
  await chain.reader.waitForTransactionReceipt({ hash });
}
