import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { HardhatPluginError } from "hardhat/plugins";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { NetworkConnection } from "hardhat/types/network";
import { type Address, createPublicClient, createWalletClient, custom, type Hex } from "viem";
import { assertFee } from "../../src/deployment/assertFee.ts";
import type { ContractArtifact, ContractName } from "../../src/deployment/contracts.ts";
import { describePlan, isOtherContract } from "../../src/deployment/describePlan.ts";
import {
  checkParameters,
  type DeploymentParameters,
  type ReceiverName,
} from "../../src/deployment/parameters.ts";
import { planDeployment } from "../../src/deployment/planDeployment.ts";
import { sendDeployment } from "../../src/deployment/sendDeployment.ts";
import type { VerifiedDeployment } from "../../src/deployment/verifyDeployment.ts";
import { BaseError } from "../../src/errors/BaseError.ts";
import { ChainReadFailedError } from "../../src/errors/ChainReadFailedError.ts";
import { printable } from "../../src/errors/printable.ts";

type Arguments = {
  readonly contract: string | undefined;
  readonly fromBlock: bigint;
  readonly maxFee: string | undefined;
  readonly parameters: string | undefined;
  readonly yes: boolean;
};
type Deployment = {
  readonly contract: ReceiverName | "BalanceProxy";
  readonly fromBlock: bigint;
  readonly maxFee: string | undefined;
  readonly parameters: DeploymentParameters;
};
type Result = { readonly address: Address; readonly hash?: Hex; readonly status: Status };
type Status = "deployed" | "planned" | "standing";

const require = createRequire(import.meta.url);
const readArtifact = (name: ContractName): ContractArtifact => require(`waybill/artifacts/${name}.json`);
/** Text of the node must not change the terminal. */
const refuse = (sentence: string, cause?: Error) =>
  new HardhatPluginError("waybill", printable(sentence), cause);
const unread = (cause: unknown): never => {
  throw new ChainReadFailedError({ cause, operation: "reading the chain's id" });
};

/** Plans a deployment to the project's network, prints it, and sends it by the network's account with `--yes`. */
export default async function deploy(
  { contract: named, fromBlock, maxFee, parameters: file, yes }: Arguments,
  { network }: HardhatRuntimeEnvironment,
): Promise<Result> {
  if (maxFee !== undefined && !/^\d+(?:\.\d+)?$/.test(maxFee))
    throw refuse("--max-fee is an amount, such as 0.2.");
  const parameters = file === undefined ? {} : await readParameters(file);
  const deployment = { contract: chooseContract(parameters, named), fromBlock, maxFee, parameters };
  const connection = await network.create();
  try {
    return await run(connection, deployment, yes);
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    throw refuse([error.shortMessage, error.details].filter(Boolean).join(" "), error);
  } finally {
    await connection.close();
  }
}

async function run(
  { networkConfig, provider }: NetworkConnection<string>,
  { contract, fromBlock, maxFee, parameters }: Deployment,
  isConfirmed: boolean,
): Promise<Result> {
  const transport = custom(provider, { retryCount: 1 });
  const client = createPublicClient({ cacheTime: 0, pollingInterval: 1_000, transport });
  const chainId = networkConfig.chainId ?? (await client.getChainId().catch(unread));
  const wallet = createWalletClient({ transport });
  const account = async () => (networkConfig.from ?? (await wallet.getAddresses())[0]) as Address | undefined;
  // A dry run needs no key, also where the configuration names one that is not set.
  const sender = await (isConfirmed ? account() : account().catch(() => undefined));
  const given = { chainId, contract, fromBlock, parameters, readArtifact, sender };
  const plan = await planDeployment(client, given);
  const { address, standing } = plan;
  console.log(describePlan(plan, sender));
  if (standing !== undefined) {
    report(standing, `${contract} stands already. Nothing was sent.`);
    return { address, status: "standing" };
  }
  if (!isConfirmed) {
    console.log("Nothing was sent: pass --yes to deploy.");
    return { address, status: "planned" };
  }
  assertFee(plan, maxFee);
  if (sender === undefined) throw refuse("The network has no account: name one in `accounts`.");
  const { hash, isNew, verified } = await sendDeployment(client, plan, {
    onSent: (sent) => console.log(`Sent ${sent}, waiting for its block …`),
    parameters,
    readArtifact,
    wallet: createWalletClient({ account: sender, transport }),
  });
  const faster = `Another sender was faster: ${contract} stands, ${hash} reverted.`;
  report(verified, isNew ? `Deployed by ${hash}.` : faster);
  return { address, hash, status: isNew ? "deployed" : "standing" };
}

/** @throws HardhatPluginError for other code or another constructor. */
function report(verified: VerifiedDeployment, sentence: string): void {
  const differences = verified.differences.map(({ text }) => text);
  if (isOtherContract(verified)) throw refuse(differences.join(" "));
  console.log([...differences, sentence].join("\n"));
}

async function readParameters(file: string): Promise<DeploymentParameters> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    throw refuse(`${file} cannot be read, or is not JSON.`, cause as Error);
  }
  const checked = checkParameters(value);
  if ("parameters" in checked) return checked.parameters;
  throw refuse(`Parameters of ${file} cannot be deployed: ${checked.mistakes.join("; ")}.`);
}

function chooseContract(
  parameters: DeploymentParameters,
  named: string | undefined,
): ReceiverName | "BalanceProxy" {
  if (named === "BalanceProxy") return named;
  const [first, ...others] = Object.keys(parameters) as ReceiverName[];
  if (named === undefined && first !== undefined && others.length === 0) return first;
  const found = [first, ...others].find((name) => name === named);
  if (named !== undefined && found !== undefined) return found;
  const known = [first, ...others].filter(Boolean).join(", ") || "no receiver";
  throw refuse(`Name a contract by --contract: the parameters are of ${known}; BalanceProxy needs none.`);
}
