import type { Address } from "viem";
import type { LocalAccounts } from "../accounts.ts";
import type { RunningChain } from "../Chain.ts";
import { publicContracts } from "../fork/publicChains.ts";
import { balanceOf, hasCode } from "../rpc.ts";
import { findBalanceSlot, storeWord } from "../tokenSlots.ts";
import { SetupFailedError } from "./sendSetup.ts";
import type { Standing, TokenGrant } from "./setupCalls.ts";
import { pairOf } from "./uniswap.ts";

/** Finds the contracts of a public chain that have code on its fork. */
export async function findStanding(chain: RunningChain): Promise<Standing> {
  const known = publicContracts(chain.definition.id);
  const standing = async (address: Address | undefined) =>
    address !== undefined && (await hasCode(chain, address)) ? address : undefined;
  const [depository, multicall3, usdc, usdt, wrappedNative, factory, router] = await Promise.all(
    [
      known.depository,
      known.multicall3,
      known.usdc,
      known.usdt,
      known.wrappedNative,
      known.uniswapV2?.factory,
      known.uniswapV2?.router,
    ].map(standing),
  );
  const [routerV2, routerV3, approvalProxyV2, approvalProxyV3, multicaller, onlyOwnerMulticaller] =
    await Promise.all(
      [
        known.routerV2,
        known.routerV3,
        known.approvalProxyV2,
        known.approvalProxyV3,
        known.multicaller,
        known.onlyOwnerMulticaller,
      ].map(standing),
    );
  const hasVenue = factory !== undefined && router !== undefined && wrappedNative !== undefined;
  return {
    // A proxy approves its own router alone: another one's stand-in needs a stand-in of the proxy.
    approvalProxyV2: routerV2 && approvalProxyV2,
    approvalProxyV3: routerV3 && approvalProxyV3,
    depository,
    multicall3,
    multicaller,
    onlyOwnerMulticaller,
    ...(hasVenue
      ? await findPools(chain, factory, [wrappedNative, usdc, usdt])
      : { pools: [], thinPools: [] }),
    routerV2,
    routerV3,
    uniswapV2: hasVenue ? { factory, router } : undefined,
    usdc,
    usdt,
    wrappedNative,
  };
}

/** Least dollars of a pool that is used as it stands: anyone can create a pool of almost nothing. */
const leastPoolDollars = 100_000n * 10n ** 6n;

/** Finds the pools of wrapped native currency, USDC and USDT. Each has a side in dollars, of six decimals. */
async function findPools(
  chain: RunningChain,
  factory: Address,
  [wrappedNative, ...dollars]: readonly [Address, Address | undefined, Address | undefined],
): Promise<Pick<Standing, "pools" | "thinPools">> {
  const known = dollars.filter((token) => token !== undefined);
  const candidates = known.flatMap((token, index) =>
    [wrappedNative, ...known.slice(0, index)].map((other) => ({
      address: pairOf(factory, token, other).address,
      dollars: token,
    })),
  );
  const found = await Promise.all(
    candidates.map(async ({ address, dollars: token }) => {
      if (!(await hasCode(chain, address))) return undefined;
      return { address, isThin: (await balanceOf(chain, token, address)) < leastPoolDollars };
    }),
  );
  const standing = found.filter((pool) => pool !== undefined);
  const ofKind = (isThin: boolean) =>
    standing.filter((pool) => pool.isThin === isThin).map(({ address }) => address);
  return { pools: ofKind(false), thinPools: ofKind(true) };
}

/** Removes code from the accounts: on public chains, the keys of the test mnemonic have been delegated to thieves (EIP-7702). */
export async function clearAccounts({ rpc }: RunningChain, accounts: LocalAccounts): Promise<void> {
  const { allocator, deployer, founder, solver, users } = accounts;
  for (const { account } of [allocator, deployer, founder, solver, ...users]) {
    if (await hasCode({ rpc }, account.address)) await rpc("hardhat_setCode", [account.address, "0x"]);
  }
}

/** Raises balances of tokens that cannot be minted, by their storage. */
export async function grantTokens(chain: RunningChain, grants: readonly TokenGrant[]): Promise<void> {
  for (const { amount, to, token } of grants) {
    const slot = await findBalanceSlot(chain, token, to);
    if (slot === undefined) {
      throw new SetupFailedError(`the balance slot of ${token} was not found on ${chain.definition.name}`);
    }
    await storeWord(chain, token, slot, (await balanceOf(chain, token, to)) + amount);
  }
}
