import { type Address, type PublicClient, zeroAddress } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { createXAddress, deployments } from "../../src/abi/deployments.ts";
import { BaseError } from "../../src/errors/BaseError.ts";

/** An account that gets money or power by a deployment. */
export type NamedAccount = { readonly account: Address; readonly role: string };

const publicMnemonic = "test test test test test test test test test test test junk";
/** Accounts that Hardhat and anvil fund. */
const publicCount = 20;
/** Precompiled contracts of all chains lie below. */
const lowestAccount = 0x1_0000n;
/** A burn address, and contracts that anyone can take money from or that keep it. */
const contracts = [
  "0x000000000000000000000000000000000000dead",
  createXAddress,
  ...Object.values(deployments),
];

/**
 * Refuses accounts that no one or everyone has the key of.
 *
 * @returns Remarks on accounts that the chain has never seen, one sentence each.
 * @throws BaseError with the code `DEPLOYMENT_REFUSED`
 */
export async function checkAccounts(
  client: PublicClient,
  accounts: readonly NamedAccount[],
  /** Whether the node mines for tests, where public keys are usual. */
  isRehearsal: boolean,
): Promise<readonly string[]> {
  const given = accounts.filter(({ account }) => account !== zeroAddress);
  for (const { account, role } of given) {
    const isKeyless = BigInt(account) < lowestAccount || contracts.some((each) => same(account, each));
    if (isKeyless) throw refused(`The ${role} ${account} is an account that has no key.`);
  }
  if (!isRehearsal) {
    const known = publicAccounts();
    for (const { account, role } of given) {
      if (!known.has(account.toLowerCase())) continue;
      throw refused(`The ${role} ${account} is of the public test mnemonic: anyone has its key.`);
    }
  }
  const remarks = await Promise.all(given.map((each) => remarkOn(client, each)));
  return remarks.flat();
}

/** A deployment that would lose funds or power. */
export function refused(sentence: string): BaseError {
  return new BaseError(sentence, { code: "DEPLOYMENT_REFUSED" });
}

function publicAccounts(): ReadonlySet<string> {
  return new Set(
    Array.from({ length: publicCount }, (_, addressIndex) =>
      mnemonicToAccount(publicMnemonic, { addressIndex }).address.toLowerCase(),
    ),
  );
}

async function remarkOn(client: PublicClient, { account, role }: NamedAccount): Promise<readonly string[]> {
  const [code, nonce] = await Promise.all([
    client.getCode({ address: account }),
    client.getTransactionCount({ address: account }),
  ]);
  if (code !== undefined || nonce > 0) return [];
  return [
    `The ${role} ${account} has never sent a transaction on this chain: make sure that its key exists.`,
  ];
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
