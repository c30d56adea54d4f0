import { type Address, type PublicClient, zeroAddress } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { createXAddress, deployments } from "../../src/abi/deployments.ts";
import type { ContractName } from "../../src/deployment/contracts.ts";
import type { DeploymentParameters } from "../../src/deployment/parameters.ts";
import { BaseError } from "../../src/errors/BaseError.ts";

/** A constructor argument with its meaning. */
type DescribedArgument = { readonly name: string; readonly value: string; readonly meaning: string };

/** An account that gets money or power by a deployment. */
export type NamedAccount = { readonly account: Address; readonly role: string };

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
  if (contract === "PinnedReceiver" && parameters[contract] !== undefined) {
    const { binding, nativePayee, refundPayee, solver } = parameters[contract];
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
  if (contract === "OrderReceiver" && parameters[contract] !== undefined) {
    const { chainId, chainName, depository, refundPayee, solver } = parameters[contract];
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
  if (contract === "ManagedReceiver" && parameters[contract] !== undefined) {
    return describeManaged(parameters[contract]);
  }
  return { accounts: [], args: [], owner: undefined };
}

function describeManaged(given: NonNullable<DeploymentParameters["ManagedReceiver"]>): DescribedDeployment {
  const { activationDelay, binding, coSigner, isRecipientListOpen, limits, owner, solvers } = given;
  const deadlines =
    coSigner === zeroAddress ? "deadlines are not checked" : "co-signs the deadline of each payment";
  const recipients = isRecipientListOpen
    ? "every recipient is allowed"
    : "no recipient is allowed until the owner adds it";
  const rows: readonly (readonly [name: string, value: unknown, meaning: string])[] = [
    ["owner", owner, "can change solvers, recipients, limits, co-signer and pause"],
    ["binding", binding, bindings[binding]],
    ["activationDelay", activationDelay, "least seconds from a solver's announcement to its start"],
    ["coSigner", coSigner, deadlines],
    ["isRecipientListOpen", isRecipientListOpen, recipients],
    ...solvers.map(({ nativePayee, solver, usesErc1271 }, i) => {
      const meaning = `signs by ${usesErc1271 ? "its contract" : "its key"}; native currency goes to ${nativePayee}`;
      return [`solvers.${i}`, solver, meaning] as const;
    }),
    ...limits.map(({ currency, maximum, minimum }, i) => {
      const kind = currency === zeroAddress ? "native currency" : "token";
      return [`limits.${i}`, currency, `${kind}: from ${minimum} to ${maximum} smallest units`] as const;
    }),
  ];
  return {
    accounts: [
      ...accountsOf({ coSigner, owner }),
      ...solvers.flatMap(({ nativePayee, solver }) => accountsOf({ nativePayee, solver })),
    ],
    args: rows.map(([name, value, meaning]) => ({ meaning, name, value: `${value}` })),
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
].map((each) => each.toLowerCase());

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
  const known = Array.from({ length: isRehearsal ? 0 : publicCount }, (_, addressIndex) =>
    mnemonicToAccount(publicMnemonic, { addressIndex }).address.toLowerCase(),
  );
  for (const { account, role } of given) {
    const isKeyless = BigInt(account) < lowestAccount || contracts.includes(account.toLowerCase());
    if (isKeyless) throw refused(`The ${role} ${account} is an account that has no key.`);
    if (!known.includes(account.toLowerCase())) continue;
    throw refused(`The ${role} ${account} is of the public test mnemonic: anyone has its key.`);
  }
  const remarks = given.map(async ({ account, role }) => {
    const code = await client.getCode({ address: account });
    const nonce = await client.getTransactionCount({ address: account });
    const sentence = `The ${role} ${account} has never sent a transaction on this chain: make sure that its key exists.`;
    return code !== undefined || nonce > 0 ? [] : [sentence];
  });
  return (await Promise.all(remarks)).flat();
}

/** A deployment that would lose funds or power. */
export function refused(sentence: string): BaseError {
  return new BaseError(sentence, { code: "DEPLOYMENT_REFUSED" });
}
