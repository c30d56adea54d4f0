import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  type PublicClient,
  pad,
  parseAbi,
  type SignedAuthorization,
  zeroAddress,
  zeroHash,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { testMnemonic } from "../../../emulator/chains/accounts.ts";
import type { Quote } from "../../../src/client/index.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";

/** The batch executor of the service's official client. */
const calibur: Address = "0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00";

const caliburAbi = parseAbi([
  "struct Call { address to; uint256 value; bytes data; }",
  "struct BatchedCall { Call[] calls; bool revertOnFailure; }",
  "struct SignedBatchedCall { BatchedCall batchedCall; uint256 nonce; bytes32 keyHash; address executor; uint256 deadline; }",
  "function execute(SignedBatchedCall signedBatchedCall, bytes wrappedSignature) payable",
  "function getSeq(uint256 key) view returns (uint256)",
]);

const types = {
  BatchedCall: [
    { name: "calls", type: "Call[]" },
    { name: "revertOnFailure", type: "bool" },
  ],
  Call: [
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "data", type: "bytes" },
  ],
  SignedBatchedCall: [
    { name: "batchedCall", type: "BatchedCall" },
    { name: "nonce", type: "uint256" },
    { name: "keyHash", type: "bytes32" },
    { name: "executor", type: "address" },
    { name: "deadline", type: "uint256" },
  ],
} as const;

/** A call of a batch. */
export type BatchCall = { readonly to: Address; readonly value: bigint; readonly data: Hex };

/** An account of the test mnemonic that no chain funds: it has no native currency. */
export function unfundedUser(index: number): LocalAccount {
  return mnemonicToAccount(testMnemonic, { addressIndex: 100 + index });
}

/** Fields of a signed batch that tests change. */
export type BatchChanges = {
  readonly nonce?: bigint;
  readonly deadline?: bigint;
  readonly executor?: Address;
  readonly keyHash?: Hex;
  readonly revertOnFailure?: boolean;
  readonly chainId?: number;
  /** Verifying contract of the signature. */
  readonly account?: Address;
};

/** Signs a batch of calls and encodes `execute`. */
export async function signBatch(
  user: LocalAccount,
  chainId: number,
  calls: readonly BatchCall[],
  changes: BatchChanges = {},
): Promise<Hex> {
  const { account = user.address, deadline = 0n, executor = zeroAddress, keyHash = zeroHash } = changes;
  const message = {
    batchedCall: { calls, revertOnFailure: changes.revertOnFailure ?? true },
    deadline,
    executor,
    keyHash,
    nonce: changes.nonce ?? 0n,
  };
  const signature = await user.signTypedData({
    domain: {
      chainId: changes.chainId ?? chainId,
      name: "Calibur",
      salt: pad(calibur),
      verifyingContract: account,
      version: "1.0.0",
    },
    message,
    primaryType: "SignedBatchedCall",
    types,
  });
  const wrapped = encodeAbiParameters([{ type: "bytes" }, { type: "bytes" }], [signature, "0x"]);
  return encodeFunctionData({ abi: caliburAbi, args: [message, wrapped], functionName: "execute" });
}

/** A chain as far as signing depends on it. */
type Place = {
  readonly info: { readonly id: number };
  readonly reader: Pick<PublicClient, "getTransactionCount">;
};

/** Signs the delegation of an account. */
export async function authorize(
  user: LocalAccount,
  chain: Place,
  changes: { readonly address?: Address; readonly chainId?: number; readonly nonce?: number } = {},
): Promise<SignedAuthorization> {
  if (user.signAuthorization === undefined) throw new Error("the account's key is not here");
  return user.signAuthorization({
    address: calibur,
    chainId: chain.info.id,
    nonce: await chain.reader.getTransactionCount({ address: user.address }),
    ...changes,
  });
}

/** An authorization in JSON. */
export function onWire({ address, chainId, nonce, r, s, yParity }: SignedAuthorization) {
  return { address, chainId, nonce, r, s, yParity: yParity ?? 0 };
}

/** The calls of a quote's transaction steps. */
export function callsOf(quote: Quote): readonly BatchCall[] {
  return quote.steps.flatMap((step) =>
    step.kind === "transaction"
      ? step.items.map(({ data }) => {
          const { data: input = "0x", to, value = "0" } = data as { to: Address; data?: Hex; value?: string };
          return { data: input, to, value: BigInt(value) };
        })
      : [],
  );
}

/** The body of `POST /execute` for a quote, with the delegation. */
export async function gaslessBody(
  user: LocalAccount,
  chain: Place,
  calls: readonly BatchCall[],
  changes: BatchChanges & { readonly requestId?: Hex } = {},
) {
  const { requestId, ...batch } = changes;
  return {
    data: {
      authorizationList: [onWire(await authorize(user, chain))],
      chainId: chain.info.id,
      data: await signBatch(user, chain.info.id, calls, batch),
      to: user.address as Address,
      value: "0",
    },
    executionKind: "rawCalls" as const,
    executionOptions: { referrer: "waybill.test", subsidizeFees: false },
    ...(requestId !== undefined && { requestId }),
  };
}

/** The answer to `POST /execute`. */
export type Executed = { readonly status: number; readonly body: Record<string, unknown> };

/** Posts a body to `/execute`, by default with the first API key of the emulator; an empty key is left out. */
export async function postExecute(
  { emulator }: Pick<EmulatorFixture, "emulator">,
  body: unknown,
  key: string = emulator.info.apiKeys[0]?.key ?? "",
): Promise<Executed> {
  const answer = await fetch(`${emulator.info.apiUrl}/execute`, {
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...(key !== "" && { "x-api-key": key }) },
    method: "POST",
  });
  return { body: (await answer.json()) as Record<string, unknown>, status: answer.status };
}
