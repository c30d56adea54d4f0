import { expect } from "chai";
import { type Hex, recoverMessageAddress } from "viem";
import type { ExecuteParameters } from "../../../../src/execute/execute.ts";
import { submissions, succeed } from "./attempt.ts";
import { account } from "./fakeChain.ts";
import { signatureStep } from "./steps.ts";

/** Has `wallet` sign a digest, a text and short hexadecimal; only the digest is signed as bytes. */
export async function expectMessageSignatures(
  digest: Hex,
  wallet: ExecuteParameters["wallet"],
): Promise<void> {
  for (const [text, message] of [
    [digest, { raw: digest }],
    ["hello", "hello"],
    ["0x1234", "0x1234"],
  ] as const) {
    const steps = [signatureStep({ message: text, signatureKind: "eip191" })];
    const { calls } = await succeed({ service: submissions(), steps, wallet });
    const signature = calls[0]?.query.signature as Hex;
    expect(await recoverMessageAddress({ message, signature })).to.equal(account.address);
  }
}
