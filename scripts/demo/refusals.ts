import { type Address, BaseError, ContractFunctionRevertedError, encodeFunctionData } from "viem";
import { pinnedReceiverAbi } from "../../src/abi/PinnedReceiver.ts";
import { signRecord } from "../../src/records/encodeRecord.ts";
import { depositCall, quoteDeposit, type Signed, type Stage } from "./crossing.ts";
import { check, fact, title } from "./report.ts";
import type { Side, Wallet } from "./world.ts";

/** A forged payment. */
type Attempt = {
  readonly name: string;
  readonly side: Side;
  readonly receiver: Address;
  readonly payer: Wallet;
  readonly signed: Signed;
  /** Wei. */
  readonly value: bigint;
  /** The expected error. */
  readonly error: string;
};

/** Above any deposit's gas, so that the chain mines and reverts the attempt instead of the wallet rejecting it. */
const gasLimit = 300_000n;

/** Sends five forged payments on chain, and checks that no balance changed. */
export async function refuse(stage: Stage, paid: Signed): Promise<void> {
  title("Five ways that must not work");
  const unpaid = await quoteDeposit(stage);
  const { destination, origin, receiver, receiverElsewhere } = stage;
  const usual = {
    payer: origin.payer,
    receiver,
    side: origin,
    signed: unpaid,
    value: unpaid.record.originAmount,
  };
  const notSigned = "RecordNotSignedBySolver";
  const forged = await signRecord({ account: localAccount(origin.stranger), record: unpaid.record });
  const attempts: Attempt[] = [
    { ...usual, error: notSigned, name: "wrong amount", value: usual.value - 1n },
    { ...usual, error: notSigned, name: "forged signer", signed: { ...unpaid, signature: forged } },
    {
      ...usual,
      error: "RequestAlreadyConsumed",
      name: "replay",
      signed: paid,
      value: paid.record.originAmount,
    },
    {
      ...usual,
      error: notSigned,
      name: "other chain",
      payer: destination.payer,
      receiver: receiverElsewhere,
      side: destination,
    },
    { ...usual, error: notSigned, name: "other user", payer: origin.stranger },
  ];
  for (const attempt of attempts) await refuseOne(attempt);
}

async function refuseOne({ error, name, payer, receiver, side, signed, value }: Attempt): Promise<void> {
  const { reader } = side;
  const call = depositCall(receiver, signed);
  /** The zero address unless the request is paid. */
  const depositor = () =>
    reader.readContract({
      abi: pinnedReceiverAbi,
      address: receiver,
      args: [signed.record.requestId],
      functionName: "depositorOf",
    });
  const held = async () => {
    const accounts = [
      payer.account.address,
      receiver,
      side.info.contracts.relayReceiver,
      await solverOf(side, receiver),
    ];
    return Promise.all(accounts.map((address) => reader.getBalance({ address })));
  };
  const found = await readErrorName(() =>
    reader.simulateContract({ ...call, account: payer.account, value }),
  );
  const before = { depositor: await depositor(), held: await held() };

  const hash = await payer.sendTransaction({
    data: encodeFunctionData(call),
    gas: gasLimit,
    to: receiver,
    value,
  });
  const receipt = await reader.waitForTransactionReceipt({ hash });
  const after = { depositor: await depositor(), held: await held() };
  const fee = receipt.gasUsed * receipt.effectiveGasPrice;

  fact(name, `${found}; the payer lost gas alone, ${value} wei stayed`);
  check(found === error, `${name} is refused with ${error}`);
  check(receipt.status === "reverted", `${name} reverts on chain`);
  check(before.held[0] === (after.held[0] ?? 0n) + fee, `${name}: the payer paid for gas and nothing else`);
  check(before.held.slice(1).join() === after.held.slice(1).join(), `${name}: no account received anything`);
  check(before.depositor === after.depositor, `${name}: the request is as paid as it was`);
}

async function solverOf({ reader }: Side, receiver: Address): Promise<Address> {
  return reader.readContract({ abi: pinnedReceiverAbi, address: receiver, functionName: "solver" });
}

async function readErrorName(simulate: () => Promise<unknown>): Promise<string> {
  try {
    await simulate();
    return "nothing refused it";
  } catch (error) {
    const reverted =
      error instanceof BaseError
        ? error.walk((cause) => cause instanceof ContractFunctionRevertedError)
        : undefined;
    if (reverted instanceof ContractFunctionRevertedError)
      return reverted.data?.errorName ?? reverted.shortMessage;
    throw error;
  }
}

function localAccount({ account }: Wallet) {
  if (account.type !== "local") throw new Error("the demo's accounts sign by themselves");
  return account;
}
