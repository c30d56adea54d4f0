import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hex,
  maxUint256,
  parseAbi,
  parseEther,
  parseUnits,
  zeroAddress,
} from "viem";
import { multicall3Abi } from "../../../src/abi/Multicall3.ts";
import { amountWorth, oneUsd, usdOf } from "../../money/prices.ts";
import type { LocalAccounts } from "../accounts.ts";
import type { Deployment, LocalCurrency, ServiceContracts, SwapVenue } from "../Chain.ts";
import type { PublicContracts } from "../fork/publicChains.ts";
import { permit2Address, permit2InitCode, readArtifact } from "./placeContracts.ts";
import type { SetupCall } from "./sendSetup.ts";
import { pairOf, uniswapFactoryAbi, uniswapPairAbi } from "./uniswap.ts";

/** Contracts that stand on a chain before the set-up, such as a fork's. Others are deployed. */
export type Standing = {
  readonly [Name in keyof PublicContracts]?: PublicContracts[Name] | undefined;
} & {
  /** Pools that stand, of the standing factory. */
  readonly pools: readonly Address[];
  /** Pools that stand and hold too little: they are filled like new ones. */
  readonly thinPools: readonly Address[];
};

/** An amount of a standing token, which the set-up cannot mint. */
export type TokenGrant = { readonly token: Address; readonly to: Address; readonly amount: bigint };

/** The transactions of the set-up, and the deployment that they make. */
type SetupPlan = Omit<Deployment, "firstBlock"> & {
  /** Needed before the transactions. */
  readonly granted: readonly TokenGrant[];
  /** Sent in this order: later transactions need earlier ones. */
  readonly deployer: readonly SetupCall[];
  /** Sent after the deployer's. */
  readonly solver: readonly SetupCall[];
};

/** Native currency that the deployer wraps, per recipient, in wei. */
export type NativeGrants = {
  readonly pool: bigint;
  readonly solver: bigint;
  readonly user: bigint;
};

const native: LocalCurrency = { address: zeroAddress, decimals: 18, name: "Ether", symbol: "ETH" };
const mintAbi = parseAbi(["function mint(address to, uint256 amount)"]);
const wrapAbi = parseAbi(["function deposit() payable"]);

/** Grant of each token to each user, in whole tokens. Native currency comes with the account. */
const userGrant = "100000";
/** Grant of each token to the solver, in whole tokens: large enough that tests do not exhaust it. */
const solverGrant = "1000000000";
/** Worth of each side of the USDC-USDT pool. */
const stablePoolUsd = 2_500_000_000n * oneUsd;

/** Sum of the grants: two pools, the solver and all users. */
export function nativeTotal({ pool, solver, user }: NativeGrants, users: number): bigint {
  return 2n * pool + solver + BigInt(users) * user;
}

/** Grants on nodes that can set balances; each WETH pool then holds a million ETH. */
export const fullGrants: NativeGrants = {
  pool: parseEther("1000000"),
  solver: parseEther("1000000"),
  user: parseEther("100"),
};

/**
 * Plans the set-up of the service on a chain. All addresses follow from the deployer's nonce, so that no transaction waits
 * for another one.
 */
export function planSetup(parameters: {
  readonly accounts: LocalAccounts;
  /** The deployer's next nonce. */
  readonly nonce: number;
  readonly hasPermit2: boolean;
  readonly grants: NativeGrants;
  /** @default none */
  readonly standing?: Standing | undefined;
}): SetupPlan {
  const { accounts, grants, hasPermit2, standing = { pools: [], thinPools: [] } } = parameters;
  const owner = accounts.deployer.account.address;
  const calls: SetupCall[] = [];
  const create = (data: Hex): Address => {
    const nonce = BigInt(parameters.nonce + calls.length);
    calls.push({ data });
    return getContractAddress({ from: owner, nonce });
  };
  const deploy = (path: string, args: readonly unknown[] = []): Address => {
    const { abi, bytecode } = readArtifact(path);
    return create(args.length === 0 ? bytecode : encodeDeployData({ abi, args, bytecode }));
  };

  const permit2 = hasPermit2 ? permit2Address : create(permit2InitCode());
  const multicall3 = standing.multicall3 ?? deploy("service/Multicall3");
  const { currencies, wrappedNative } = planCurrencies(deploy, owner, standing);
  const factory = standing.uniswapV2?.factory ?? deploy("service/venue/LocalSwapFactory");
  const router =
    standing.uniswapV2?.router ?? deploy("service/venue/LocalSwapRouter", [factory, wrappedNative]);
  const router2 = standing.routerV2 ?? deploy("service/RelayRouterV2_1");
  const router3 = standing.routerV3 ?? deploy("service/RelayRouterV3");
  const allocator = accounts.allocator.account.address;
  const service = {
    approvalProxy:
      standing.approvalProxyV2 ?? deploy("service/RelayApprovalProxyV2_1", [owner, router2, permit2]),
    depository: standing.depository ?? deploy("service/RelayDepository", [owner, allocator]),
    erc20Router: router2,
    multicall3,
    permit2,
    relayReceiver: deploy("service/RelayReceiver", [accounts.solver.account.address]),
    uniswapV2Router: router,
    v3: {
      approvalProxy:
        standing.approvalProxyV3 ?? deploy("service/RelayApprovalProxyV3", [owner, router3, permit2]),
      erc20Router: router3,
    },
  };
  const outputGuard = deploy("guard/OutputGuard");
  const multicallers = {
    multicaller: standing.multicaller ?? deploy("service/Multicaller"),
    onlyOwnerMulticaller:
      standing.onlyOwnerMulticaller ??
      deploy("service/OnlyOwnerMulticaller", [accounts.solver.account.address]),
  };
  const contracts: ServiceContracts = { ...service, ...multicallers, outputGuard };
  const swap = planVenue({ currencies, factory, router, wrappedNative });
  const granted: TokenGrant[] = [];
  const standingTokens = [standing.usdc, standing.usdt];
  const mint: Mint = (token, amount) => {
    if (standingTokens.includes(token)) granted.push({ amount, to: multicall3, token });
    else calls.push({ data: mintData(multicall3, amount), to: token });
  };
  const missing = { ...swap, pairs: swap.pairs.filter(({ address }) => !standing.pools.includes(address)) };
  calls.push(planGrants(accounts, currencies, { mint, multicall3, wrappedNative }, grants));
  if (missing.pairs.length > 0)
    calls.push(
      planPools(missing, currencies, { mint, multicall3 }, { grants, owner, thin: standing.thinPools }),
    );
  return {
    contracts,
    currencies,
    deployer: calls,
    granted,
    // Fills with calls take the solver's inventory through the approval proxies.
    solver: tokensOf(currencies).flatMap(({ address }) =>
      [contracts.v3.approvalProxy, contracts.approvalProxy].map((spender) => ({
        data: encodeFunctionData({ abi: erc20Abi, args: [spender, maxUint256], functionName: "approve" }),
        to: address,
      })),
    ),
    swap,
  };
}

/** The pools of a venue: one for every two tokens. */
export function planVenue(parameters: {
  readonly currencies: readonly LocalCurrency[];
  readonly factory: Address;
  readonly router: Address;
  readonly wrappedNative: Address;
}): SwapVenue {
  const { currencies, factory, ...rest } = parameters;
  const tokens = tokensOf(currencies);
  const pairs = tokens.flatMap(({ address }, index) =>
    tokens.slice(index + 1).map((other) => pairOf(factory, address, other.address)),
  );
  return { ...rest, factory, pairs };
}

type Deploy = (path: string, args?: readonly unknown[]) => Address;

type Mint = (token: Address, amount: bigint) => void;

function planCurrencies(
  deploy: Deploy,
  owner: Address,
  standing: Standing,
): Pick<Deployment, "currencies"> & Pick<SwapVenue, "wrappedNative"> {
  const tokens = [
    {
      address: standing.usdc ?? deploy("service/currencies/LocalDollar", [owner]),
      decimals: 6,
      name: "USD Coin",
      symbol: "USDC",
    },
    {
      address: standing.usdt ?? deploy("service/currencies/LocalTether", [owner]),
      decimals: 6,
      name: "Tether USD",
      symbol: "USDT",
    },
  ];
  const wrapped = { decimals: 18, name: "Wrapped Ether", symbol: "WETH" };
  const wrappedNative =
    standing.wrappedNative ?? deploy("service/currencies/LocalWrappedNative", [wrapped.name, wrapped.symbol]);
  return { currencies: [native, ...tokens, { ...wrapped, address: wrappedNative }], wrappedNative };
}

/** Mints to the aggregator, which distributes in one transaction instead of one for each account and token. */
function planGrants(
  accounts: LocalAccounts,
  currencies: readonly LocalCurrency[],
  {
    mint,
    multicall3,
    wrappedNative,
  }: Pick<ServiceContracts, "multicall3"> & Pick<SwapVenue, "wrappedNative"> & { readonly mint: Mint },
  grants: NativeGrants,
): SetupCall {
  const users = accounts.users.map(({ account }) => account.address);
  const solver = accounts.solver.account.address;
  const shared: Inner[] = [];
  for (const { address, decimals } of tokensOf(currencies)) {
    const isWrapped = address === wrappedNative;
    const share = {
      solver: isWrapped ? grants.solver : parseUnits(solverGrant, decimals),
      user: isWrapped ? grants.user : parseUnits(userGrant, decimals),
    };
    const total = share.solver + share.user * BigInt(users.length);
    if (isWrapped) shared.push(wrap(address, total));
    else mint(address, total);
    shared.push(transfer(address, solver, share.solver));
    shared.push(...users.map((user) => transfer(address, user, share.user)));
  }
  return aggregate(multicall3, shared);
}

function planPools(
  { factory, pairs, wrappedNative }: SwapVenue,
  currencies: readonly LocalCurrency[],
  { mint, multicall3 }: { readonly mint: Mint; readonly multicall3: Address },
  {
    grants,
    owner,
    thin,
  }: { readonly grants: NativeGrants; readonly owner: Address; readonly thin: readonly Address[] },
): SetupCall {
  const filled: Inner[] = [];
  const weth = currencyAt(currencies, wrappedNative);
  const wrappedUsd = usdOf(grants.pool, weth);
  for (const { address, tokens } of pairs) {
    if (!thin.includes(address)) {
      const callData = encodeFunctionData({
        abi: uniswapFactoryAbi,
        args: tokens,
        functionName: "createPair",
      });
      filled.push({ callData, target: factory, value: 0n });
    }
    const depth = tokens.includes(wrappedNative) ? wrappedUsd : stablePoolUsd;
    for (const token of tokens) {
      const currency = currencyAt(currencies, token);
      const amount = amountWorth(depth, currency, "down");
      if (token === wrappedNative) filled.push(wrap(token, amount));
      else mint(token, amount);
      filled.push(transfer(token, address, amount));
    }
    filled.push({
      callData: encodeFunctionData({ abi: uniswapPairAbi, args: [owner], functionName: "mint" }),
      target: address,
      value: 0n,
    });
  }
  return aggregate(multicall3, filled);
}

type Inner = { readonly target: Address; readonly value: bigint; readonly callData: Hex };

function aggregate(multicall3: Address, inner: readonly Inner[]): SetupCall {
  const calls = inner.map((call) => ({ ...call, allowFailure: false }));
  return {
    data: encodeFunctionData({ abi: multicall3Abi, args: [calls], functionName: "aggregate3Value" }),
    to: multicall3,
    value: inner.reduce((sum, { value }) => sum + value, 0n),
  };
}

function transfer(token: Address, to: Address, amount: bigint): Inner {
  const callData = encodeFunctionData({ abi: erc20Abi, args: [to, amount], functionName: "transfer" });
  return { callData, target: token, value: 0n };
}

function wrap(token: Address, value: bigint): Inner {
  return { callData: encodeFunctionData({ abi: wrapAbi, functionName: "deposit" }), target: token, value };
}

function mintData(to: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: mintAbi, args: [to, amount], functionName: "mint" });
}

function tokensOf(currencies: readonly LocalCurrency[]): readonly LocalCurrency[] {
  return currencies.filter(({ address }) => address !== zeroAddress);
}

function currencyAt(currencies: readonly LocalCurrency[], token: Address): LocalCurrency {
  const found = currencies.find(({ address }) => address === token);
  if (found === undefined) throw new Error(`there is no currency ${token}`);
  return found;
}
