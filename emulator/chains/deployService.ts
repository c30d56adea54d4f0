import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  parseAbi,
  parseEther,
  parseUnits,
  toHex,
  zeroAddress,
} from "viem";
import type { LocalAccounts } from "./accounts.ts";
import { readArtifact } from "./artifacts.ts";
import type { Chain, LocalCurrency, ServiceContracts } from "./Chain.ts";
import type { RunningChain } from "./startChain.ts";

const native: LocalCurrency = { address: zeroAddress, decimals: 18, name: "Ether", symbol: "ETH" };
const mintAbi = parseAbi(["function mint(address to, uint256 amount)"]);
const wrapAbi = parseAbi(["function deposit() payable"]);

/** What each user gets of each token, in whole tokens; native money comes with the account. */
const userGrant = "100000";
const userWrappedGrant = "100";
/** What the solver gets: enough that it never runs dry by accident. */
const solverGrant = "1000000000";
const solverNativeGrant = parseEther("10000000");
const solverWrappedGrant = parseEther("1000000");

/** Puts the service's contracts and the local currencies on a fresh chain, and hands out money. */
export async function deployService(chain: RunningChain, accounts: LocalAccounts): Promise<Chain> {
  const send = sender(chain, accounts.deployer.account.address);
  const deploy = async (path: string, args: readonly unknown[] = []): Promise<Address> => {
    const { abi, bytecode } = readArtifact(path);
    const data = args.length === 0 ? bytecode : encodeDeployData({ abi, args, bytecode });
    const { contractAddress } = await send({ data });
    if (contractAddress === null || contractAddress === undefined)
      throw new Error(`${path} was not deployed`);
    return contractAddress;
  };
  const contracts = await deployContracts(deploy, accounts);
  const currencies = await deployCurrencies(deploy, accounts.deployer.account.address);
  await grant(chain, accounts, currencies, contracts);
  return { ...chain, contracts, currencies };
}

type Deploy = (path: string, args?: readonly unknown[]) => Promise<Address>;

async function deployContracts(deploy: Deploy, accounts: LocalAccounts): Promise<ServiceContracts> {
  const owner = accounts.deployer.account.address;
  const permit2 = zeroAddress;
  const router2 = await deploy("service/RelayRouterV2_1");
  const router3 = await deploy("service/RelayRouterV3");
  return {
    approvalProxy: await deploy("service/RelayApprovalProxyV2_1", [owner, router2, permit2]),
    depository: await deploy("service/RelayDepository", [owner, accounts.allocator.account.address]),
    erc20Router: router2,
    multicall3: await deploy("service/Multicall3"),
    relayReceiver: await deploy("service/RelayReceiver", [accounts.solver.account.address]),
    v3: {
      approvalProxy: await deploy("service/RelayApprovalProxyV3", [owner, router3, permit2]),
      erc20Router: router3,
    },
  };
}

async function deployCurrencies(deploy: Deploy, owner: Address): Promise<readonly LocalCurrency[]> {
  return [
    native,
    {
      address: await deploy("service/currencies/LocalToken", ["USD Coin", "USDC", 6, owner]),
      decimals: 6,
      name: "USD Coin",
      symbol: "USDC",
    },
    {
      address: await deploy("service/currencies/LocalTether", [owner]),
      decimals: 6,
      name: "Tether USD",
      symbol: "USDT",
    },
    {
      address: await deploy("service/currencies/LocalWrappedNative", ["Wrapped Ether", "WETH"]),
      decimals: 18,
      name: "Wrapped Ether",
      symbol: "WETH",
    },
  ];
}

async function grant(
  chain: RunningChain,
  accounts: LocalAccounts,
  currencies: readonly LocalCurrency[],
  contracts: ServiceContracts,
): Promise<void> {
  const solver = accounts.solver.account.address;
  await rpc(chain, "hardhat_setBalance", [solver, toHex(solverNativeGrant)]);
  const fromDeployer = sender(chain, accounts.deployer.account.address);
  const fromSolver = sender(chain, solver);
  const spender = contracts.v3.approvalProxy;
  for (const { address, decimals, symbol } of currencies) {
    if (address === zeroAddress) continue;
    if (symbol === "WETH") {
      const data = encodeFunctionData({ abi: wrapAbi, functionName: "deposit" });
      await fromSolver({ data, to: address, value: solverWrappedGrant });
      for (const user of accounts.users) {
        await sender(chain, user.account.address)({ data, to: address, value: parseEther(userWrappedGrant) });
      }
    } else {
      const mint = (to: Address, amount: string) =>
        fromDeployer({
          data: encodeFunctionData({
            abi: mintAbi,
            args: [to, parseUnits(amount, decimals)],
            functionName: "mint",
          }),
          to: address,
        });
      await mint(solver, solverGrant);
      for (const user of accounts.users) await mint(user.account.address, userGrant);
    }
    // The solver's inventory reaches calls through the approval proxy.
    const data = encodeFunctionData({ abi: erc20Abi, args: [spender, maxUint256], functionName: "approve" });
    await fromSolver({ data, to: address });
  }
}

type Transaction = { data: Hex; to?: Address; value?: bigint };

/** Sends from an account that the chain has unlocked; mined at once, and checked. */
function sender(chain: RunningChain, from: Address) {
  return async ({ data, to, value }: Transaction) => {
    const hash = (await rpc(chain, "eth_sendTransaction", [
      { data, from, ...(to && { to }), ...(value && { value: toHex(value) }) },
    ])) as Hex;
    const receipt = await chain.client.getTransactionReceipt({ hash });
    if (receipt.status !== "success")
      throw new Error(`set-up transaction ${hash} reverted on ${chain.definition.name}`);
    return receipt;
  };
}

async function rpc(chain: RunningChain, method: string, params: readonly unknown[]): Promise<unknown> {
  const request = chain.client.request as (call: {
    method: string;
    params: readonly unknown[];
  }) => Promise<unknown>;
  return request({ method, params });
}
