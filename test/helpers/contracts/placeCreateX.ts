import { type Hex, recoverTransactionAddress, toHex } from "viem";
import { readPrivate } from "../../fork/replica/publishedCode.ts";
import type { TestChain } from "../emulatorFixture.ts";
import { askNode } from "../localChain.ts";

const createXFile = "dist/src/internal/execution/strategy/createx-artifact.js";

/** Deploys the factory to a chain of Hardhat by the transaction that its author signed for every chain. */
export async function placeCreateX(chain: TestChain): Promise<void> {
  const raw = await readPrivate("@nomicfoundation/ignition-core", createXFile, "presignedTx");
  const signer = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` });
  await askNode(chain, "hardhat_setBalance", signer, toHex(10n ** 18n));
  const hash = (await askNode(chain, "eth_sendRawTransaction", raw)) as Hex;
  await chain.reader.waitForTransactionReceipt({ hash });
}
