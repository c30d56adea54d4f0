import { createWalletClient, type Hex, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { DeploymentParameters, ReceiverName } from "../../src/deployment/parameters.ts";
import { boundedFetch } from "../settings/boundedFetch.ts";
import { confirm, isInteractive } from "../terminal/confirm.ts";
import { type ExitCode, exitCodes } from "../terminal/exitCodes.ts";
import type { Terminal } from "../terminal/Terminal.ts";
import { assertFee } from "./assertFee.ts";
import type { DeployOptions } from "./deployFlags.ts";
import { costOf, describePlan, isOtherContract } from "./describePlan.ts";
import { type Node, openNode } from "./openNode.ts";
import { type DeploymentPlan, planDeployment } from "./planDeployment.ts";
import { readArtifact } from "./readArtifact.ts";
import { type SentDeployment, sendDeployment } from "./sendDeployment.ts";
import type { VerifiedDeployment } from "./verifyDeployment.ts";

/** What is deployed. */
export type Deployment = {
  readonly contract: ReceiverName | "BalanceProxy";
  readonly parameters: DeploymentParameters;
};

/** Plans a deployment, prints it, and sends it once it is confirmed. */
export async function runDeployment(
  terminal: Terminal,
  options: DeployOptions,
  { contract, parameters }: Deployment,
): Promise<ExitCode> {
  const node = await openNode(options, terminal.signal);
  const key = keyOf(node, options);
  const account = key === undefined ? undefined : privateKeyToAccount(key);
  const { chain: chainId, fromBlock } = options;
  const given = { chainId, contract, fromBlock, parameters, readArtifact, sender: account?.address };
  const plan = await planDeployment(node.client, given);
  const { standing } = plan;
  const text = describePlan(plan, account?.address);
  if (standing !== undefined) {
    const document = documentOf(plan, { status: "standing", verified: standing });
    const sentence = `${contract} stands already. Nothing was sent.`;
    return report(terminal, { before: `${text}\n`, document, sentence, verified: standing });
  }
  const planned = documentOf(plan, { status: "planned" });
  const canAsk = !terminal.isJson && isInteractive();
  if (options.yes !== true && !canAsk) {
    terminal.result(planned, `${text}\nNothing was sent: pass --yes to deploy.`);
    return exitCodes.ok;
  }
  terminal.note(text);
  assertFee(plan, options.maxFee);
  const question = { question: "Deploy it?", signal: terminal.signal, undone: "nothing was sent" };
  if (options.yes !== true && !(await confirm(question))) {
    terminal.result(planned, "Nothing was sent.");
    return exitCodes.ok;
  }
  // Without the flag, a confirmation may come without a key.
  const payer = account ?? privateKeyToAccount(node.service.privateKey());
  const sent = await sendDeployment(node.client, plan, {
    onSent: (hash) => terminal.note(`Sent ${hash}, waiting for its block …`),
    parameters,
    readArtifact,
    signal: terminal.signal,
    wallet: createWalletClient({
      account: payer,
      transport: http(node.url, { fetchFn: boundedFetch, retryCount: 0 }),
    }),
  });
  const { hash, isNew, verified } = sent;
  const document = documentOf(plan, { hash, status: isNew ? "deployed" : "standing", verified });
  const sentence = isNew
    ? `Deployed by ${hash}.`
    : `Another sender was faster: ${contract} stands, ${hash} reverted.`;
  return report(terminal, { document, sentence, verified });
}

/** A dry run needs no key. */
function keyOf({ service }: Node, { emulator, yes }: DeployOptions): Hex | undefined {
  const { WAYBILL_PRIVATE_KEY: given } = process.env;
  const isNamed =
    given !== undefined || (service.config.privateKey ?? service.config.emulator ?? emulator) !== undefined;
  return isNamed || yes === true ? service.privateKey() : undefined;
}

function report(
  terminal: Terminal,
  {
    before = "",
    document,
    sentence,
    verified,
  }: { before?: string; document: object; sentence: string; verified: VerifiedDeployment },
): ExitCode {
  const isOther = isOtherContract(verified);
  const lines = verified.differences.map(({ text }) => terminal.style("yellow", text));
  terminal.result(
    document,
    before + [...lines, ...(isOther ? [] : [terminal.style("green", sentence)])].join("\n"),
  );
  return isOther ? exitCodes.refused : exitCodes.ok;
}

type Result = Partial<Pick<SentDeployment, "hash" | "verified">> & {
  readonly status: "deployed" | "planned" | "standing";
};

function documentOf(plan: DeploymentPlan, { hash, status, verified }: Result): object {
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
