import { type Address, type PublicClient, zeroAddress } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { createXAddress, deployments } from "../../src/abi/deployments.ts";
import type { ContractName } from "../../src/deployment/contracts.ts";
import type { DeploymentParameters } from "../../src/deployment/parameters.ts";
import { BaseError } from "../../src/errors/BaseError.ts";

/** A constructor argument with its meaning. */
type DescribedArgument = { readonly name: string; readonly value: string; readonly meaning: string };

/** What a deployment means: its arguments, the accounts that they name, and who can change the contract later. */
export type DescribedDeployment = {
  readonly accounts: readonly NamedAccount[];
  readonly args: readonly DescribedArgument[];
  readonly owner: Address | undefined;
};

const bindings = ["records name this receiver", "records name the account that pays"] as const;

/** Describes the arguments of a deployment. */
export function describeArguments(
  contract: ContractName,
  parameters: DeploymentParameters,
): DescribedDeployment {
  if (contract === "PinnedReceiver") {
    const given = parameters[contract];
    return given === undefined ? nothing : describePinned(given);
  }
  if (contract === "OrderReceiver") {
    const given = parameters[contract];
    return given === undefined ? nothing : describeOrder(given);
  }
  if (contract !== "ManagedReceiver") return nothing;
  const given = parameters[contract];
  return given === undefined ? nothing : describeManaged(given);
}

const nothing: DescribedDeployment = { accounts: [], args: [], owner: undefined };

function describePinned(given: NonNullable<DeploymentParameters["PinnedReceiver"]>): DescribedDeployment {
  const { binding, nativePayee, refundPayee, solver } = given;
  return {
    accounts: accountsOf({ nativePayee, refundPayee, solver }),
    args: [
      { meaning: "signs the records, and receives tokens", name: "solver", value: solver },
      { meaning: "receives native currency", name: "nativePayee", value: nativePayee },
      { meaning: bindings[binding], name: "binding", value: `${binding}` },
      { meaning: refundMeaning(refundPayee), name: "refundPayee", value: refundPayee },
    ],
    owner: undefined,
  };
}

function describeOrder(given: NonNullable<DeploymentParameters["OrderReceiver"]>): DescribedDeployment {
  const { chainId, chainName, depository, refundPayee, solver } = given;
  return {
    // The depository is no account of the service alone: its code is checked.
    accounts: accountsOf({ refundPayee, solver }),
    args: [
      { meaning: "orders name it, and carry its signature", name: "solver", value: solver },
      { meaning: "receives every payment", name: "depository", value: depository },
      { meaning: "the chain's name in orders", name: "chainName", value: chainName },
      { meaning: "the only chain that takes deposits", name: "chainId", value: `${chainId}` },
      { meaning: refundMeaning(refundPayee), name: "refundPayee", value: refundPayee },
    ],
    owner: undefined,
  };
}

function describeManaged(given: NonNullable<DeploymentParameters["ManagedReceiver"]>): DescribedDeployment {
  const { activationDelay, binding, coSigner, isRecipientListOpen, limits, owner, solvers } = given;
  const named = solvers.flatMap(({ nativePayee, solver }) => Object.entries({ nativePayee, solver }));
  return {
    accounts: [
      ...accountsOf({ coSigner, owner }),
      ...named.map(([role, account]) => ({ account: account as Address, role })),
    ],
    args: [
      { meaning: "can change solvers, recipients, limits, co-signer and pause", name: "owner", value: owner },
      { meaning: bindings[binding], name: "binding", value: `${binding}` },
      {
        meaning: "least seconds from a solver's announcement to its start",
        name: "activationDelay",
        value: `${activationDelay}`,
      },
      {
        meaning:
          coSigner === zeroAddress ? "deadlines are not checked" : "co-signs the deadline of each payment",
        name: "coSigner",
        value: coSigner,
      },
      {
        meaning: isRecipientListOpen
          ? "every recipient is allowed"
          : "no recipient is allowed until the owner adds it",
        name: "isRecipientListOpen",
        value: `${isRecipientListOpen}`,
      },
      ...solvers.map(({ nativePayee, solver, usesErc1271 }, i) => ({
        meaning: `signs by ${usesErc1271 ? "its contract" : "its key"}; native currency goes to ${nativePayee}`,
        name: `solvers.${i}`,
        value: solver,
      })),
      ...limits.map(({ currency, maximum, minimum }, i) => ({
        meaning: `${currency === zeroAddress ? "native currency" : "token"}: from ${minimum} to ${maximum} smallest units`,
        name: `limits.${i}`,
        value: currency,
      })),
    ],
    owner: owner as Address,
  };
}

function accountsOf(roles: Readonly<Record<string, string>>): readonly NamedAccount[] {
  return Object.entries(roles).map(([role, account]) => ({ account: account as Address, role }));
}

function refundMeaning(refundPayee: string): string {
  return refundPayee === zeroAddress
    ? "money that names no request is refused"
    : "receives money that names no request";
}

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
