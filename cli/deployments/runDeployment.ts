import { formatEther, formatGwei, type Hex, parseEther } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { checkParameters, type DeploymentParameters } from "../../src/deployment/parameters.ts";
import { printable } from "../../src/errors/printable.ts";
import type { Service } from "../settings/openService.ts";
import { readJsonFile } from "../settings/readFiles.ts";
import { type ExitCode, exitCodes, usageError } from "../terminal/CommandError.ts";
import { confirm, isInteractive } from "../terminal/confirm.ts";
import type { Terminal } from "../terminal/Terminal.ts";
import { table } from "../terminal/table.ts";
import { deployModule } from "./deployModule.ts";
import { refused } from "./describeArguments.ts";
import { type DeployOptions, openChain } from "./openChain.ts";
import { costOf, type Deployment, type DeploymentPlan, planDeployment } from "./planDeployment.ts";
import type { VerifiedDeployment } from "./verifyDeployment.ts";

/** Most that a deployment may cost, in whole native tokens, unless the caller names more. */
const usualMaximumFee = "0.1";

/**
 * Reads and validates a file of constructor parameters.
 *
 * @throws CommandError that names every wrong value.
 */
export async function readParameters(file: string): Promise<DeploymentParameters> {
  const checked = checkParameters(await readJsonFile(file));
  if ("parameters" in checked) return checked.parameters;
  throw usageError(`Parameters of ${file} cannot be deployed: ${checked.mistakes.join("; ")}.`);
}

/** Plans a deployment, prints it, and lets Ignition send it once it is confirmed. */
export async function runDeployment(
  terminal: Terminal,
  options: DeployOptions,
  { contract, parameters }: Deployment,
): Promise<ExitCode> {
  const { client, service, url } = await openChain(options, terminal.signal);
  const key = keyOf(service, options);
  const account = key === undefined ? undefined : privateKeyToAccount(key);
  const { chain: chainId, fromBlock, maxFee = usualMaximumFee } = options;
  const given = { chainId, contract, fromBlock, parameters, sender: account?.address };
  const plan = await planDeployment(client, given);
  const { standing, transaction } = plan;
  const text = describePlan(plan, account?.address);
  if (transaction === undefined) {
    const sentence = `${contract} stands already. Nothing was sent.`;
    return report(terminal, plan, { before: `${text}\n`, sentence, status: "standing", verified: standing });
  }
  const canAsk = !terminal.isJson && isInteractive();
  if (options.yes !== true && !canAsk) {
    const dry = `${text}\nNothing was sent: pass --yes to deploy.`;
    terminal.result(documentOf(plan, { status: "planned" }), dry);
    return exitCodes.ok;
  }
  terminal.note(text);
  const { most } = costOf(transaction);
  if (most > parseEther(maxFee)) {
    throw refused(
      `The deployment may cost ${formatEther(most)} ether, above ${maxFee}: --max-fee allows more.`,
    );
  }
  const question = { question: "Deploy it?", signal: terminal.signal, undone: "nothing was sent" };
  if (options.yes !== true && !(await confirm(question))) {
    terminal.result(documentOf(plan, { status: "planned" }), "Nothing was sent.");
    return exitCodes.ok;
  }
  const { hash, isNew, verified } = await deployModule(client, plan, {
    // Without the flag, a confirmation may come without a key.
    account: account ?? privateKeyToAccount(service.privateKey()),
    onSent: (sent) => terminal.note(`Sent ${sent}, waiting for its block …`),
    parameters,
    signal: terminal.signal,
    url,
  });
  const faster = `Another sender was faster: ${contract} stands, ${hash} reverted.`;
  const sentence = isNew ? `Deployed by ${hash}.` : faster;
  return report(terminal, plan, { hash, sentence, status: isNew ? "deployed" : "standing", verified });
}

/** A dry run needs no key. */
function keyOf(service: Service, { emulator, yes }: DeployOptions): Hex | undefined {
  const { WAYBILL_PRIVATE_KEY: given } = process.env;
  const isNamed =
    given !== undefined || (service.config.privateKey ?? service.config.emulator ?? emulator) !== undefined;
  return isNamed || yes === true ? service.privateKey() : undefined;
}

/** Text of a dry run: address, each argument with its meaning, cost, and remarks. */
function describePlan(
  { address, args, chainId, contract, owner, remarks, standing, transaction }: DeploymentPlan,
  payer: string | undefined,
): string {
  const rows = [
    ["address", address, standing === undefined ? "no code yet" : "stands already"],
    ...args.map(({ meaning, name, value }) => [name, value, meaning]),
    ...(owner === undefined ? [["owner", "none", "nothing can be changed after the deployment"]] : []),
  ];
  if (transaction !== undefined) {
    const { ether, gas, gasPrice, most, wei } = costOf(transaction);
    rows.push(
      ["gas", `${gas}`, `at ${formatGwei(gasPrice)} gwei, the chain's present price`],
      ["cost", `${ether} ether`, `${wei} wei, without an L2's fee for data`],
      ["at most", `${formatEther(most)} ether`, "the transaction offers no more"],
      ["paid by", payer ?? "no key yet", "gets no power over the contract"],
    );
  }
  return [`${contract} on chain ${chainId}`, table(rows), ...remarks].join("\n");
}

type Outcome = {
  readonly hash?: Hex | undefined;
  readonly status: "deployed" | "planned" | "standing";
  readonly verified?: VerifiedDeployment | undefined;
};

/** Prints a contract that stands. Changed settings are the owner's right. */
function report(
  terminal: Terminal,
  plan: DeploymentPlan,
  { before = "", sentence, ...outcome }: Outcome & { readonly before?: string; readonly sentence: string },
): ExitCode {
  const differences = outcome.verified?.differences ?? [];
  const isOther = differences.some(({ subject }) => subject !== "setting");
  const lines = differences.map(({ text }) => printable(text));
  const shown = [...lines, ...(isOther ? [] : [sentence])].join("\n");
  terminal.result(documentOf(plan, outcome), before + shown);
  return isOther ? exitCodes.refused : exitCodes.ok;
}

function documentOf(plan: DeploymentPlan, { hash, status, verified }: Outcome): object {
  const { address, args, chainId, contract, owner = null, remarks, transaction } = plan;
  return {
    address,
    args,
    chainId,
    contract,
    cost: transaction === undefined ? null : costOf(transaction),
    differences: verified?.differences ?? [],
    owner,
    remarks,
    status,
    transactionHash: hash ?? null,
  };
}
