import { MaxUint256, ZeroAddress } from "ethers";
import { reentrancyReason } from "../libraryErrors.ts";
import { receiverKinds, type TokenDeposit, type TokenFunction } from "../receiverKinds.ts";
import {
  paymentOf,
  type ReceiverStage,
  type SignedTerms,
  signedArgs,
  signTerms,
  solver,
} from "../receiverStage.ts";
import { testWallet } from "../signedRecord.ts";
import { byAuthorization, byPermit, byPermit2, signAuthorizationOf } from "../signedWays.ts";
import { AMOUNT, type Attempt } from "./attempt.ts";
import type { Adversary, Cell, Path } from "./matrix.ts";
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

/** The attempt of `call` with `args`, that pays under `terms`. */
async function attemptOf(
  { receiver, depositor }: ReceiverStage,
  { record }: SignedTerms,
  call: TokenFunction | "deposit" | "depositAll",
  args: readonly unknown[],
): Promise<Attempt> {
  const currency = `0x${record.originCurrency.slice(-40)}`;
  const isNative = currency === ZeroAddress;
  const payee = isNative ? nativePayee : solver.address;
  return {
    contract: receiver,
    from: depositor,
    data: receiver.interface.encodeFunctionData(call as "deposit", args as never),
    value: isNative ? AMOUNT : 0n,
    currency,
    payee,
    holders: [depositor.address, await receiver.getAddress(), payee],
    moved: [-AMOUNT, 0n, AMOUNT],
    books: async () => [await receiver.depositorOf(record.requestId)],
    booksAfter: [depositor.address],
  };
}

const native = {
  failed: ({ payee }: Attempt, reason: unknown) => ({
    name: "PayeeRejectedNative",
    args: [payee, AMOUNT, reason],
  }),
  // Selector, then the id.
  again: ({ contract, data }: Attempt) =>
    contract.interface.encodeErrorResult("RequestAlreadyConsumed", [`0x${data.slice(10, 74)}`]),
};

export const recordPaths: readonly Path[] = receiverKinds.flatMap((kind) => {
  const preparingNative =
    (call: "deposit" | "depositAll"): PrepareNative =>
    async ({ ethers }) => {
      const stage = await kind.deploy(ethers, { nativePayee });
      const terms = await signTerms(stage);
      return attemptOf(stage, terms, call, call === "deposit" ? signedArgs(terms) : [[paymentOf(terms)]]);
    };

  /** The depositor has given the receiver an infinite allowance, and signs the value that `sign` returns. */
  const preparingErc20 =
    (call: TokenFunction | "depositAll", sign?: (deposit: TokenDeposit) => Promise<unknown>): PrepareToken =>
    async (chain, token) => {
      const stage = await kind.deploy(chain.ethers, { nativePayee });
      await kind.fund(stage, token);
      await token.connect(stage.depositor).approve(stage.receiver, MaxUint256);
      const terms = await signTerms(stage, { currency: token });
      if (call === "depositAll") return attemptOf(stage, terms, call, [[paymentOf(terms)]]);
      const signed = sign === undefined ? [] : [await sign({ stage, terms, token })];
      return attemptOf(stage, terms, call, [
        await token.getAddress(),
        AMOUNT,
        ...signedArgs(terms),
        ...signed,
      ]);
    };

  const path = (name: string, cells: Record<Adversary, Cell>, variant?: string): Path => ({
    contract: kind.name,
    function: name,
    cells,
    ...(variant === undefined ? {} : { variant }),
  });
  const permit = preparingErc20(byPermit.name, async () => invalidPermit);
  const permit2 = preparingErc20(byPermit2.name, async (deposit) => {
    await byPermit2.approve(deposit);
    return byPermit2.sign(deposit);
  });
  const authorization = preparingErc20(byAuthorization.name, async (deposit) =>
    signAuthorizationOf(deposit, { tokenName: AUTHORIZING_NAME }),
  );
  const batch = { ...native, again: reentrancyReason };
  return [
    path("deposit", nativeRow(preparingNative("deposit"), native)),
    path("depositErc20", tokenRow(preparingErc20("depositErc20"), pulledOutcomes)),
    path(byPermit.name, tokenRow(permit, pulledOutcomes)),
    path(byPermit2.name, tokenRow(permit2, relayedOutcomes.permit2)),
    path(byAuthorization.name, tokenRow(authorization, relayedOutcomes.authorization, deployAuthorizing)),
    path("depositAll", nativeRow(preparingNative("depositAll"), batch), "native currency"),
    path("depositAll", tokenRow(preparingErc20("depositAll"), pulledOutcomes), "a token"),
  ];
});
