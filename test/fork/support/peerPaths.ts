import {
  type Abi,
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  erc20Abi,
  type Hex,
  maxUint160,
  maxUint256,
  parseAbi,
} from "viem";
import { readArtifact } from "../../../emulator/chains/setup/placeContracts.ts";
import { balanceExecutorAbi } from "../../../src/abi/BalanceExecutor.ts";
import { balanceProxyAbi } from "../../../src/abi/BalanceProxy.ts";
import { balanceOf } from "../../../src/calls/liveBalance.ts";
import { type ProxyOutput, proxyStep } from "../../../src/calls/proxyStep.ts";
import { mainnet } from "../replica/addresses.ts";
import { initCode, published } from "../replica/publishedCode.ts";
import type { OpenReplica } from "./openReplica.ts";

const { aave, permit2, uniswapV2, uniswapV3, usdc, vault, weth } = mainnet;

/** Amount of USDC that each path spends, and the least WETH that each swap must return. */
export const spent = 123_456_789n;
const minimum = 10n ** 16n;

/** A way to the same effect. */
export type PeerPath = {
  readonly name: string;
  /** Receives the USDC before the transaction, and spends all of it; by default the user. */
  readonly holder: Address;
  /** Whether the transaction spends the amount that the holder has, instead of one that is known before. */
  readonly isLive: boolean;
  /** What the user sends. */
  readonly call: { readonly to: Address; readonly data: Hex };
};

/** Contracts that spend a token on behalf of others. */
type Routers = {
  readonly executor: Address;
  readonly handler: Address;
  readonly proxy: Address;
  readonly universal: Address;
};

const swapAbi = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(Single params) payable returns (uint256)",
]);
const poolAbi = parseAbi([
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
]);
const vaultAbi = parseAbi(["function deposit(uint256 assets, address receiver) returns (uint256)"]);
const universalAbi = parseAbi(["function execute(bytes commands, bytes[] inputs) payable"]);
const permit2Abi = parseAbi([
  "function approve(address token, address spender, uint160 amount, uint48 expiration)",
]);
const handlerAbi = parseAbi([
  "struct Replacement { address token; uint256 offset; }",
  "function makeCallWithBalance(address target, bytes callData, uint256 value, Replacement[] replacement)",
  "function handleV3AcrossMessage(address token, uint256 amount, address relayer, bytes message)",
]);

/** Deploys the proxy and its peers from their published bytecode, and lets them spend the user's USDC. */
export async function deployRouters(replica: OpenReplica): Promise<Routers> {
  const create = async (data: Hex): Promise<Address> => {
    const hash = await replica.wallet.sendTransaction({ data });
    const { contractAddress } = await replica.reader.waitForTransactionReceipt({ hash });
    if (!contractAddress) throw new Error("a router was not deployed");
    return contractAddress;
  };
  const universalCode = published(
    "@uniswap/universal-router/artifacts/contracts/UniversalRouter.sol/UniversalRouter",
  );
  const parameters = {
    pairInitCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
    permit2,
    poolInitCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
    // No path uses version 4 or a bridge.
    spokePool: permit2,
    v2Factory: uniswapV2.factory,
    v3Factory: uniswapV3.factory,
    v3NFTPositionManager: uniswapV3.positionManager,
    v4PoolManager: permit2,
    v4PositionManager: permit2,
    weth9: weth,
  };
  const universal = await create(initCode(universalCode, [parameters]));
  const handlerCode = published(
    "@across-protocol/contracts/dist/evm/artifacts/MulticallHandler.sol/MulticallHandler",
  );
  const { object } = handlerCode.bytecode as unknown as { object: Hex };
  const handler = await create(typeof handlerCode.bytecode === "string" ? handlerCode.bytecode : object);
  const proxy = await create(readArtifact("proxy/BalanceProxy").bytecode);
  const read = { abi: balanceProxyAbi, address: proxy, functionName: "executor" } as const;
  const executor = await replica.reader.readContract(read);
  for (const spender of [uniswapV3.swapRouter02, vault, aave.pool, proxy, permit2]) {
    await replica.approve(usdc, spender, maxUint256);
  }
  const args = [usdc, universal, maxUint160, 2 ** 48 - 1];
  await replica.send({ abi: permit2Abi, address: permit2, args, functionName: "approve" });
  return { executor, handler, proxy, universal };
}

/** What a contract does with the USDC, for the account that gets the result. */
type Action = {
  readonly abi: Abi;
  readonly address: Address;
  readonly functionName: string;
  /** Position of the amount in the calldata, after the selector's 4 bytes. */
  readonly offset: number;
  readonly args: (amount: unknown) => readonly unknown[];
};

/** Swaps USDC for WETH on Uniswap v3. */
export function swapPaths(user: Address, routers: Routers): readonly PeerPath[] {
  const { handler, proxy, universal } = routers;
  const swap: Action = {
    abi: swapAbi,
    address: uniswapV3.swapRouter02,
    args: (amountIn) => [
      {
        ...{ amountIn, amountOutMinimum: minimum, fee: 500, recipient: user },
        ...{ sqrtPriceLimitX96: 0n, tokenIn: usdc, tokenOut: weth },
      },
    ],
    functionName: "exactInputSingle",
    offset: 4 + 4 * 32,
  };
  const universalSwap = (amount: bigint, isUsers: boolean) => ({
    data: encodeFunctionData({
      abi: universalAbi,
      args: [
        "0x00",
        [
          encodeAbiParameters(
            [
              { type: "address" },
              { type: "uint256" },
              { type: "uint256" },
              { type: "bytes" },
              { type: "bool" },
            ],
            [
              user,
              amount,
              minimum,
              encodePacked(["address", "uint24", "address"], [usdc, 500, weth]),
              isUsers,
            ],
          ),
        ],
      ],
      functionName: "execute",
    }),
    to: universal,
  });
  const output = { minimum, recipient: user, token: weth };
  // Each router's own sign for its whole balance.
  return [
    { ...direct("SwapRouter02", user, swap), isLive: false },
    { ...direct("SwapRouter02", uniswapV3.swapRouter02, swap, 0n), isLive: true },
    {
      call: universalSwap(spent, true),
      holder: user,
      isLive: false,
      name: "UniversalRouter 2.1.0, by Permit2",
    },
    {
      call: universalSwap(1n << 255n, false),
      holder: universal,
      isLive: true,
      name: "UniversalRouter 2.1.0",
    },
    across(handler, user, swap),
    ...ours(user, routers, swap),
    proxyPath("`BalanceProxy`, minimum of its own", user, proxy, swap, [output]),
  ];
}

/** Deposits USDC in an ERC-4626 vault. */
export function vaultPaths(user: Address, routers: Routers): readonly PeerPath[] {
  const deposit: Action = {
    abi: vaultAbi,
    address: vault,
    args: (assets) => [assets, user],
    functionName: "deposit",
    offset: 4,
  };
  return [
    direct("the vault", user, deposit),
    across(routers.handler, user, deposit),
    ...ours(user, routers, deposit),
  ];
}

/** Supplies USDC to Aave. */
export function supplyPaths(user: Address, routers: Routers): readonly PeerPath[] {
  const supply: Action = {
    abi: poolAbi,
    address: aave.pool,
    args: (amount) => [usdc, amount, user, 0],
    functionName: "supply",
    offset: 4 + 32,
  };
  return [
    direct("the pool", user, supply),
    across(routers.handler, user, supply),
    ...ours(user, routers, supply),
  ];
}

function encode({ abi, args, functionName }: Action, amount: unknown): Hex {
  return encodeFunctionData({ abi, args: args(amount), functionName });
}

function direct(name: string, holder: Address, action: Action, amount = spent): PeerPath {
  return { call: { data: encode(action, amount), to: action.address }, holder, isLive: false, name };
}

/** Approves and acts with the handler's balance; the rest goes to the user. */
function across(handler: Address, user: Address, action: Action): PeerPath {
  const withBalance = (target: Address, callData: Hex, offset: number) => ({
    callData: encodeFunctionData({
      abi: handlerAbi,
      args: [target, callData, 0n, [{ offset: BigInt(offset), token: usdc }]],
      functionName: "makeCallWithBalance",
    }),
    target: handler,
    value: 0n,
  });
  const approval = encodeFunctionData({ abi: erc20Abi, args: [action.address, 0n], functionName: "approve" });
  const calls = [
    withBalance(usdc, approval, 36),
    withBalance(action.address, encode(action, 0n), action.offset),
  ];
  const message = encodeAbiParameters(
    [
      {
        components: [
          {
            components: [
              { name: "target", type: "address" },
              { name: "callData", type: "bytes" },
              { name: "value", type: "uint256" },
            ],
            name: "calls",
            type: "tuple[]",
          },
          { name: "fallbackRecipient", type: "address" },
        ],
        type: "tuple",
      },
    ],
    [{ calls, fallbackRecipient: user }],
  );
  const args = [usdc, spent, user, message] as const;
  const data = encodeFunctionData({ abi: handlerAbi, args, functionName: "handleV3AcrossMessage" });
  return {
    call: { data, to: handler },
    holder: handler,
    isLive: true,
    name: "Across MulticallHandler 5.0.27",
  };
}

/** The executor with the USDC, then the proxy that takes it from the user. */
function ours(user: Address, { executor, proxy }: Routers, action: Action): readonly PeerPath[] {
  const args = [usdc, spent, action.address, BigInt(action.offset), encode(action, 0n), user] as const;
  const data = encodeFunctionData({ abi: balanceExecutorAbi, args, functionName: "spend" });
  return [
    { call: { data, to: executor }, holder: executor, isLive: true, name: "`BalanceExecutor`" },
    proxyPath("`BalanceProxy`", user, proxy, action, []),
  ];
}

/** The proxy's call of the calls that the router would make. */
function proxyPath(
  name: string,
  user: Address,
  proxy: Address,
  { abi, address, args, functionName }: Action,
  outputs: readonly ProxyOutput[],
): PeerPath {
  const calls = proxyStep({
    ...{ abi, address, args: args(balanceOf(usdc)), functionName },
    ...{ minimumReceived: spent, outputs, proxy, recipient: user, token: usdc },
  } as never);
  const call = calls.find(({ to }) => to === proxy);
  if (call === undefined) throw new Error("the step has no call of the proxy");
  return { call: { data: call.data, to: proxy }, holder: user, isLive: true, name };
}
