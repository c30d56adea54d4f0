import { MaxUint256, ZeroAddress } from "ethers";
import { reentrancyReason } from "../libraryErrors.ts";
import { accept, type ManagedStage, type ManagedTerms, managedTerms } from "../managedStage.ts";
import { PERMIT2_ADDRESS, placePermit2 } from "../permit2.ts";
import {
  hashWitness,
  inAnHour,
  signAuthorization,
  signPermit2Transfer,
  type Witness,
} from "../permitStage.ts";
import type { TestToken } from "../tokens.ts";
import { AMOUNT } from "./attempt.ts";
import { forwarded, managedAttemptOf, managedStageOf } from "./managedPaths.ts";
import type { Chain, Path } from "./matrix.ts";
import { nativeRow, type PrepareNative } from "./nativeRows.ts";
import { deployAuthorizing } from "./pinnedPaths.ts";
import { pulledOutcomes, relayedOutcomes } from "./tokenOutcomes.ts";
import { type PrepareToken, tokenRow } from "./tokenRows.ts";

const contract = "ManagedReceiverPermits";

interface Ready {
  readonly stage: ManagedStage;
  readonly terms: ManagedTerms;
  readonly currency: string;
  readonly witness: Witness;
}

async function ready(chain: Chain, token: TestToken): Promise<Ready> {
  const stage = await managedStageOf(contract, chain);
  await accept(stage, token);
  const terms = await managedTerms(stage, { currency: token });
  const { requestId, destinationChainId, destinationUser } = terms.record;
  const receiver = await stage.receiver.getAddress();
  const witness = { requestId, destinationChainId, destinationUser, receiver };
  return { stage, terms, currency: await token.getAddress(), witness };
}

async function attempt({ stage, terms, currency }: Ready, call: string, signed: unknown) {
  const { record, signature, coSignature } = terms;
  const args = [currency, AMOUNT, record, signature, coSignature, signed];
  return managedAttemptOf(stage, record.requestId, currency, call, args);
}

/** The permit is one that no token takes; the allowance stands, so that every token can be met. */
const preparePermit: PrepareToken = async (chain, token) => {
  const word = `0x${"11".repeat(32)}`;
  const permit = { value: AMOUNT, deadline: 0n, r: word, s: word, v: 27 };
  return attempt(await ready(chain, token), "depositErc20WithPermit", permit);
};

const preparePermit2: PrepareToken = async (chain, token) => {
  await placePermit2(chain.ethers);
  const setting = await ready(chain, token);
  const { stage, currency, witness } = setting;
  await token.connect(stage.depositor).approve(PERMIT2_ADDRESS, MaxUint256);
  const deadline = await inAnHour(chain.ethers);
  const signature = await signPermit2Transfer(chain.ethers, stage.depositor, {
    token: currency,
    amount: AMOUNT,
    spender: witness.receiver,
    nonce: 7n,
    deadline,
    witness,
  });
  const transfer = { owner: stage.depositor.address, nonce: 7n, deadline, signature };
  return attempt(setting, "depositErc20WithPermit2", transfer);
};

const prepareAuthorization: PrepareToken = async (chain, token) => {
  const setting = await ready(chain, token);
  const { stage, currency, witness } = setting;
  const domain = { address: currency, name: "Authorizing" };
  const authorization = await signAuthorization(chain.ethers, stage.depositor, domain, {
    from: stage.depositor.address,
    to: witness.receiver,
    value: AMOUNT,
    validAfter: 0n,
    validBefore: await inAnHour(chain.ethers),
    nonce: hashWitness(witness),
  });
  return attempt(setting, "depositErc20WithAuthorization", authorization);
};

const prepareBatchErc20: PrepareToken = async (chain, token) => {
  const { stage, terms, currency } = await ready(chain, token);
  return managedAttemptOf(stage, terms.record.requestId, currency, "depositAll", [[terms]]);
};

const prepareBatchNative: PrepareNative = async (chain) => {
  const stage = await managedStageOf(contract, chain);
  const terms = await managedTerms(stage);
  return managedAttemptOf(stage, terms.record.requestId, ZeroAddress, "depositAll", [[terms]]);
};

export const managedPermitsPaths: readonly Path[] = [
  { contract, function: "depositErc20WithPermit", cells: tokenRow(preparePermit, pulledOutcomes) },
  { contract, function: "depositErc20WithPermit2", cells: tokenRow(preparePermit2, relayedOutcomes.permit2) },
  {
    contract,
    function: "depositErc20WithAuthorization",
    cells: tokenRow(prepareAuthorization, relayedOutcomes.authorization, deployAuthorizing),
  },
  {
    contract,
    function: "depositAll",
    variant: "native currency",
    cells: nativeRow(prepareBatchNative, { ...forwarded, again: reentrancyReason }),
  },
  {
    contract,
    function: "depositAll",
    variant: "a token",
    cells: tokenRow(prepareBatchErc20, pulledOutcomes),
  },
];
