import { type Address, type Hex, parseAbi } from "viem";
import { recoverSigner } from "../../../src/records/recoverSigner.ts";
import type { Step } from "../../../src/schema/quote/step.ts";
import type { PermitRequest } from "../../../src/schema/quote/submission.ts";
import type { Chain } from "../../chains/Chain.ts";
import { hasCode } from "../../chains/rpc.ts";
import type { Context } from "../../context/Context.ts";
import { PermitRefusedError } from "../../errors/refusals.ts";
import { chainTime, permitTransaction } from "../../quote/permits/permitTransaction.ts";
import { readAnswer } from "../../quote/permits/tokenDomain.ts";
import { transactionStep } from "../../quote/steps/buildSteps.ts";
import { swapGas } from "../../quote/steps/userTransaction.ts";
import { applyTrigger, findRequest, lockStatus } from "../../requests/applyTrigger.ts";
import { isGasless, type PermitTerms, parseIntent } from "../../requests/Intent.ts";
import { isAdvanceOwed } from "../../requests/isAdvanceOwed.ts";
import type { Store } from "../../store/tables.ts";
import { storeRelayed } from "../relayedRows.ts";
import { hasPermit, type PermitIntent, parsePayload, permitWork, serializePayload } from "./permitKind.ts";

/**
 * Accepts the signature of a request. Idempotent, so that a client may repeat a call whose answer was lost. The service
 * sends the deposit, except with ERC-2612: only the owner's own transaction can use that permit, so it is returned as a
 * further step.
 */
export async function acceptPermit(
  { api, kind, requestId }: PermitRequest,
  signature: Hex,
  context: Context,
): Promise<readonly Step[]> {
  const request = await findRequest(context.store, requestId);
  if (request === undefined) throw new PermitRefusedError("Request not found");
  const intent = parseIntent(request.intent);
  if (!hasPermit(intent)) throw new PermitRefusedError("The request was not quoted with `usePermit`");
  const { permit } = intent;
  if (kind !== permit.way) {
    throw new PermitRefusedError(`The request takes a signature of kind ${permit.way}, not ${kind}`);
  }
  if (api !== undefined && api !== permit.api) {
    throw new PermitRefusedError(`The request is for api ${permit.api}, not ${api}`);
  }
  const chain = context.chains.get(intent.origin.chainId);
  if (chain === undefined) throw new Error(`chain ${intent.origin.chainId} is not configured`);
  const steps = () => (isGasless(permit.way) ? [] : [userDeposit(intent, signature, chain)]);
  // Checked before everything that changes with time: the money may have moved, and the request may have ended.
  if (await isTaken(context.store, requestId, signature)) return steps();
  if (chainTime(chain, context.now()) > permit.deadline)
    throw new PermitRefusedError("The permit has expired");
  if (!(await isSignedByUser(permit, intent.user, signature, chain))) {
    throw new PermitRefusedError("The user did not sign the quoted permit with this signature");
  }
  await record(intent, signature, context);
  return steps();
}

async function isTaken(store: Store, requestId: string, signature: Hex): Promise<boolean> {
  const taken = await store
    .selectFrom("relayed_deposits")
    .select("payload")
    .where("request_id", "=", requestId)
    .executeTakeFirst();
  if (taken === undefined) return false;
  if (parsePayload(taken.payload).signature.toLowerCase() === signature.toLowerCase()) return true;
  throw new PermitRefusedError("The request has another signature already");
}

/** Stores the signature and confirms the deposit, or neither. */
async function record(intent: PermitIntent, signature: Hex, { now, store }: Context): Promise<void> {
  const { origin, permit, requestId } = intent;
  const at = now();
  const isOurs = isGasless(permit.way);
  await store.transaction().execute(async (transaction) => {
    const status = await lockStatus(transaction, requestId);
    // Two requests may submit the same signature at once.
    if (await isTaken(transaction, requestId, signature)) return;
    // A fast fill left the request without its payment, whatever the status.
    const isOwed = await isAdvanceOwed(transaction, requestId);
    if (status !== "waiting" && !isOwed)
      throw new PermitRefusedError(`The request no longer accepts a signature: its status is ${status}`);
    await storeRelayed(transaction, isOurs ? "accepted" : "handed", {
      at,
      chain_id: origin.chainId,
      kind: permit.way,
      payload: serializePayload({ signature }),
      request_id: requestId,
    });
    if (isOurs && !isOwed) await applyTrigger(transaction, requestId, { trigger: "deposit-confirmed" }, at);
  });
}

function userDeposit(intent: PermitIntent, signature: Hex, origin: Chain): Step {
  const { permit, requestId, routerVersion, user } = intent;
  const transaction = permitTransaction(permitWork(intent), permit, { signature, user }, routerVersion);
  const words = {
    description:
      permit.api === "swap" ? "Swap and deposit into the depository" : "Deposit into the depository",
    id: "deposit",
  };
  return transactionStep(words, { origin, requestId, user }, { ...transaction, gas: swapGas });
}

const walletAbi = parseAbi([
  "function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)",
]);
/** Answer of ERC-1271 for a valid signature. */
const isValid = "0x1626ba7e";

/**
 * Whether the user signed the offered permit. Permit2 asks an account that has code (ERC-1271); tokens recover
 * the signer of every signature.
 */
export async function isSignedByUser(
  { digest, way }: Pick<PermitTerms, "digest" | "way">,
  user: Address,
  signature: Hex,
  chain: Chain,
): Promise<boolean> {
  if (way === "permit2" && (await hasCode(chain, user))) {
    const answer = chain.client.readContract({
      abi: walletAbi,
      address: user,
      args: [digest, signature],
      functionName: "isValidSignature",
    });
    return (await readAnswer(answer)) === isValid;
  }
  const signer = await recoverSigner({ digest, signature }).catch(() => undefined);
  return signer?.toLowerCase() === user.toLowerCase();
}
