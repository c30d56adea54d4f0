import { type BaseContract, MaxUint256, ZeroAddress } from "ethers";
import { reentrancyReason } from "../libraryErrors.ts";
import { PERMIT2_ADDRESS, placePermit2 } from "../permit2.ts";
import {
  deployPermitStage,
  hashWitness,
  inAnHour,
  type PermitStage,
  signAuthorization,
  signPermit2Transfer,
  witnessOf,
} from "../permitStage.ts";
import {
  Binding,
  DESTINATION_CHAIN_ID,
  deployReceiverStage,
  type ReceiverStage,
  type SignedTerms,
  signTerms,
  solver,
} from "../receiverStage.ts";
import { testWallet } from "../signedRecord.ts";
import type { TestToken } from "../tokens.ts";
import { AMOUNT, type Attempt } from "./attempt.ts";
import type { Chain, Path } from "./matrix.ts";
import { nativeRow, type PrepareNative } from "./nativeRows.ts";
import { pulledOutcomes, relayedOutcomes } from "./tokenOutcomes.ts";
import { type DeployToken, deployPlainly, type PrepareToken, tokenRow } from "./tokenRows.ts";

/** Where native money goes; an account without code, until a test gives it some. */
const nativePayee = testWallet(16).address;

const contracts = ["PinnedReceiver", "PinnedReceiverPermits"] as const;
type Contract = (typeof contracts)[number];

async function stageOf(contract: Contract, { ethers }: Chain): Promise<ReceiverStage> {
  const deploy = contract === "PinnedReceiver" ? deployReceiverStage : deployPermitStage;
  return deploy(ethers, nativePayee, Binding.Receiver);
}

/** The attempt of `call` with `args`, that pays `payee` and consumes the id. */
async function attemptOf(
  stage: ReceiverStage,
  terms: SignedTerms,
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
    books: async () => [await stage.receiver.isConsumed(terms.requestId)],
    booksAfter: [true],
  };
}

const destinationOf = ({ requestId, destinationUser, signature }: SignedTerms) =>
  [requestId, DESTINATION_CHAIN_ID, destinationUser, signature] as const;

function preparingNative(contract: Contract): PrepareNative {
  return async (chain) => {
    const stage = await stageOf(contract, chain);
    const terms = await signTerms(stage, AMOUNT);
    return attemptOf(stage, terms, ZeroAddress, "deposit", destinationOf(terms));
  };
}

/** The depositor has twice the amount and has approved the spender. */
async function funded(stage: ReceiverStage, token: TestToken, spender: string) {
  await token.mint(stage.depositor.address, 2n * AMOUNT);
  await token.connect(stage.depositor).approve(spender, MaxUint256);
  return { address: await token.getAddress(), terms: await signTerms(stage, AMOUNT, token) };
}

function preparingErc20(contract: Contract): PrepareToken {
  return async (chain, token) => {
    const stage = await stageOf(contract, chain);
    const { address, terms } = await funded(stage, token, await stage.receiver.getAddress());
    const args = [address, AMOUNT, ...destinationOf(terms)];
    return attemptOf(stage, terms, address, "depositErc20", args);
  };
}

/** The permit is one that no token takes; the allowance stands, so that every token can be met. */
const preparePermit: PrepareToken = async (chain, token) => {
  const stage = await stageOf("PinnedReceiverPermits", chain);
  const { address, terms } = await funded(stage, token, await stage.receiver.getAddress());
  const permit = { value: AMOUNT, deadline: 0n, r: `0x${"11".repeat(32)}`, s: `0x${"11".repeat(32)}`, v: 27 };
  const args = [address, AMOUNT, ...destinationOf(terms), permit];
  return attemptOf(stage, terms, address, "depositErc20WithPermit", args);
};

const preparePermit2: PrepareToken = async (chain, token) => {
  await placePermit2(chain.ethers);
  const stage = await deployPermitStage(chain.ethers, nativePayee);
  const { address, terms } = await funded(stage, token, PERMIT2_ADDRESS);
  const fields = {
    token: address,
    amount: AMOUNT,
    spender: await stage.receiver.getAddress(),
    nonce: 7n,
    deadline: await inAnHour(chain.ethers),
    witness: await witnessOf(stage, terms),
  };
  const signature = await signPermit2Transfer(chain.ethers, stage.depositor, fields);
  const transfer = { owner: stage.depositor.address, nonce: 7n, deadline: fields.deadline, signature };
  const args = [address, AMOUNT, ...destinationOf(terms), transfer];
  return attemptOf(stage, terms, address, "depositErc20WithPermit2", args);
};

/** Any token of the mocks, with authorizations on top. */
export const deployAuthorizing: DeployToken = async (chain, name, args) => {
  const plain = await deployPlainly(chain, name, args);
  const token = await chain.ethers.deployContract("AuthorizingToken", [plain]);
  return chain.ethers.getContractAt(name as string, token);
};

const prepareAuthorization: PrepareToken = async (chain, token) => {
  const stage: PermitStage = await deployPermitStage(chain.ethers, nativePayee);
  const { address, terms } = await funded(stage, token, await stage.receiver.getAddress());
  const fields = {
    from: stage.depositor.address,
    to: await stage.receiver.getAddress(),
    value: AMOUNT,
    validAfter: 0n,
    validBefore: await inAnHour(chain.ethers),
    nonce: hashWitness(await witnessOf(stage, terms)),
  };
  const domain = { address, name: "Authorizing" };
  const authorization = await signAuthorization(chain.ethers, stage.depositor, domain, fields);
  const args = [address, AMOUNT, ...destinationOf(terms), authorization];
  return attemptOf(stage, terms, address, "depositErc20WithAuthorization", args);
};

function paymentOf(currency: string, { requestId, destinationUser, signature }: SignedTerms) {
  return {
    currency,
    amount: AMOUNT,
    requestId,
    destinationChainId: DESTINATION_CHAIN_ID,
    destinationUser,
    signature,
  };
}

const prepareBatchNative: PrepareNative = async (chain) => {
  const stage = await stageOf("PinnedReceiverPermits", chain);
  const terms = await signTerms(stage, AMOUNT);
  return attemptOf(stage, terms, ZeroAddress, "depositAll", [[paymentOf(ZeroAddress, terms)]]);
};

const prepareBatchErc20: PrepareToken = async (chain, token) => {
  const stage = await stageOf("PinnedReceiverPermits", chain);
  const { address, terms } = await funded(stage, token, await stage.receiver.getAddress());
  return attemptOf(stage, terms, address, "depositAll", [[paymentOf(address, terms)]]);
};

const native = {
  failed: ({ payee }: Attempt, reason: unknown) => ({
    name: "PayeeRejectedNative",
    args: [payee, AMOUNT, reason],
  }),
  again: ({ contract, data }: Attempt) =>
    // Selector, then the id.
    contract.interface.encodeErrorResult("RequestAlreadyConsumed", [`0x${data.slice(10, 74)}`]),
};

export const pinnedPaths: readonly Path[] = [
  ...contracts.flatMap((contract): Path[] => [
    { contract, function: "deposit", cells: nativeRow(preparingNative(contract), native) },
    { contract, function: "depositErc20", cells: tokenRow(preparingErc20(contract), pulledOutcomes) },
  ]),
  ...(
    [
      ["depositErc20WithPermit", tokenRow(preparePermit, pulledOutcomes)],
      ["depositErc20WithPermit2", tokenRow(preparePermit2, relayedOutcomes.permit2)],
      [
        "depositErc20WithAuthorization",
        tokenRow(prepareAuthorization, relayedOutcomes.authorization, deployAuthorizing),
      ],
    ] as const
  ).map(([name, cells]): Path => ({ contract: "PinnedReceiverPermits", function: name, cells })),
  {
    contract: "PinnedReceiverPermits",
    function: "depositAll",
    variant: "native currency",
    cells: nativeRow(prepareBatchNative, { ...native, again: reentrancyReason }),
  },
  {
    contract: "PinnedReceiverPermits",
    function: "depositAll",
    variant: "a token",
    cells: tokenRow(prepareBatchErc20, pulledOutcomes),
  },
];
