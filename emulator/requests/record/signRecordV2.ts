import { encodeAbiParameters, type Hex, keccak256, type LocalAccount, parseAbiParameters } from "viem";
import { recordWord } from "../../../src/records/SignatureRecord.ts";
import type { SignatureRecordV2Response } from "../../../src/schema/record/signatureRecordV2.ts";

const parameters = parseAbiParameters(
  "bytes32 requestId, uint256 originChainId, bytes32 originUser, bytes32 originCurrency, uint256 destinationChainId, bytes32 destinationUser, bytes32 destinationCurrency",
);

/** Fields of a record of version 2, in the order in which they are signed, after the requestId. */
type RecordV2Fields = SignatureRecordV2Response["requestData"];

/** Signs a record of version 2 as a solver does: without the amount, and with the destination currency last. */
export async function signRecordV2(
  account: Pick<LocalAccount, "signMessage">,
  requestId: Hex,
  fields: RecordV2Fields,
): Promise<Hex> {
  const word = (address: string) => recordWord(address as Hex);
  const encoded = encodeAbiParameters(parameters, [
    requestId,
    BigInt(fields.originChainId),
    word(fields.originUser),
    word(fields.originCurrency),
    BigInt(fields.destinationChainId),
    word(fields.destinationUser),
    word(fields.destinationCurrency),
  ]);
  return account.signMessage({ message: { raw: keccak256(encoded) } });
}
