import { expect } from "chai";
import { type Address, encodeFunctionData, parseEther } from "viem";
import { routerVersions } from "../../../emulator/chains/Chain.ts";
import { readArtifact } from "../../../emulator/chains/setup/placeContracts.ts";
import { multicall3Abi } from "../../../src/abi/Multicall3.ts";
import { getStatus, type Quote } from "../../../src/client/index.ts";
import { requestsV2PageSchema } from "../../../src/schema/record/requestV2.ts";
import { requestsPageSchema } from "../../../src/schema/record/requestV3.ts";
import { clockFrom } from "../../helpers/clockFrom.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import {
  carryOut,
  finalStatus,
  gasSpent,
  lastTransaction,
  quoteFor,
  recipient,
  requestIdOf,
  sendAs,
  type Wanted,
} from "../../helpers/quotes/intents.ts";
import { nameTransaction } from "../../helpers/requests/nameTransaction.ts";

const gas = 2_000_000n;

for (const routerVersion of routerVersions) {
  describe(`same-chain requests in one transaction, through router ${routerVersion}`, () => {
    /** A contract that makes given calls, as the account of a user. */
    let account: Address;
    // Version 2 of the requests is gone from November on.
    const fixture = useEmulator({ now: clockFrom(Date.UTC(2026, 9, 1)), routerVersion });
    before(async () => {
      const { abi, bytecode } = readArtifact("service/Multicall3");
      const hash = await fixture.alpha.wallet(3).deployContract({ abi, bytecode });
      const { contractAddress } = await fixture.alpha.reader.waitForTransactionReceipt({ hash });
      account = contractAddress ?? "0x";
    });

    const read = async (path: string): Promise<unknown> => {
      const [key] = fixture.emulator.info.apiKeys;
      const headers = { "x-api-key": key?.key ?? "" };
      return (await fixture.emulator.fetch(new Request(`http://localhost${path}`, { headers }))).json();
    };
    const recordOf = async (quote: Quote) =>
      requestsPageSchema.parse(await read(`/requests/v3?id=${requestIdOf(quote)}`)).requests[0]?.data;
    const statusOf = async (quote: Quote) =>
      (await getStatus(fixture.client, { requestId: requestIdOf(quote) })).status;
    /** A valid deposit made now is filled: everything before it has been searched too. */
    const settle = async () => carryOut(fixture, await quoteFor(fixture, { from: "ETH", to: "ETH" }));

    /** Makes the last transactions of some quotes from the account, in one transaction of its owner. */
    function wrapped(quotes: readonly Quote[], change: { value?: bigint; allowFailure?: boolean } = {}) {
      const calls = quotes.map((quote) => {
        const { data, to, value } = lastTransaction(quote);
        return {
          allowFailure: change.allowFailure ?? false,
          callData: data,
          target: to,
          value: change.value ?? value,
        };
      });
      const value = calls.reduce((sum, call) => sum + call.value, 0n);
      const data = encodeFunctionData({ abi: multicall3Abi, args: [calls], functionName: "aggregate3Value" });
      return { data, gas, to: account, value };
    }
    const quoteOf = (wanted: Wanted) => quoteFor(fixture, { sameChain: true, user: account, ...wanted });

    // @spec record-v3/transactions record-v2/in-txs record-v2/out-txs
    it("a same-chain transaction is recorded with its input, output and cost", async () => {
      for (const [from, to] of [
        ["ETH", "USDC"],
        ["ETH", "WETH"],
        ["ETH", "ETH"],
      ] as const) {
        const quote = await quoteFor(fixture, { from, sameChain: true, to });
        const hash = await sendAs(fixture.alpha, 0, { ...lastTransaction(quote), gas });
        await nameTransaction(fixture, quote, hash);
        await finalStatus(fixture, requestIdOf(quote));
        const record = await recordOf(quote);
        const { blockNumber } = await fixture.alpha.reader.getTransactionReceipt({ hash });
        expect(record?.inTxs?.[0]).to.deep.include({
          block: Number(blockNumber),
          chainId: fixture.alpha.info.id,
          fee: (await gasSpent(fixture.alpha, hash)).toString(),
          status: "success",
          txHash: hash,
        });
        expect([record?.inTxs, record?.inTxs?.length]).to.deep.equal([record?.outTxs, 1]);
        const page = requestsV2PageSchema.parse(await read(`/requests/v2?id=${requestIdOf(quote)}`));
        const { inTxs, outTxs } = page.requests[0]?.data ?? {};
        expect([inTxs?.[0]?.hash, outTxs?.[0]?.hash]).to.deep.equal([hash, hash]);
      }
    });

    it("same-chain transactions inside a contract wallet's transaction are found, several in one", async () => {
      const token = fixture.alpha.currency("USDC");
      const before = await fixture.alpha.balanceOf(token, recipient);
      const swap = await quoteOf({ from: "ETH", to: "USDC" });
      const wrap = await quoteOf({ from: "ETH", to: "WETH" });
      const send = await quoteOf({ from: "ETH", to: "ETH" });
      const hash = await sendAs(fixture.alpha, 3, wrapped([swap, wrap, send]));
      for (const quote of [swap, wrap, send]) {
        await nameTransaction(fixture, quote, hash);
        const status = await finalStatus(fixture, requestIdOf(quote));
        expect([status.status, status.inTxHashes, status.txHashes]).to.deep.equal([
          "success",
          [hash],
          [hash],
        ]);
      }
      const received = (await fixture.alpha.balanceOf(token, recipient)) - before;
      expect(received).to.equal(BigInt(swap.details.currencyOut?.amount ?? 0));
      // The record has the transaction as it was mined: of the wallet's relayer, to the wallet.
      const { from, input, to, value } = await fixture.alpha.reader.getTransaction({ hash });
      for (const quote of [swap, wrap, send]) {
        const { inTxs, outTxs } = (await recordOf(quote)) ?? {};
        const mined = { data: input, from, to, value: value.toString() };
        expect([inTxs?.[0]?.data, outTxs?.[0]?.data]).to.deep.equal([mined, mined]);
      }
    });

    it("a wallet's transaction that paid less, or whose call reverted, does not count", async () => {
      const less = await quoteOf({ from: "ETH", to: "ETH" });
      const { value } = lastTransaction(less);
      const underpaid = await sendAs(fixture.alpha, 3, wrapped([less], { value: value - 1n }));
      await nameTransaction(fixture, less, underpaid);
      const reverted = await quoteOf({ amount: parseEther("0.5"), from: "ETH", to: "USDC" });
      await sendAs(fixture.alpha, 3, wrapped([reverted], { allowFailure: true, value: 1n }));
      await settle();
      expect([await statusOf(less), await statusOf(reverted)]).to.deep.equal(["waiting", "waiting"]);
      expect((await recordOf(less))?.inTxs).to.deep.equal([]);
    });
  });
}
