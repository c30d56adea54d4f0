import { type BaseContract, MaxUint256, ZeroAddress } from "ethers";
import { reentrancyReason } from "../libraryErrors.ts";
import { type ReceiverKind, type RecordStage, receiverKinds, type TokenDeposit } from "../receiverKinds.ts";
import { solver } from "../receiverStage.ts";
import { testWallet } from "../signedRecord.ts";
import { byAuthorization, byPermit, byPermit2, signAuthorizationOf } from "../signedWays.ts";
import { AMOUNT, type Attempt } from "./attempt.ts";
import type { Adversary, Cell, Chain, Path } from "./matrix.ts";
import { nativeRow, type PrepareNative } from "./nativeRows.ts";
import { pulledOutcomes, relayedOutcomes } from "./tokenOutcomes.ts";
import { type DeployToken, deployPlainly, type PrepareToken, tokenRow } from "./tokenRows.ts";

/** Payee of native money; an account without code, until a test sets some. */
const nativePayee = testWallet(16).address;

/** A permit that every token rejects; the allowance exists, so that any token can be used. */
export const invalidPermit = {
  value: AMOUNT,
  deadline: 0n,
  r: `0x${"11".repeat(32)}`,
  s: `0x${"11".repeat(32)}`,
  v: 27,
};

/** Any mock token, extended by authorizations. */
export const deployAuthorizing: DeployToken = async (chain, name, args) => {
  const plain = await deployPlainly(chain, name, args);
  const token = await chain.ethers.deployContract("AuthorizingToken", [plain]);
  return chain.ethers.getContractAt(name as string, token);
};
export const AUTHORIZING_NAME = "Authorizing";

/** The attempt of `call` with `args`, that pays for `requestId`. */
async function attemptOf(
  { receiver, depositor }: RecordStage,
  requestId: string,
  currency: string,
  call: string,
  args: readonly unknown[],
): Promise<Attempt> {
  const contract: BaseContract = receiver;
  const isNative = currency === ZeroAddress;
  const payee = isNative ? nativePayee : solver.address;
  return {
    contract,
    from: depositor,
    data: contract.interface.encodeFunctionData(call, args),
    value: isNative ? AMOUNT : 0n,
    currency,
    payee,
    holders: [depositor.address, await contract.getAddress(), payee],
    moved: [-AMOUNT, 0n, AMOUNT],
    books: async () => [await receiver.isConsumed(requestId), await receiver.depositorOf(requestId)],
    booksAfter: [true, depositor.address],
  };
}

const native = {
  failed: ({ payee }: Attempt, reason: unknown) => ({
    name: "PayeeRejectedNative",
    args: [payee, AMOUNT, reason],
  }),
  // Selector, then the id: the first argument, or the first word of the record.
  again: ({ contract, data }: Attempt) =>
    contract.interface.encodeErrorResult("RequestAlreadyConsumed", [`0x${data.slice(10, 74)}`]),
};

function pathsOf(kind: ReceiverKind, permits: boolean): readonly Path[] {
  const contract = permits ? `${kind.name}Permits` : kind.name;
  const versions = kind.name === "ManagedReceiver" ? ([1, 2] as const) : ([1] as const);
  const named = (name: string, version: 1 | 2) => (version === 1 ? name : `${name}V2`);

  const preparingNative =
    (version: 1 | 2, inBatch = false): PrepareNative =>
    async ({ ethers }) => {
      const stage = await kind.deploy(ethers, { nativePayee, permits });
      const { requestId, signedTerms, payment } = await kind.sign(stage, { version });
      return inBatch
        ? attemptOf(stage, requestId, ZeroAddress, "depositAll", [[payment]])
        : attemptOf(stage, requestId, ZeroAddress, named(kind.nativeFunction, version), signedTerms);
    };

  /** The depositor has given the receiver an infinite allowance, and signs the value that `sign` returns. */
  const preparingErc20 =
    (
      call: string,
      version: 1 | 2 = 1,
      sign?: (deposit: TokenDeposit, chain: Chain) => Promise<unknown>,
    ): PrepareToken =>
    async (chain, token) => {
      const stage = await kind.deploy(chain.ethers, { nativePayee, permits });
      await kind.fund(stage, token);
      await token.connect(stage.depositor).approve(stage.receiver, MaxUint256);
      const currency = await token.getAddress();
      const terms = await kind.sign(stage, { currency, version });
      if (call === "depositAll") return attemptOf(stage, terms.requestId, currency, call, [[terms.payment]]);
      const args = [currency, AMOUNT, ...terms.signedTerms];
      if (sign !== undefined) args.push(await sign({ ...stage, ...terms, token }, chain));
      return attemptOf(stage, terms.requestId, currency, call, args);
    };

  const path = (name: string, cells: Record<Adversary, Cell>, variant?: string): Path => ({
    contract,
    function: name,
    cells,
    ...(variant === undefined ? {} : { variant }),
  });
  const plain = versions.flatMap((version) => [
    path(named(kind.nativeFunction, version), nativeRow(preparingNative(version), native)),
    path(
      named("depositErc20", version),
      tokenRow(preparingErc20(named("depositErc20", version), version), pulledOutcomes),
    ),
  ]);
  if (!permits) return plain;

  const permit = preparingErc20(byPermit.name, 1, async () => invalidPermit);
  const permit2 = preparingErc20(byPermit2.name, 1, async (deposit) => {
    await byPermit2.approve(deposit);
    return byPermit2.sign(deposit);
  });
  const authorization = preparingErc20(byAuthorization.name, 1, async (deposit) =>
    signAuthorizationOf(deposit, { tokenName: AUTHORIZING_NAME }),
  );
  const batch = { ...native, again: reentrancyReason };
  return [
    ...plain,
    path(byPermit.name, tokenRow(permit, pulledOutcomes)),
    path(byPermit2.name, tokenRow(permit2, relayedOutcomes.permit2)),
    path(byAuthorization.name, tokenRow(authorization, relayedOutcomes.authorization, deployAuthorizing)),
    path("depositAll", nativeRow(preparingNative(1, true), batch), "native currency"),
    path("depositAll", tokenRow(preparingErc20("depositAll"), pulledOutcomes), "a token"),
  ];
}

export const recordPaths: readonly Path[] = receiverKinds.flatMap((kind) =>
  [false, true].flatMap((permits) => pathsOf(kind, permits)),
);
