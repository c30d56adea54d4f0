import { expect } from "chai";
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getCreate2Address,
  type Hex,
  keccak256,
  parseAbi,
  parseEther,
  parseEventLogs,
  parseSignature,
  parseUnits,
  toHex,
  zeroAddress,
  zeroHash,
} from "viem";
import { multicall3Abi } from "../../src/abi/Multicall3.ts";
import { mainnet } from "./replica/addresses.ts";
import { assertReverts, type OpenReplica, openReplica, usdc, usdt, weth } from "./support/openReplica.ts";
import { safeAbi, safeFactoryAbi } from "./support/safeAbi.ts";

const aaveAbi = parseAbi([
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
  "function borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf)",
  "function getAssetPrice(address asset) view returns (uint256)",
  "function getReserveTokensAddresses(address asset) view returns (address aToken, address stable, address variable)",
]);
const deadline = 10n ** 12n;
const oneEther = parseEther("1");
const dollars = (amount: string) => parseUnits(amount, 6);
/** Returns 42 to every call; the code that deploys it comes first. */
const answerCode: Hex = "0x69602a60005260206000f3600052600a6016f3";

describe("replica of Ethereum", () => {
  let replica: OpenReplica;
  before("start the replica", async () => {
    replica = await openReplica();
  });
  after("stop the replica", () => replica.close());

  it("has chain id 1 and a newest block of now", async () => {
    expect(await replica.reader.getChainId()).to.equal(1);
    const { number, timestamp } = await replica.reader.getBlock();
    expect(Number(number)).to.be.at.least(256);
    expect(Number(timestamp)).to.be.closeTo(Math.floor(Date.now() / 1_000), 60);
  });

  it("has code at every address of the list", async () => {
    const flat = (part: object): Address[] =>
      Object.values(part).flatMap((value) => (typeof value === "string" ? [value as Address] : flat(value)));
    const owner: Address = mainnet.aave.owner;
    for (const address of flat(mainnet).filter((each) => each !== owner)) {
      expect(await replica.reader.getCode({ address }), address).to.match(/^0x[0-9a-f]{100}/);
    }
  });

  it("WETH9 from canonical-weth: wraps and unwraps ether", async () => {
    const abi = parseAbi(["function deposit() payable", "function withdraw(uint256)"]);
    const wrap = () =>
      replica.send({ abi, address: weth, args: [], functionName: "deposit", value: oneEther });
    expect(await replica.gains(weth, wrap)).to.equal(oneEther);
    const unwrap = () => replica.send({ abi, address: weth, args: [oneEther], functionName: "withdraw" });
    expect(await replica.gains(weth, unwrap)).to.equal(-oneEther);
  });

  it("Permit2 from v4-periphery: has the domain of Ethereum", async () => {
    const abi = parseAbi(["function DOMAIN_SEPARATOR() view returns (bytes32)"]);
    const separator = await replica.reader.readContract({
      abi,
      address: mainnet.permit2,
      functionName: "DOMAIN_SEPARATOR",
    });
    const types = [
      { type: "bytes32" },
      { type: "bytes32" },
      { type: "uint256" },
      { type: "address" },
    ] as const;
    const typeHash = keccak256(toHex("EIP712Domain(string name,uint256 chainId,address verifyingContract)"));
    expect(separator).to.equal(
      keccak256(encodeAbiParameters(types, [typeHash, keccak256(toHex("Permit2")), 1n, mainnet.permit2])),
    );
  });

  it("Multicall3 from viem: reads two balances in one call", async () => {
    const callData = encodeFunctionData({
      abi: parseAbi(["function getEthBalance(address) view returns (uint256)"]),
      args: [weth],
    });
    const call = { allowFailure: false, callData, target: mainnet.multicall3 };
    const { result } = await replica.reader.simulateContract({
      abi: multicall3Abi,
      address: mainnet.multicall3,
      args: [[call, call].map((each) => ({ ...each, value: 0n }))],
      functionName: "aggregate3Value",
    });
    const held = await replica.reader.getBalance({ address: weth });
    expect(result.map(({ returnData }) => BigInt(returnData))).to.deep.equal([held, held]);
  });

  it("CREATE2 factory from its signed transaction: deploys to the address of salt and code", async () => {
    const hash = await replica.wallet.sendTransaction({
      data: concatHex([zeroHash, answerCode]),
      to: mainnet.create2Factory,
    });
    await replica.reader.waitForTransactionReceipt({ hash });
    const address = getCreate2Address({ bytecode: answerCode, from: mainnet.create2Factory, salt: zeroHash });
    expect(BigInt((await replica.reader.call({ to: address })).data ?? "0x0")).to.equal(42n);
  });

  it("CreateX from its signed transaction in Ignition: deploys to the address of its salt", async () => {
    const abi = parseAbi(["function deployCreate2(bytes32 salt, bytes initCode) payable returns (address)"]);
    await replica.send({
      abi,
      address: mainnet.createX,
      args: [zeroHash, answerCode],
      functionName: "deployCreate2",
    });
    const salt = keccak256(zeroHash);
    const address = getCreate2Address({ bytecode: answerCode, from: mainnet.createX, salt });
    expect(BigInt((await replica.reader.call({ to: address })).data ?? "0x0")).to.equal(42n);
  });

  it("Aave v3 from @aave/core-v3: a supply gives receipt tokens, against which ether is lent", async () => {
    const { aUsdc, aWeth, dataProvider, oracle, pool } = mainnet.aave;
    const price = await replica.reader.readContract({
      abi: aaveAbi,
      address: oracle,
      args: [weth],
      functionName: "getAssetPrice",
    });
    expect(price).to.equal(2_500n * 10n ** 8n);
    const tokens = await replica.reader.readContract({
      abi: aaveAbi,
      address: dataProvider,
      args: [weth],
      functionName: "getReserveTokensAddresses",
    });
    expect(tokens[0]).to.equal(aWeth);
    const amount = dollars("10000");
    await replica.mint(usdc, replica.user, amount);
    await replica.approve(usdc, pool, amount);
    const supply = () =>
      replica.send({
        abi: aaveAbi,
        address: pool,
        args: [usdc, amount, replica.user, 0],
        functionName: "supply",
      });
    expect(await replica.gains(aUsdc, supply)).to.equal(amount);
    const borrow = (loan: bigint) => ({
      abi: aaveAbi,
      address: pool,
      args: [weth, loan, 2n, 0, replica.user] as const,
      functionName: "borrow" as const,
    });
    expect(await replica.gains(weth, () => replica.send(borrow(oneEther)))).to.equal(oneEther);
    // "36": the collateral cannot cover the loan.
    await assertReverts(
      replica.reader.simulateContract({ ...borrow(3n * oneEther), account: replica.user }),
      /36/,
    );
  });

  it("Safe 1.4.1 from safe-contracts: executes with its owner's signature, and refuses another one", async () => {
    const { factory, fallbackHandler, singleton } = mainnet.safe;
    const setup = encodeFunctionData({
      abi: safeAbi,
      args: [[replica.user], 1n, zeroAddress, "0x", fallbackHandler, zeroAddress, 0n, zeroAddress],
      functionName: "setup",
    });
    const { logs } = await replica.send({
      abi: safeFactoryAbi,
      address: factory,
      args: [singleton, setup, 0n],
      functionName: "createProxyWithNonce",
    });
    const safe =
      parseEventLogs({ abi: safeFactoryAbi, logs }).find(({ eventName }) => eventName === "ProxyCreation")
        ?.args.proxy ?? zeroAddress;
    await replica.mint(usdc, safe, dollars("5"));
    const data = encodeFunctionData({
      abi: parseAbi(["function transfer(address,uint256)"]),
      args: [replica.user, dollars("5")],
    });
    const transaction = [usdc, 0n, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress] as const;
    const hash = await replica.reader.readContract({
      abi: safeAbi,
      address: safe,
      args: [...transaction, 0n],
      functionName: "getTransactionHash",
    });
    const signature = await replica.wallet.account.sign({ hash });
    const execute = { abi: safeAbi, address: safe, functionName: "execTransaction" } as const;
    const wrong = await replica.wallet.account.sign({ hash: zeroHash });
    await assertReverts(
      replica.reader.simulateContract({ ...execute, args: [...transaction, wrong], account: replica.user }),
      /GS026/,
    );
    expect(
      await replica.gains(usdc, () => replica.send({ ...execute, args: [...transaction, signature] })),
    ).to.equal(dollars("5"));
  });

  it("USDC-like token of this repository: pays by ERC-3009 authorization once, and blocks accounts", async () => {
    const abi = parseAbi([
      "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
      "function blacklist(address)",
    ]);
    const payee: Address = "0x000000000000000000000000000000000000dEaD";
    await replica.mint(usdc, replica.user, dollars("7"));
    const message = {
      from: replica.user,
      nonce: keccak256(toHex("once")),
      to: payee,
      validAfter: 0n,
      validBefore: deadline,
      value: dollars("3"),
    };
    const signature = await replica.wallet.signTypedData({
      domain: { chainId: 1, name: "USD Coin", verifyingContract: usdc, version: "2" },
      message,
      primaryType: "TransferWithAuthorization",
      types: {
        TransferWithAuthorization: [
          "address from",
          "address to",
          "uint256 value",
          "uint256 validAfter",
          "uint256 validBefore",
          "bytes32 nonce",
        ].map((field) => ({ name: field.split(" ")[1] ?? "", type: field.split(" ")[0] ?? "" })),
      },
    });
    const { r, s, v = 27n } = parseSignature(signature);
    const args = [
      message.from,
      message.to,
      message.value,
      0n,
      deadline,
      message.nonce,
      Number(v),
      r,
      s,
    ] as const;
    const pay = { abi, address: usdc, args, functionName: "transferWithAuthorization" } as const;
    expect(await replica.gains(usdc, () => replica.send(pay), payee)).to.equal(dollars("3"));
    await assertReverts(replica.reader.simulateContract({ ...pay, account: replica.user }), /revert/);
    await replica.sendAs(
      await replica.reader.readContract({
        abi: parseAbi(["function masterMinter() view returns (address)"]),
        address: usdc,
        functionName: "masterMinter",
      }),
      {
        data: encodeFunctionData({ abi, args: [payee], functionName: "blacklist" }),
        to: usdc,
      },
    );
    const transfer = parseAbi(["function transfer(address,uint256) returns (bool)"]);
    await assertReverts(
      replica.reader.simulateContract({
        abi: transfer,
        account: replica.user,
        address: usdc,
        args: [payee, 1n],
        functionName: "transfer",
      }),
      /revert/,
    );
  });

  it("USDT-like token of this repository: returns nothing, refuses a second allowance, and blocks senders", async () => {
    const abi = parseAbi([
      "function approve(address,uint256)",
      "function transfer(address,uint256)",
      "function addBlackList(address)",
      "function owner() view returns (address)",
    ]);
    await replica.mint(usdt, replica.user, dollars("2"));
    const transfer = encodeFunctionData({ abi, args: [weth, 1n], functionName: "transfer" });
    expect((await replica.reader.call({ account: replica.user, data: transfer, to: usdt })).data).to.equal(
      undefined,
    );
    await replica.approve(usdt, weth, 1n);
    await assertReverts(
      replica.reader.simulateContract({
        abi,
        account: replica.user,
        address: usdt,
        args: [weth, 2n],
        functionName: "approve",
      }),
      /revert/,
    );
    const owner = await replica.reader.readContract({ abi, address: usdt, functionName: "owner" });
    await replica.sendAs(owner, {
      data: encodeFunctionData({ abi, args: [replica.user], functionName: "addBlackList" }),
      to: usdt,
    });
    await assertReverts(replica.reader.call({ account: replica.user, data: transfer, to: usdt }), /revert/);
  });

  it("ERC-4626 vault of OpenZeppelin: a deposit of USDC gives shares that redeem it", async () => {
    const abi = parseAbi([
      "function deposit(uint256,address) returns (uint256)",
      "function redeem(uint256,address,address) returns (uint256)",
    ]);
    await replica.mint(usdc, replica.user, dollars("50"));
    await replica.approve(usdc, mainnet.vault, dollars("50"));
    const deposit = () =>
      replica.send({
        abi,
        address: mainnet.vault,
        args: [dollars("50"), replica.user],
        functionName: "deposit",
      });
    const shares = await replica.gains(mainnet.vault, deposit);
    const redeem = () =>
      replica.send({
        abi,
        address: mainnet.vault,
        args: [shares, replica.user, replica.user],
        functionName: "redeem",
      });
    expect(await replica.gains(usdc, redeem)).to.equal(dollars("50"));
  });
});
