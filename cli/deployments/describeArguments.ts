import { type Address, zeroAddress } from "viem";
import type { ContractName } from "../../src/deployment/contracts.ts";
import type { DeploymentParameters } from "../../src/deployment/parameters.ts";
import type { NamedAccount } from "./checkAccounts.ts";

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
