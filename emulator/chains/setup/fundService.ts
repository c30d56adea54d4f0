import { type Address, parseEther, toHex, zeroAddress } from "viem";
import { BaseError } from "../../../src/errors/BaseError.ts";
import type { LocalAccounts, LocalKey } from "../accounts.ts";
import type { RunningChain } from "../Chain.ts";
import type { Rpc } from "../rpc.ts";
import { balanceOf } from "../rpc.ts";
import type { SetupCall } from "./sendSetup.ts";
import { fullGrants, type NativeGrants, nativeTotal } from "./setupCalls.ts";

const setBalanceMethods = ["hardhat_setBalance", "anvil_setBalance"];
const solverNative = parseEther("10000000");
/** The deployer's reserve for gas. */
const deployerGas = parseEther("10");
/** A user contributes one part in this many. */
const contribution = 4n;
/** A user with less contributes nothing: gas would consume it. */
const leastContributor = parseEther("2");
/** Least balance of the deployer that the service needs, in wei. */
const leastNative = parseEther("100");

/**
 * The accounts of the test mnemonic lack the native currency that the service needs.
 *
 * @example
 * import { ChainNotFundedError, startEmulator } from "@waybill/emulator";
 *
 * try {
 *   const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
 *   await emulator.stop();
 * } catch (error) {
 *   if (error instanceof ChainNotFundedError) console.log(error.message);
 * }
 */
export class ChainNotFundedError extends BaseError {
  override readonly name = "ChainNotFundedError";

  constructor({ chain, has, needs }: { chain: string; has: bigint; needs: bigint }) {
    super(
      `The accounts of the test mnemonic have ${has} wei on ${chain}, and the service needs ${needs}: ` +
        "fund them, or let the node set balances.",
      { code: "CHAIN_NOT_FUNDED" },
    );
  }
}

/**
 * Funds deployer and solver with native currency: by setting balances if the node can, else from the users, each of
 * whom contributes a quarter.
 */
export async function fundService(
  chain: RunningChain,
  accounts: LocalAccounts,
  send: (from: LocalKey, calls: readonly SetupCall[]) => Promise<void>,
): Promise<NativeGrants> {
  const { rpc } = chain;
  const deployer = accounts.deployer.account.address;
  const solver = accounts.solver.account.address;
  const users = accounts.users.length;
  const wanted = nativeTotal(fullGrants, users) + deployerGas;
  if ((await setBalance(rpc, deployer, wanted)) && (await setBalance(rpc, solver, solverNative))) {
    return fullGrants;
  }
  for (const user of accounts.users) {
    const balance = await balanceOf(chain, zeroAddress, user.account.address);
    if (balance < leastContributor) continue;
    // Half of it to each.
    const gift = balance / contribution / 2n;
    const calls = [deployer, solver].map((to): SetupCall => ({ data: "0x", to, value: gift }));
    await send(user, calls);
  }
  const has = await balanceOf(chain, zeroAddress, deployer);
  if (has < leastNative) {
    throw new ChainNotFundedError({ chain: chain.definition.name, has, needs: leastNative });
  }
  const spendable = has - deployerGas;
  // A quarter per pool, a quarter for the solver, a tenth shared by the users.
  const user = spendable / 10n / BigInt(users);
  return {
    pool: spendable / 4n,
    solver: spendable / 4n,
    user: user < fullGrants.user ? user : fullGrants.user,
  };
}

async function setBalance(rpc: Rpc, account: Address, balance: bigint): Promise<boolean> {
  for (const method of setBalanceMethods) {
    try {
      await rpc(method, [account, toHex(balance)]);
      return true;
    } catch {
      // Not a method of this node.
    }
  }
  return false;
}
