import {
  type Address,
  BaseError as ChainError,
  type Hex,
  isAddressEqual,
  type PublicClient,
  zeroAddress,
} from "viem";
import { constructorArguments } from "../../src/deployment/constructorArguments.ts";
import { type ContractName, keepsStorage, type ReadArtifact } from "../../src/deployment/contracts.ts";
import type { DeploymentParameters, ReceiverName } from "../../src/deployment/parameters.ts";
import { ChainReadFailedError } from "../../src/errors/ChainReadFailedError.ts";
import { assertChain } from "./assertChain.ts";
import { checkImmutables } from "./checkImmutables.ts";
import { compareParameters } from "./compareParameters.ts";
import { compareSettings, initialSettings, type SettingDifference } from "./compareSettings.ts";
import { type Candidate, type Origin, proveByAddress, proveByTransaction } from "./proveOrigin.ts";
import { readSettings, type Settings } from "./readSettings.ts";
import { recognizeCode } from "./recognizeCode.ts";

/** Where {@link verifyDeployment} looks, and what it expects. */
export type VerifyDeploymentParameters = {
  readonly address: Address;
  readonly chainId: number;
  readonly readArtifact: ReadArtifact;
  /** The only contract to accept. @default any of the package */
  readonly contract?: ContractName | undefined;
  /** Transaction that created the contract without the factory. */
  readonly creation?: Hex | undefined;
  /** Expected settings of the contract that is found; others are not compared. @default those right after `parameters` */
  readonly expected?: ((contract: ContractName) => Settings) | undefined;
  /** First block to search for logs. @default 0n */
  readonly fromBlock?: bigint | undefined;
  /** Constructor parameters, which the address must follow from. */
  readonly parameters?: DeploymentParameters | undefined;
};

/** A difference from what is expected. */
type Difference = {
  readonly subject: "code" | "immutable" | "origin" | "setting";
  /** One sentence. */
  readonly text: string;
} & Partial<SettingDifference>;

/** What {@link verifyDeployment} found. */
export type VerifiedDeployment = {
  readonly address: Address;
  readonly chainId: number;
  readonly block: bigint;
  /** Nothing is read from an account whose code is not recognized. */
  readonly contract?: ContractName;
  /** Arguments of the constructor, once they are proven. */
  readonly args?: readonly unknown[] | undefined;
  readonly settings?: Settings;
  readonly differences: readonly Difference[];
};

const implementationSlot = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";

/**
 * Compares the code and the settings of a deployed contract to this package and to what is expected, at one block.
 *
 * A contract that keeps storage needs a proof of its constructor too: another constructor could leave the same code and, for
 * example, a solver without a log.
 *
 * @returns What was found; without differences, all of it is as expected.
 * @throws BaseError with the code `CHAIN_MISMATCH` for a node of another chain; ChainReadFailedError
 */
export async function verifyDeployment(
  client: PublicClient,
  parameters: VerifyDeploymentParameters,
): Promise<VerifiedDeployment> {
  const { address, chainId, readArtifact } = parameters;
  await assertChain(client, chainId);
  return reading(`reading the contract ${address}`, async () => {
    const block = await client.getBlockNumber({ cacheTime: 0 });
    const found = { address, block, chainId };
    const code = await codeOf(client, address, block);
    const recognized = recognizeCode(code, readArtifact, parameters.contract);
    if (recognized.contract === undefined) {
      const proxied = await proxiedBy(client, address, block);
      return {
        ...found,
        differences: [{ subject: "code", text: `At ${address}, ${recognized.reason}.${proxied}` }],
      };
    }
    const { contract, immutables } = recognized;
    const candidate: Candidate = { address, artifact: readArtifact(contract), contract, immutables };
    const origin = await originOf(client, candidate, parameters, block);
    const fromBlock = origin?.block ?? parameters.fromBlock ?? 0n;
    const range = { fromBlock, toBlock: block };
    const { areLogsMissing, settings } = await readSettings(client, candidate, range, origin?.args);
    const partner = await partnerDifferences(client, candidate, readArtifact, block);
    // A node behind one URL may have been replaced since.
    await assertChain(client, chainId);
    const wanted = parameters.expected?.(contract) ?? initialSettings(contract, parameters.parameters ?? {});
    return {
      ...found,
      ...(origin !== undefined && { args: origin.args }),
      contract,
      differences: [
        ...checkImmutables(contract, immutables, { address, chainId }).map(
          (text): Difference => ({ subject: "immutable", text }),
        ),
        ...partner,
        ...originDifferences(candidate, origin, parameters),
        ...(areLogsMissing ? [missingLogs(candidate, fromBlock)] : []),
        ...compareSettings(wanted ?? {}, settings).map(
          (each): Difference => ({
            ...each,
            subject: "setting",
            text: `\`${each.setting}\` is ${each.actual}, and not ${each.expected}.`,
          }),
        ),
      ],
      settings,
    };
  });
}

async function codeOf(client: PublicClient, address: Address, blockNumber: bigint): Promise<Hex> {
  return (await client.getCode({ address, blockNumber })) ?? "0x";
}

async function proxiedBy(client: PublicClient, address: Address, blockNumber: bigint): Promise<string> {
  const word = (await client.getStorageAt({ address, blockNumber, slot: implementationSlot })) ?? "0x0";
  if (BigInt(word) === 0n) return "";
  return ` It is an upgradeable proxy of 0x${word.slice(-40)} (ERC-1967).`;
}

async function originOf(
  client: PublicClient,
  candidate: Candidate,
  { creation, fromBlock = 0n, parameters = {} }: VerifyDeploymentParameters,
  toBlock: bigint,
): Promise<Origin | undefined> {
  if (!keepsStorage(candidate.contract)) return undefined;
  const known = constructorArguments(parameters)[candidate.contract as ReceiverName];
  if (creation !== undefined) return proveByTransaction(client, candidate, creation);
  return proveByAddress(client, candidate, { fromBlock, known, toBlock });
}

function originDifferences(
  candidate: Candidate,
  origin: Origin | undefined,
  { chainId, contract: named, creation, parameters }: VerifyDeploymentParameters,
): readonly Difference[] {
  const { address, contract } = candidate;
  const given = { chainId, isNamed: named !== undefined, parameters: parameters ?? {} };
  const texts = parameters === undefined ? [] : [...compareParameters(candidate, origin, given)];
  if (origin === undefined && keepsStorage(contract)) {
    texts.push(
      creation === undefined
        ? `No arguments of ${contract} are known that give the address ${address}, so another constructor may have filled its storage: pass the parameters, or the transaction that created it.`
        : `The transaction ${creation} did not create ${address} by the creation code of ${contract}.`,
    );
  }
  return texts.map((text) => ({ subject: "origin", text }));
}

/** Later changes could be missing too, so that a setting would not be seen. */
function missingLogs({ address }: Candidate, fromBlock: bigint): Difference {
  const text = `The node has no log of the constructor of ${address} from block ${fromBlock} on, so its logs may be incomplete: search from an earlier block, or at a node with all logs.`;
  return { subject: "origin", text };
}

/** Differences of the contract that this one relies on. */
async function partnerDifferences(
  client: PublicClient,
  { address, contract, immutables }: Candidate,
  readArtifact: ReadArtifact,
  block: bigint,
): Promise<readonly Difference[]> {
  const depository = immutables["depository"] as Address | undefined;
  if (depository !== undefined) {
    if ((await codeOf(client, depository, block)) !== "0x") return [];
    return [{ subject: "immutable", text: `The depository ${depository} has no code.` }];
  }
  if (contract !== "BalanceProxy" && contract !== "BalanceExecutor") return [];
  const isProxy = contract === "BalanceProxy";
  const partner = immutables[isProxy ? "executor" : "proxy"] as Address;
  const expected = isProxy ? "BalanceExecutor" : "BalanceProxy";
  const found = recognizeCode(await codeOf(client, partner, block), readArtifact, expected);
  if (found.contract === undefined) {
    return [{ subject: "code", text: `At ${partner}, ${found.reason}.` }];
  }
  const back = (found.immutables[isProxy ? "proxy" : "executor"] ?? zeroAddress) as Address;
  if (isAddressEqual(back, address)) return [];
  return [
    { subject: "immutable", text: `${expected} at ${partner} belongs to ${back}, and not to ${address}.` },
  ];
}

async function reading<Result>(operation: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof ChainError) throw new ChainReadFailedError({ cause, operation });
    throw cause;
  }
}
