import { expect } from "chai";
import { concat, zeroAddress } from "viem";
import { getDepositAddress, reindexDepositAddress } from "../../../src/client/index.ts";
import { HttpError } from "../../../src/errors/HttpError.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { setCode } from "../../helpers/localChain.ts";
import { fiftyDollars, requestIdOf, sendAs } from "../../helpers/quotes/intents.ts";
import { addressOf, depositAddressStage, payer } from "../../helpers/requests/depositAddressStage.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";
import { historyOf, reached } from "../../helpers/requests/requestHistory.ts";

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
