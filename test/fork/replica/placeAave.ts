import { type Address, erc20Abi, maxUint256, parseUnits, zeroAddress } from "viem";
import { mainnet } from "./addresses.ts";
import { type Builder, builder as funder } from "./createBuilder.ts";
import { initCode, published } from "./publishedCode.ts";

const contract = (path: string) => published(`@aave/core-v3/artifacts/contracts/${path}`);
const logic = (name: string) => contract(`protocol/libraries/logic/${name}.sol/${name}`);

const ray = 10n ** 27n;
/** Prices have eight decimals. */
const usd = 10n ** 8n;

/** Nonce of the configurator when it creates the reserve's tokens on Ethereum. */
const nonce = 10;

/** Deploys Aave v3's pool and oracle, and a reserve of USDC with liquidity. */
export async function placeAave(builder: Builder): Promise<void> {
  const { aave } = mainnet;
  const send = sender(builder);
  const provider = contract("protocol/configuration/PoolAddressesProvider.sol/PoolAddressesProvider");
  const toProvider = (functionName: string, ...args: unknown[]) =>
    send(provider.abi, aave.addressesProvider, functionName, args);
  await builder.construct(aave.addressesProvider, initCode(provider, ["Aave Ethereum Market", aave.owner]));
  await toProvider("setACLAdmin", aave.owner);
  await placeAccess(builder, toProvider);
  await toProvider("setPoolImpl", await deployPool(builder));
  const configuratorCode = contract("protocol/pool/PoolConfigurator.sol/PoolConfigurator");
  const libraries = { ConfiguratorLogic: await builder.create(initCode(logic("ConfiguratorLogic"))) };
  await toProvider(
    "setPoolConfiguratorImpl",
    await builder.create(initCode(configuratorCode, [], libraries)),
  );
  await placePrices(builder, toProvider);
  await openReserve(builder);
}

type ToProvider = (functionName: string, ...args: unknown[]) => Promise<void>;

/** Calls of the protocol's owner. */
function sender(builder: Builder) {
  return (abi: readonly unknown[], address: Address, functionName: string, args: readonly unknown[]) =>
    builder.send({ abi, address, args, from: mainnet.aave.owner, functionName });
}

async function placeAccess(builder: Builder, toProvider: ToProvider): Promise<void> {
  const { aclManager, addressesProvider, owner } = mainnet.aave;
  const access = contract("protocol/configuration/ACLManager.sol/ACLManager");
  await builder.construct(aclManager, initCode(access, [addressesProvider]));
  await toProvider("setACLManager", aclManager);
  for (const role of ["addPoolAdmin", "addAssetListingAdmin"]) {
    await sender(builder)(access.abi, aclManager, role, [owner]);
  }
}

/** Deploys the pool's logic with its libraries, which stand at addresses of their own. */
async function deployPool(builder: Builder): Promise<Address> {
  const libraries: Record<string, Address> = {};
  const names = ["BorrowLogic", "BridgeLogic", "EModeLogic", "LiquidationLogic", "PoolLogic", "SupplyLogic"];
  for (const name of names) libraries[name] = await builder.create(initCode(logic(name)));
  libraries.FlashLoanLogic = await builder.create(initCode(logic("FlashLoanLogic"), [], libraries));
  const pool = contract("protocol/pool/Pool.sol/Pool");
  return builder.create(initCode(pool, [mainnet.aave.addressesProvider], libraries));
}

async function placePrices(builder: Builder, toProvider: ToProvider): Promise<void> {
  const { aave } = mainnet;
  const feed = contract("mocks/oracle/CLAggregators/MockAggregator.sol/MockAggregator");
  await builder.construct(aave.usdcFeed, initCode(feed, [usd]));
  const oracle = contract("misc/AaveOracle.sol/AaveOracle");
  const args = [aave.addressesProvider, [mainnet.usdc], [aave.usdcFeed], zeroAddress, zeroAddress, usd];
  await builder.construct(aave.oracle, initCode(oracle, args));
  await toProvider("setPriceOracle", aave.oracle);
}

async function openReserve(builder: Builder): Promise<void> {
  const { aave } = mainnet;
  const token = (name: string) => contract(`protocol/tokenization/${name}.sol/${name}`);
  const [aTokenImpl, stableDebtTokenImpl, variableDebtTokenImpl] = [
    await builder.create(initCode(token("AToken"), [aave.pool])),
    await builder.create(initCode(token("StableDebtToken"), [aave.pool])),
    await builder.create(initCode(token("VariableDebtToken"), [aave.pool])),
  ];
  const rates = contract(
    "protocol/pool/DefaultReserveInterestRateStrategy.sol/DefaultReserveInterestRateStrategy",
  );
  // Optimal usage, then base, slopes and stable rates, each a share of one.
  const shares = [80n, 0n, 4n, 75n, 2n, 75n, 2n, 5n, 20n].map((percent) => (percent * ray) / 100n);
  const interestRateStrategyAddress = await builder.create(
    initCode(rates, [aave.addressesProvider, ...shares]),
  );
  const configurator = contract("protocol/pool/PoolConfigurator.sol/PoolConfigurator").abi;
  const pool = contract("protocol/pool/Pool.sol/Pool").abi;
  const configure = (functionName: string, ...args: unknown[]) =>
    sender(builder)(configurator, aave.configurator, functionName, args);
  const address = mainnet.usdc;
  await builder.setNonce(aave.configurator, nonce);
  const reserve = {
    aTokenImpl,
    aTokenName: "Aave Ethereum USDC",
    aTokenSymbol: "aEthUSDC",
    incentivesController: zeroAddress,
    interestRateStrategyAddress,
    params: "0x10",
    stableDebtTokenImpl,
    stableDebtTokenName: "Aave Ethereum Stable Debt USDC",
    stableDebtTokenSymbol: "stableDebtEthUSDC",
    treasury: aave.owner,
    underlyingAsset: address,
    underlyingAssetDecimals: 6,
    variableDebtTokenImpl,
    variableDebtTokenName: "Aave Ethereum Variable Debt USDC",
    variableDebtTokenSymbol: "variableDebtEthUSDC",
  };
  await configure("initReserves", [reserve]);
  await configure("configureReserveAsCollateral", address, 7_500, 8_000, 10_500);
  await configure("setReserveBorrowing", address, true);
  if ((await builder.rpc("eth_getCode", [aave.aUsdc, "latest"])) === "0x") {
    throw new Error("The receipt token of USDC is not at its address on Ethereum.");
  }
  const amount = parseUnits("1000", 6);
  await builder.send({ abi: erc20Abi, address, args: [aave.pool, maxUint256], functionName: "approve" });
  const supply = [address, amount, funder, 0];
  await builder.send({ abi: pool, address: aave.pool, args: supply, functionName: "supply" });
}
