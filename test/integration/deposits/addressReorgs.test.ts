import { expect } from "chai";
import { type Address, concat, type Hex, numberToHex, parseEther, parseGwei, zeroAddress } from "viem";
import { getDepositAddress, reindexDepositAddress } from "../../../src/client/index.ts";
import { HttpError } from "../../../src/errors/HttpError.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { askNode, automine, mine, setCode } from "../../helpers/localChain.ts";
import { forEachDialect } from "../../helpers/processes/stores.ts";
import { fiftyDollars, requestIdOf, sendAs } from "../../helpers/quotes/intents.ts";
import { addressOf, depositAddressStage, payer } from "../../helpers/requests/depositAddressStage.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";
import { signedBytes } from "../../helpers/requests/mineInstead.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";

/** A payer, and the amount of the payment. */
type Paid = readonly [payer: number, amount: bigint];

type Call = { readonly method: string; readonly params: readonly unknown[] };

forEachDialect("a reorg that changes a payment whose sweep is signed", (kind) => {
  const fixture = useEmulator({}, { database: kind.newUrl, each: true });
  const { quoteAt, requestsAt } = depositAddressStage(fixture);
  const quoted = () => fiftyDollars("ETH");
  const more = parseEther("0.1");
  const held = (account: Address) => fixture.alpha.balanceOf(zeroAddress, account);

  /** Makes calls in one request, between which the solver does nothing. */
  async function atOnce(calls: readonly Call[]): Promise<readonly unknown[]> {
    const body = JSON.stringify(calls.map((each, id) => ({ ...each, id, jsonrpc: "2.0" })));
    const headers = { "content-type": "application/json" };
    const answer = await fetch(fixture.alpha.info.rpcUrl, { body, headers, method: "POST" });
    const results = (await answer.json()) as { error?: unknown; result?: unknown }[];
    const refused = results.filter(({ error }) => error !== undefined);
    if (refused.length > 0) throw new Error(`the node refused: ${JSON.stringify(refused)}`);
    return results.map(({ result }) => result);
  }

  /** A strict address that was paid the quoted amount. Its sweep is signed and not mined. */
  async function sweepUnderWay() {
    const { alpha } = fixture;
    const [recipient, refundTo] = [fresh(), fresh()];
    const quote = await quoteAt({ from: "ETH", recipient, refundTo, strict: true, to: "ETH" });
    const address = addressOf(quote);
    const contract = fresh();
    // Sends all that it holds to the address.
    await setCode(alpha, contract, concat(["0x5f5f5f5f4773", address, "0x5af100"]));
    await automine(alpha, false);
    let snapshot: unknown = await askNode(alpha, "evm_snapshot");
    /** The same transaction of a payer each time, ahead of the solver's in its block. */
    const bytesOf = async (payer: number): Promise<Hex> => {
      const wallet = alpha.wallet(payer);
      return wallet.signTransaction({
        account: wallet.account,
        chain: null,
        chainId: alpha.info.id,
        gas: 100_000n,
        maxFeePerGas: parseGwei("100"),
        maxPriorityFeePerGas: parseGwei("50"),
        nonce: 0,
        to: contract,
        type: "eip1559",
      } as never);
    };
    const payments = async (paid: readonly Paid[]): Promise<readonly Call[]> =>
      (
        await Promise.all(
          paid.map(async ([payer, amount]) => [
            { method: "hardhat_setBalance", params: [contract, numberToHex(amount)] },
            { method: "eth_sendRawTransaction", params: [await bytesOf(payer)] },
            { method: "evm_mine", params: [] },
          ]),
        )
      ).flat();
    await atOnce(await payments([[7, quoted()]]));
    const hash = await until(async () => {
      const block = await alpha.reader.getBlock({ blockTag: "pending", includeTransactions: true });
      return block.transactions.find(({ from }) => from === fixture.emulator.info.solver.toLowerCase())?.hash;
    }, "the sweep to be sent");
    const sweep = { method: "eth_sendRawTransaction", params: [await signedBytes(alpha, hash)] };
    /** Removes everything since the first payment, and makes other payments before and after the sweep. */
    const replace = async (before: readonly Paid[], after: readonly Paid[] = []) => {
      await automine(alpha, false);
      const mined = { method: "evm_mine", params: [] };
      const [, next] = await atOnce([
        { method: "evm_revert", params: [snapshot] },
        { method: "evm_snapshot", params: [] },
        ...(await payments(before)),
        ...[sweep, mined],
        ...(await payments(after)),
      ]);
      snapshot = next;
      await automine(alpha, true);
      await mine(alpha);
    };
    return { address, quote, recipient, refundTo, replace };
  }
  type Stage = Awaited<ReturnType<typeof sweepUnderWay>>;

  /** Expects an empty address, these statuses of its requests, and one fill. */
  async function expectEnds(
    { address, quote, recipient }: Stage,
    statuses: readonly string[],
  ): Promise<void> {
    const { beta, emulator } = fixture;
    let seen: readonly string[] = [];
    await until(async () => {
      seen = (await requestsAt(address)).map(({ status }) => status).toSorted();
      const isSo = seen.join() === statuses.toSorted().join() && (await held(address)) === 0n;
      return isSo ? true : undefined;
    }, `requests to be ${statuses}`).catch((error: Error) => {
      throw new Error(`${error.message}, not ${seen}`);
    });
    await reached(emulator, requestIdOf(quote), "success");
    expect(await beta.balanceOf(zeroAddress, recipient)).to.equal(BigInt(quote.details.currencyOut.amount));
  }
  /** Expects that an account was refunded an amount less gas. */
  async function expectRefunded(account: Address, amount: bigint): Promise<void> {
    expect(await held(account)).to.be.within((amount * 9n) / 10n, amount);
  }

  it("a larger payment: the quoted amount is filled, and the rest refunded without a reindex", async () => {
    const stage = await sweepUnderWay();
    await stage.replace([[7, quoted() + more]]);
    await expectEnds(stage, ["refund", "success"]);
    await expectRefunded(stage.refundTo, more);
  });
});

describe("deposit addresses: endpoints, reorgs and the official client", () => {
  const fixture = useEmulator({ reorgs: true });
  const { ended, pay, quoteAt } = depositAddressStage(fixture);
  const statusOf = async (call: Promise<unknown>) => {
    const error = await failureOf(call);
    if (!(error instanceof HttpError)) throw error;
    return error.status;
  };

  it("GET /deposit-addresses/v1: finds an address by itself and by its request, and nothing else", async () => {
    const { alpha, client } = fixture;
    const refundTo = fresh();
    const quote = await quoteAt({ from: "ETH", refundTo, strict: true, to: "ETH" });
    const address = addressOf(quote);
    const record = await getDepositAddress(client, { address });
    expect(record).to.include({ chainId: alpha.info.id, currency: zeroAddress, depositAddress: address });
    expect(record).to.include({ refundTo, requestId: requestIdOf(quote), type: "strict" });
    expect(await getDepositAddress(client, { requestId: requestIdOf(quote) })).to.deep.equal(record);
    expect(await statusOf(getDepositAddress(client, { address: fresh() }))).to.equal(404);
    expect((await fetch(`${fixture.emulator.info.apiUrl}/deposit-addresses/v1`)).status).to.equal(400);
  });

  // @spec endpoints/reindex
  it("reindex of a strict address: refunds the wrong currency, once", async () => {
    const { alpha, client, emulator } = fixture;
    const refundTo = fresh();
    const quote = await quoteAt({ from: "ETH", refundTo, strict: true, to: "ETH" });
    const address = addressOf(quote);
    const chainId = alpha.info.id;
    await pay(address, "USDC", 75_000_000n);
    const answer = await reindexDepositAddress(client, { chainId, depositAddress: address });
    expect(answer.checkedCurrencies).to.equal(alpha.info.currencies.length);
    expect(answer.failedCurrencies).to.equal(0);
    expect(answer.triggeredCurrencies).to.deep.equal([
      { balance: "75000000", currency: alpha.currency("USDC").toLowerCase(), symbol: "USDC" },
    ]);
    const [record] = await ended(address, 1);
    expect([record?.status, record?.data?.failReason]).to.deep.equal([
      "refund",
      "INCORRECT_DEPOSIT_CURRENCY",
    ]);
    const refunded = await alpha.balanceOf(alpha.currency("USDC"), refundTo);
    expect(refunded > 70_000_000n && refunded < 75_000_000n).to.equal(true);
    expect((await historyOf(emulator, requestIdOf(quote))).status).to.equal("waiting");
    expect(await statusOf(reindexDepositAddress(client, { chainId, depositAddress: address }))).to.equal(429);
    await emulator.control.clock.advance(11_000);
    const again = await reindexDepositAddress(client, { chainId, depositAddress: address });
    expect(again.triggeredCurrencies).to.deep.equal([]);
  });

  it("reindex with a target chain: returns money of a strict address from the wrong chain", async () => {
    const { alpha, beta, client } = fixture;
    const refundTo = fresh();
    const quote = await quoteAt({ from: "USDC", refundTo, strict: true, to: "USDC" });
    const depositAddress = addressOf(quote);
    const data = erc20Data("transfer", depositAddress, 90_000_000n);
    await sendAs(beta, payer, { data, to: beta.currency("USDC") });
    const wrong = { chainId: beta.info.id, depositAddress };
    expect(await statusOf(reindexDepositAddress(client, wrong))).to.equal(400);
    const asked = { chainId: alpha.info.id, depositAddress, targetChainId: beta.info.id };
    const { triggeredCurrencies } = await reindexDepositAddress(client, asked);
    expect(triggeredCurrencies.map(({ symbol }) => symbol)).to.deep.equal(["USDC"]);
    const [record] = await ended(depositAddress, 1);
    expect([record?.status, record?.data?.failReason]).to.deep.equal(["refund", "DEPOSIT_CHAIN_MISMATCH"]);
    expect((await beta.balanceOf(beta.currency("USDC"), refundTo)) > 85_000_000n).to.equal(true);
    expect(await statusOf(reindexDepositAddress(client, { ...asked, depositAddress: fresh() }))).to.equal(
      404,
    );
  });

  for (const [what, change] of [
    ["less", -(10n ** 15n)],
    ["more", 10n ** 15n],
  ] as const) {
    it(`a reorg after which the payment's transaction pays ${what}: what it pays then is refunded`, async () => {
      const { alpha, emulator } = fixture;
      const refundTo = fresh();
      const quote = await quoteAt({ from: "ETH", refundTo, strict: true, to: "ETH" });
      const [address, amount] = [addressOf(quote), fiftyDollars("ETH")];
      // Sends all that it holds to the address.
      const contract = fresh();
      await setCode(alpha, contract, concat(["0x5f5f5f5f4773", address, "0x5af100"]));
      const wallet = alpha.wallet(payer);
      const hold = (balance: bigint) =>
        emulator.control.balances.set({
          account: contract,
          amount: balance,
          chainId: alpha.info.id,
          currency: zeroAddress,
        });
      await hold(amount);
      const prepared = await wallet.prepareTransactionRequest({
        account: wallet.account,
        chain: null,
        gas: 100_000n,
        to: contract,
      });
      const serializedTransaction = await wallet.signTransaction({
        ...prepared,
        account: wallet.account,
      } as never);
      await wallet.sendRawTransaction({ serializedTransaction });
      await reached(emulator, requestIdOf(quote), "success");
      await emulator.control.chains.reorg({ blocks: 2, chainId: alpha.info.id, returns: false });
      await reached(emulator, requestIdOf(quote), "failure");
      await hold(amount + change);
      await wallet.sendRawTransaction({ serializedTransaction });
      const records = await ended(address, 2);
      expect(records.map(({ status }) => status)).to.have.members(["failure", "refund"]);
      expect(await alpha.balanceOf(zeroAddress, address)).to.equal(0n);
      const refunded = await alpha.balanceOf(zeroAddress, refundTo);
      expect(refunded > ((amount + change) * 9n) / 10n).to.equal(true);
    });
  }
});
