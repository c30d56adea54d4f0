import { readFileSync } from "node:fs";
import { type Address, getAddress, type Hex, isAddressEqual } from "viem";
import { recordVerifierAbi } from "../../src/abi/RecordVerifier.ts";
import { recordFromResponse, recordWord } from "../../src/records/SignatureRecord.ts";
import { verifyRecord } from "../../src/records/verifyRecord.ts";
import { check, fact, title } from "./report.ts";
import { deploy, type Side } from "./world.ts";

type Sample = {
  requestId: Hex;
  requestData: Parameters<typeof recordFromResponse>[0]["requestData"];
  signature: Hex;
  signer: Address;
};

/** Recovers the signer of a published production record by a contract. */
export async function verifyPublishedRecord(origin: Side): Promise<void> {
  title("A record that the public service signed, verified on chain");
  const file = new URL("../../test/vectors/attestation-ethereum-zora.json", import.meta.url);
  const sample = JSON.parse(readFileSync(file, "utf8")) as Sample;
  const record = recordFromResponse(sample);
  const recovered = await origin.reader.readContract({
    abi: recordVerifierAbi,
    address: await deploy(origin, "records/RecordVerifier"),
    args: [
      {
        ...record,
        destinationChainId: BigInt(record.destinationChainId),
        destinationUser: recordWord(record.destinationUser),
        originChainId: BigInt(record.originChainId),
        originCurrency: recordWord(record.originCurrency),
        originUser: recordWord(record.originUser),
      },
      sample.signature,
    ],
    functionName: "recoverSigner",
  });
  fact("request", sample.requestId);
  fact("signer recovered on chain", recovered);
  check(isAddressEqual(recovered, sample.signer), "the contract recovers the published signer");
  const verdict = await verifyRecord({ record, signature: sample.signature, solver: sample.signer });
  check(verdict.valid && verdict.signer === getAddress(sample.signer), "the library agrees");
}
