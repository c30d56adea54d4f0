import { type Address, concatHex, encodePacked, type Hex, hashMessage, keccak256, size, slice } from "viem";
import { hashRecord } from "../../src/records/hashRecord.ts";
import { recoverSigner } from "../../src/records/recoverSigner.ts";
import type { SignatureRecord } from "../../src/records/SignatureRecord.ts";
import { type RecordMistake, verifyRecord } from "../../src/records/verifyRecord.ts";

/** Placeholder of native currency in other protocols. */
const placeholder = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
const zero = "0x0000000000000000000000000000000000000000";

const known: Readonly<Record<RecordMistake, string>> = {
  "addresses-right-padded": "addresses are padded on the right",
  "message-prefix-missing": "the hash is signed without the prefix of Ethereum signed messages",
};

/** Plausible changes of fields, each completing "It verifies if …". */
function changesOf(record: SignatureRecord): readonly (readonly [sentence: string, SignatureRecord])[] {
  const { destinationChainId, destinationUser, originChainId, originCurrency, originUser } = record;
  const users = { destinationUser: originUser, originUser: destinationUser };
  const chains = { destinationChainId: originChainId, originChainId: destinationChainId };
  return [
    ["originUser and destinationUser are swapped", { ...record, ...users }],
    ["originChainId and destinationChainId are swapped", { ...record, ...chains }],
    ["origin and destination are swapped", { ...record, ...users, ...chains }],
    ["originUser is the destinationUser", { ...record, originUser: destinationUser }],
    ["destinationUser is the originUser", { ...record, destinationUser: originUser }],
    ["originAmount is left out (zero)", { ...record, originAmount: 0n }],
    [
      "the native currency has its other placeholder",
      { ...record, originCurrency: originCurrency.toLowerCase() === zero ? placeholder : zero },
    ],
  ];
}

/** Finds mistakes in fields, encoding or signature under which the signature is the solver's. */
export async function findRecordMistakes(
  record: SignatureRecord,
  signature: Hex,
  solver: Address,
): Promise<readonly string[]> {
  const isSolvers = async (digest: Hex, signed: Hex) =>
    (await recoverSigner({ digest, signature: signed }).catch(() => undefined)) === solver;
  const { digest, hash } = hashRecord({ record });
  const verdict = await verifyRecord({ record, signature, solver }).catch(() => undefined);
  const digests: (readonly [string, Hex])[] = [
    ["the hash is signed as text instead of 32 bytes", hashMessage(hash)],
    ["fields are packed instead of padded", hashMessage({ raw: keccak256(packed(record)) })],
    ...changesOf(record).map(
      ([sentence, changed]) => [sentence, hashRecord({ record: changed }).digest] as const,
    ),
  ];
  const found: string[] = [];
  if (verdict?.valid === false && verdict.mistake !== undefined) found.push(known[verdict.mistake]);
  for (const [sentence, candidate] of digests)
    if (await isSolvers(candidate, signature)) found.push(sentence);
  const repaired = withUsualV(signature);
  if (repaired !== undefined && (await isSolvers(digest, repaired))) {
    found.push("the signature's last byte is 27 or 28 instead of 0 or 1");
  }
  return found;
}

/** The signature with 27 added to a last byte of 0 or 1. */
function withUsualV(signature: Hex): Hex | undefined {
  if (size(signature) !== 65) return undefined;
  const v = Number(slice(signature, 64));
  return v > 1 ? undefined : concatHex([slice(signature, 0, 64), v === 0 ? "0x1b" : "0x1c"]);
}

function packed(record: SignatureRecord): Hex {
  return encodePacked(
    ["bytes32", "uint256", "bytes", "bytes", "uint256", "uint256", "bytes"],
    [
      record.requestId,
      BigInt(record.originChainId),
      record.originUser,
      record.originCurrency,
      record.originAmount,
      BigInt(record.destinationChainId),
      record.destinationUser,
    ],
  );
}
