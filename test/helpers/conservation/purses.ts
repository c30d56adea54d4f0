import { pbkdf2Sync } from "node:crypto";
import { bytesToHex, parseEther, parseUnits, toHex } from "viem";
import { HDKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { testMnemonic } from "../../../emulator/chains/accounts.ts";
import type { EmulatorFixture, TestChain } from "../emulatorFixture.ts";
import type { TestSymbol } from "../quotes/intents.ts";

/** Index far above those of the emulator's accounts. */
const firstIndex = 10_000;
/** Three ETH. */
const native = toHex(parseEther("3"));

const parent = HDKey.fromMasterSeed(pbkdf2Sync(testMnemonic, "mnemonic", 2048, 64, "sha512")).derive(
  "m/44'/60'/0'/0",
);

/** An account of the test mnemonic that pays for one intent only. */
export function purseOf(index: number): PrivateKeyAccount {
  const { privateKey } = parent.deriveChild(firstIndex + index);
  if (privateKey === null) throw new Error("a derived key has no private part");
  return privateKeyToAccount(bytesToHex(privateKey));
}

/** Funds a purse with more than twice any intent's input, and with native money for gas on both chains. */
export async function fillPurse(
  { alpha, beta, emulator }: EmulatorFixture,
  { address }: PrivateKeyAccount,
  origin: TestChain,
  symbol: TestSymbol,
): Promise<void> {
  for (const { reader } of [alpha, beta]) {
    await reader.request({ method: "hardhat_setBalance", params: [address, native] } as never);
  }
  if (symbol === "ETH") return;
  const amount = symbol === "WETH" ? parseEther("1") : parseUnits("2000", 6);
  await emulator.control.balances.set({
    account: address,
    amount,
    chainId: origin.info.id,
    currency: origin.currency(symbol),
  });
}
