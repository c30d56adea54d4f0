import { type BaseContract, ZeroAddress } from "ethers";
import {
  accept,
  managedStageOf as deployedStageOf,
  deployManagedStage,
  type ManagedStage,
  managedConfiguration,
  managedTerms,
  managedTermsV2,
} from "../managedStage.ts";
import { solver } from "../receiverStage.ts";
import { testWallet } from "../signedRecord.ts";
import type { TestToken } from "../tokens.ts";
import { AMOUNT, type Attempt } from "./attempt.ts";
import type { Chain, Path } from "./matrix.ts";
import { nativeRow, type PrepareNative } from "./nativeRows.ts";
import { pulledOutcomes } from "./tokenOutcomes.ts";
import { type PrepareToken, tokenRow } from "./tokenRows.ts";

/** Where native money goes; an account without code, until a test gives it some. */
const nativePayee = testWallet(16).address;

export const managedContracts = ["ManagedReceiver", "ManagedReceiverPermits"] as const;
export type ManagedContract = (typeof managedContracts)[number];

/** Every policy on. */
export async function managedStageOf(contract: ManagedContract, { ethers }: Chain): Promise<ManagedStage> {
  const solvers = [{ solver: solver.address, nativePayee, usesErc1271: false }];
  if (contract === "ManagedReceiver") return deployManagedStage(ethers, { solvers });
  return deployedStageOf(ethers, async (owner) =>
    ethers.deployContract(contract, [managedConfiguration(owner, { solvers })]),
  );
}

export async function managedAttemptOf(
  stage: ManagedStage,
  requestId: string,
  currency: string,
  call: string,
  args: readonly unknown[],
): Promise<Attempt> {
  const contract: BaseContract = stage.receiver;
  const isNative = currency === ZeroAddress;
  const payee = isNative ? nativePayee : solver.address;
  return {
    contract,
    from: stage.depositor,
    data: contract.interface.encodeFunctionData(call, args),
    value: isNative ? AMOUNT : 0n,
    currency,
    payee,
    holders: [stage.depositor.address, await contract.getAddress(), payee],
    moved: [-AMOUNT, 0n, AMOUNT],
    books: async () => [
      await stage.receiver.isConsumed(requestId),
      await stage.receiver.depositorOf(requestId),
    ],
    booksAfter: [true, stage.depositor.address],
  };
}

const termsOf = { depositNative: managedTerms, depositNativeV2: managedTermsV2 } as const;
const termsOfErc20 = { depositErc20: managedTerms, depositErc20V2: managedTermsV2 } as const;

const preparingNative =
  (contract: ManagedContract, call: keyof typeof termsOf): PrepareNative =>
  async (chain) => {
    const stage = await managedStageOf(contract, chain);
    const { record, signature, coSignature } = await termsOf[call](stage);
    return managedAttemptOf(stage, record.requestId, ZeroAddress, call, [record, signature, coSignature]);
  };

const preparingErc20 =
  (contract: ManagedContract, call: keyof typeof termsOfErc20): PrepareToken =>
  async (chain: Chain, token: TestToken) => {
    const stage = await managedStageOf(contract, chain);
    await accept(stage, token);
    const { record, signature, coSignature } = await termsOfErc20[call](stage, { currency: token });
    const currency = await token.getAddress();
    const args = [currency, AMOUNT, record, signature, coSignature];
    return managedAttemptOf(stage, record.requestId, currency, call, args);
  };

function alreadyConsumed({ contract, data }: Attempt): string {
  // Selector, then the record, whose first word is the id.
  const requestId = `0x${data.slice(10, 74)}`;
  return contract.interface.encodeErrorResult("RequestAlreadyConsumed", [requestId]);
}

/** What the forward of native money says. */
export const forwarded = {
  failed: ({ payee }: Attempt, reason: unknown) => ({
    name: "PayeeRejectedNative",
    args: [payee, AMOUNT, reason],
  }),
  again: alreadyConsumed,
};

export function managedPathsOf(contract: ManagedContract): readonly Path[] {
  const native = (["depositNative", "depositNativeV2"] as const).map(
    (call): Path => ({
      contract,
      function: call,
      cells: nativeRow(preparingNative(contract, call), forwarded),
    }),
  );
  const erc20 = (["depositErc20", "depositErc20V2"] as const).map(
    (call): Path => ({
      contract,
      function: call,
      cells: tokenRow(preparingErc20(contract, call), pulledOutcomes),
    }),
  );
  return [...native, ...erc20];
}
