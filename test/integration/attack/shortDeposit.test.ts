import { expect } from "chai";
import { encodeFunctionData, erc20Abi, formatUnits, type Hex, parseAbi } from "viem";
import { readArtifact } from "../../../emulator/chains/setup/artifacts.ts";
import { findQuoteMismatches } from "../../../src/calls/verifyQuote.ts";
import { createClient, getQuote, type Quote } from "../../../src/client/index.ts";
import { execute } from "../../../src/execute/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";
import { orderOf, paymentOf, policyOf, requestOf, transactionOf } from "../../helpers/quotes/quoteChanges.ts";
import { depositAbi, resignOrder } from "../verifyQuote/hostileQuotes.ts";

/** A14. The overload without an amount deposits the allowance, whatever `approve` has made of it. */
describe("attack: a deposit that names no amount", () => {
  const fixture = useEmulator();

  it("A14: deposits the order's input of a token whose approve returns false over an allowance", async () => {
    const { alpha } = fixture;
    const user = alpha.wallet(0).account.address;
    const artifact = readArtifact("mocks/ReturnsFalseToken") as any;
    const wallet = alpha.wallet(0) as any;
    const mined = async (hash: Hex) => alpha.reader.waitForTransactionReceipt({ hash });
    const { contractAddress } = await mined(await wallet.deployContract({ abi: artifact.abi, args: [], bytecode: artifact.bytecode }));
    const token = contractAddress as Hex;
    const write = async (functionName: string, args: unknown[]) => mined(await wallet.writeContract({ abi: artifact.abi, address: token, args, functionName }));
    // An honest token, until an allowance is to be changed from one amount to another: then approve returns false.
    await write("setRefusals", [false, false, false]);
    const amount = 50_000_003n;
    await write("mint", [user, amount]);
    const base = requestOf(fixture, "USDT", "USDC");
    const request = { ...base, amount, originCurrency: token };
    const quote: Quote = structuredClone(await getQuote(fixture.client, base));
    const decimals = await alpha.reader.readContract({ abi: erc20Abi, address: token, functionName: "decimals" });
    const symbol = await alpha.reader.readContract({ abi: erc20Abi, address: token, functionName: "symbol" });
    Object.assign(quote.details.currencyIn, { amount: `${amount}`, amountFormatted: formatUnits(amount, decimals) });
    Object.assign(quote.details.currencyIn.currency, { address: token, decimals, symbol });
    const { depository, v3 } = alpha.info.contracts;
    await resignOrder(quote, () => {
      const { input, protocol } = orderOf(quote);
      Object.assign(input.payment, { amount: `${amount}`, currency: token });
      for (const refund of input.refunds) if (refund.chainId === input.payment.chainId) Object.assign(refund, { currency: token, minimumAmount: "0" });
      delete (protocol as any).paymentDetails;
    });
    const orderId = orderOf(quote).protocol.orderId as Hex;
    const call = (target: Hex, callData: Hex) => ({ allowFailure: false, callData, target, value: 0n });
    const short = encodeFunctionData({ abi: depositAbi, args: [user, token, orderId], functionName: "depositErc20" });
    const calls = [
      call(token, encodeFunctionData({ abi: erc20Abi, args: [depository, 1n], functionName: "approve" })),
      // Stands for the token's own rule.
      call(token, encodeFunctionData({ abi: artifact.abi, args: [false, false, true], functionName: "setRefusals" })),
      call(v3.erc20Router, encodeFunctionData({ abi: depositAbi, args: [[token], [depository], [short], [amount]], functionName: "cleanupErc20sViaCall" })),
    ];
    const approve = transactionOf(quote, 0);
    Object.assign(approve, { data: encodeFunctionData({ abi: erc20Abi, args: [v3.approvalProxy, amount], functionName: "approve" }), to: token });
    quote.steps = [quote.steps[0]!, quote.steps.at(-1)!] as never;
    quote.steps[0]!.items = quote.steps[0]!.items.slice(0, 1) as never;
    const payment = paymentOf(quote);
    payment.to = v3.approvalProxy;
    payment.data = encodeFunctionData({
      abi: parseAbi([
        "struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }",
        "function transferAndMulticall(address[] tokens, uint256[] amounts, Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata)",
      ]),
      args: [[token], [amount], calls, user, "0x0000000000000000000000000000000000000000", quote.steps[0]!.requestId as Hex],
    });
    const verify = policyOf(fixture, quote);
    const found = await findQuoteMismatches({ ...verify, quote, reader: alpha.reader, request });
    console.log(found);
    if (found.length > 0) return;
    const client = createClient({
      baseUrl: fixture.emulator.info.apiUrl,
      fetch: async () => Response.json({ status: "success", inTxHashes: [], txHashes: [] }),
      sleep: quickSleep,
    });
    const end = await execute(client, { publicClient: alpha.reader, quote, request, timeout: 5_000, verify, wallet: alpha.wallet(0) }).catch((e) => e);
    const deposited = await alpha.balanceOf(token, depository);
    const thief = alpha.wallet(7);
    const hash = await thief.sendTransaction({
      data: encodeFunctionData({
        abi: parseAbi(["function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts, bytes metadata)"]),
        args: [[token], [thief.account.address], [0n], "0x"],
      }),
      to: v3.erc20Router,
    } as never);
    await mined(hash);
    const stolen = await alpha.balanceOf(token, thief.account.address);
    console.log({ deposited, end: end.status ?? end.message, paid: amount, stolen });
    expect(deposited === amount || stolen === 0n).to.equal(true);
  });
});
