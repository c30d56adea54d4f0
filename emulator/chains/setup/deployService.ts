import type { LocalAccounts, LocalKey } from "../accounts.ts";
import type { Chain, Deployment, RunningChain } from "../Chain.ts";
import { latestHead, pendingNonce } from "../rpc.ts";
import { fundService } from "./fundService.ts";
import { placePermit2 } from "./placePermit2.ts";
import { sendSigned, sendUnlocked } from "./sendSetup.ts";
import { planSetup, type SetupCall } from "./setupCalls.ts";

type Send = (chain: RunningChain, from: LocalKey, calls: readonly SetupCall[]) => Promise<void>;

/** Deploys the service's contracts, currencies and pools to a chain in this process, and funds the accounts. */
export async function deployService(chain: RunningChain, accounts: LocalAccounts): Promise<Chain> {
  return { ...chain, ...(await deploy(chain, accounts, sendUnlocked)) };
}

/** Deploys the same to an external chain, which may lack development methods. */
export async function deployServiceSigned(chain: RunningChain, accounts: LocalAccounts): Promise<Deployment> {
  return deploy(chain, accounts, sendSigned);
}

async function deploy(chain: RunningChain, accounts: LocalAccounts, send: Send): Promise<Deployment> {
  const { rpc } = chain;
  const grants = await fundService(chain, accounts, (from, calls) => send(chain, from, calls));
  const { deployer, solver, ...rest } = planSetup({
    accounts,
    grants,
    hasPermit2: await placePermit2(rpc),
    nonce: await pendingNonce(rpc, accounts.deployer.account.address),
  });
  await send(chain, accounts.deployer, deployer);
  await send(chain, accounts.solver, solver);
  const { number } = await latestHead(rpc);
  return { ...rest, firstBlock: number + 1n };
}
