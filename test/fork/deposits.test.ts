import { expect } from "chai";
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  parseAbi,
  parseEventLogs,
  parseUnits,
  zeroAddress,
} from "viem";
import { depositCall } from "../../scripts/demo/crossing.ts";
import { getSignature } from "../../src/client/index.ts";
import { recordFromResponse } from "../../src/records/SignatureRecord.ts";
import { erc20Data } from "../helpers/erc20Data.ts";
import { failureOf } from "../helpers/failureOf.ts";
import { deploy, gained } from "../helpers/localChain.ts";
import {
  carryOut,
  fiftyDollars,
  finalStatus,
  lastTransaction,
  quoteFor,
  requestIdOf,
} from "../helpers/quotes/intents.ts";
import { postSignature, signatureOf, signed } from "../helpers/quotes/permits.ts";
import { mainnet } from "./replica/addresses.ts";
import { useFork } from "./support/useFork.ts";

const { permit2, safe: safes, usdt } = mainnet;
const recipient: Address = "0x00000000000000000000000000000000000a11ce";
const bindToCaller = 1;
/** Functions of a Safe that the tests use. */
const safeAbi = parseAbi([
  "function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)",
  "function nonce() view returns (uint256)",
  "function getTransactionHash(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce) view returns (bytes32)",
  "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)",
]);

/** The factory of Safes. */
const safeFactoryAbi = parseAbi([
  "function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) returns (address)",
  "event ProxyCreation(address indexed proxy, address singleton)",
]);

describe("deposits on Ethereum", () => {
  const fork = useFork();
  const user = () => fork.ethereum.wallet(0);

  it("a deposit through the pinned receiver is filled; another amount reverts", async () => {
    const { emulator, ethereum, local, outbound } = fork;
    const { solver } = emulator.info;
    const args = [solver, ethereum.info.contracts.relayReceiver, bindToCaller, zeroAddress];
    const receiver = await deploy(ethereum, "receiver/PinnedReceiver", args);
    const quote = await quoteFor(outbound, { from: "ETH", recipient, to: "USDC" });
    const requestId = requestIdOf(quote);
    const { requestData, signature } = await getSignature(fork.client, { requestId });
    const record = recordFromResponse({ requestData, requestId });
    const call = depositCall(receiver, { record, signature });
    const less = { ...call, account: user().account, value: record.originAmount - 1n };
    expect(await failureOf(ethereum.reader.simulateContract(less))).to.be.instanceOf(Error);
    const got = await gained(local, local.currency("USDC"), recipient, async () => {
      const hash = await user().writeContract({ ...call, value: record.originAmount });
      expect((await ethereum.reader.waitForTransactionReceipt({ hash })).status).to.equal("success");
      expect((await finalStatus(fork, requestId)).status).to.equal("success");
    });
    expect(got.toString()).to.equal(quote.details?.currencyOut.amount);
    const again = { ...call, account: user().account, value: record.originAmount };
    expect(await failureOf(ethereum.reader.simulateContract(again))).to.be.instanceOf(Error);
  });

  for (const way of ["permit2", "eip3009"] as const) {
    it(`a deposit by ${way} takes the quoted amount`, async () => {
      const { ethereum, local, outbound } = fork;
      const wanted = signed(way, "USDC");
      const paidWith = ethereum.currency(wanted.from);
      const quote = await quoteFor(outbound, { ...wanted, recipient });
      const held = await ethereum.balanceOf(paidWith, user().account.address);
      const got = await gained(local, local.currency("USDC"), recipient, () => carryOut(outbound, quote));
      expect(got.toString()).to.equal(quote.details?.currencyOut.amount);
      const left = await ethereum.balanceOf(paidWith, user().account.address);
      expect(held - left).to.equal(fiftyDollars(wanted.from));
    });
  }

  describe("of a Safe", () => {
    let safe: Address;
    before("create a Safe with one owner", async () => {
      const { wallet, reader } = { reader: fork.ethereum.reader, wallet: user() };
      const setup = encodeFunctionData({
        abi: safeAbi,
        args: [
          [wallet.account.address],
          1n,
          zeroAddress,
          "0x",
          safes.fallbackHandler,
          zeroAddress,
          0n,
          zeroAddress,
        ],
        functionName: "setup",
      });
      const hash = await wallet.writeContract({
        abi: safeFactoryAbi,
        address: safes.factory,
        args: [safes.singleton, setup, BigInt(Date.now())],
        functionName: "createProxyWithNonce",
      });
      const { logs } = await reader.waitForTransactionReceipt({ hash });
      safe = parseEventLogs({ abi: safeFactoryAbi, logs })[0]?.args.proxy ?? zeroAddress;
      await fork.give(zeroAddress, safe, parseUnits("10", 18));
      await fork.give(usdt, safe, parseUnits("1000", 6));
    });

    /** Executes a call of the Safe with its owner's signature. */
    const execute = async ({ data, to, value }: { data: Hex; to: Address; value: bigint }) => {
      const { reader } = fork.ethereum;
      const nonce = await reader.readContract({ abi: safeAbi, address: safe, functionName: "nonce" });
      const transaction = [to, value, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress] as const;
      const hash = await reader.readContract({
        abi: safeAbi,
        address: safe,
        args: [...transaction, nonce],
        functionName: "getTransactionHash",
      });
      const { account } = user();
      if (account.type !== "local" || account.sign === undefined)
        throw new Error("the owner's key is not here");
      const sent = await user().writeContract({
        abi: safeAbi,
        address: safe,
        args: [...transaction, await account.sign({ hash })],
        functionName: "execTransaction",
      });
      expect((await reader.waitForTransactionReceipt({ hash: sent })).status).to.equal("success");
    };

    it("in ether is filled", async () => {
      const { local, outbound } = fork;
      const quote = await quoteFor(outbound, { from: "ETH", recipient, to: "USDC", user: safe });
      const got = await gained(local, local.currency("USDC"), recipient, async () => {
        await execute(lastTransaction(quote));
        expect((await finalStatus(fork, requestIdOf(quote))).status).to.equal("success");
      });
      expect(got.toString()).to.equal(quote.details?.currencyOut.amount);
    });

    it("by Permit2 needs the Safe's own signature (ERC-1271); one of another message is refused", async () => {
      const { ethereum, local, outbound } = fork;
      await execute({ data: erc20Data("approve", permit2, parseUnits("1000", 6)), to: usdt, value: 0n });
      const quote = await quoteFor(outbound, { ...signed("permit2"), recipient, user: safe });
      const { domain, primaryType, types, value } = signatureOf(quote).sign;
      const digest = hashTypedData({ domain, message: value, primaryType, types } as never);
      const signFor = (hash: Hex) =>
        user().signTypedData({
          domain: { chainId: 1, verifyingContract: safe },
          message: { message: encodeAbiParameters([{ type: "bytes32" }], [hash]) },
          primaryType: "SafeMessage",
          types: { SafeMessage: [{ name: "message", type: "bytes" }] },
        });
      const refused = await postSignature(outbound, quote, await signFor(`0x${"11".repeat(32)}`));
      expect(refused.status).to.be.within(400, 499);
      const paid = await gained(ethereum, usdt, safe, async () => {
        const { status } = await postSignature(outbound, quote, await signFor(digest));
        expect(status).to.equal(200);
        expect((await finalStatus(fork, requestIdOf(quote))).status).to.equal("success");
      });
      expect(paid).to.equal(-fiftyDollars("USDT"));
      expect(await local.balanceOf(local.currency("USDC"), recipient)).to.not.equal(0n);
    });
  });
});
