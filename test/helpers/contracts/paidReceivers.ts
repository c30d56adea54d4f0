import { createRequire } from "node:module";
import { type Abi, type Address, erc20Abi, type Hex, maxUint128, pad, zeroAddress } from "viem";
import { managedReceiverAbi } from "../../../src/abi/ManagedReceiver.ts";
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

/** Places a `ManagedReceiver` that takes these currencies, for any recipient, from the caller whom records name. */
export function placeManagedReceiver(
  chain: TestChain,
  solver: Address,
  currencies: readonly Address[],
): Promise<Address> {
  const configuration = {
    activationDelay: 0n,
    binding: 1,
    coSigner: zeroAddress,
    isRecipientListOpen: true,
    limits: currencies.map((currency) => ({ currency, maximum: maxUint128, minimum: 0n })),
    owner: chain.wallet(9).account.address,
    solvers: [{ nativePayee: solver, solver, usesErc1271: false }],
  };
  return chain.placeReceiver({
    abi: managedReceiverAbi,
    args: [configuration],
    bytecode: bytecodeOf("ManagedReceiver"),
  });
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

/** Pays a `PinnedReceiver` or a `ManagedReceiver` under a record. */
export function payByRecord(
  chain: TestChain,
  receiver: Address,
  payment: ReceiverPayment,
  record: {
    readonly requestId: Hex;
    readonly destinationChainId: number;
    readonly recipient: Hex;
    /** The solver's signature, and the data of policies. */
    readonly signature: Hex;
  },
): Promise<void> {
  const { destinationChainId, recipient, requestId, signature } = record;
  const args = [requestId, BigInt(destinationChainId), pad(recipient), signature];
  // Its functions are those of every receiver of records, and its errors include the policies'.
  return deposit(chain, { abi: managedReceiverAbi, address: receiver }, payment, args);
}

/** Pays the first input of an order by an `OrderReceiver`. */
export function payByOrder(
  chain: TestChain,
  receiver: Address,
  payment: ReceiverPayment,
  { orderData, signature }: { readonly orderData: WireOrder; readonly signature: Hex },
): Promise<void> {
  const args = [normalizeOrder({ orderData }), 0n, signature];
  return deposit(chain, { abi: orderReceiverAbi, address: receiver }, payment, args);
}

/** Approves and deposits; `args` follow the token and the amount, which a native deposit has not. */
async function deposit(
  chain: TestChain,
  contract: { readonly abi: Abi; readonly address: Address },
  { amount, currency, payer }: ReceiverPayment,
  args: readonly unknown[],
): Promise<void> {
  const wallet = chain.wallet(payer);
  const confirmed = (hash: Hex) => chain.reader.waitForTransactionReceipt({ hash });
  if (currency === zeroAddress) {
    await confirmed(
      await wallet.writeContract({ ...contract, args, functionName: "deposit", value: amount }),
    );
    return;
  }
  const allowance = [contract.address, amount] as const;
  await confirmed(
    await wallet.writeContract({
      abi: erc20Abi,
      address: currency,
      args: allowance,
      functionName: "approve",
    }),
  );
  await confirmed(
    await wallet.writeContract({
      ...contract,
      args: [currency, amount, ...args],
      functionName: "depositErc20",
    }),
  );
}
