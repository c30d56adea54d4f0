import { expect } from "chai";
import { zeroAddress } from "viem";
import { getQuote, HttpError, type Quote } from "../../../src/client/index.ts";
import { hashOrder } from "../../../src/records/hashOrder.ts";
import { normalizeOrder } from "../../../src/records/normalizeOrder.ts";
import { measureSvmTransaction } from "../../../src/svm/measureSvmTransaction.ts";
import type { SvmTransactionData } from "../../../src/svm/SvmTransaction.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { fresh, idOf, orderIdOf } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";
import { freshSvm, payOnSvm, sol, svmBalance, svmUsdc, svmUser, svmWithdrawal } from "../../helpers/svm.ts";

type Overrides = Partial<Parameters<typeof getQuote>[1]>;

describe("quotes of the SVM chain", () => {
  const fixture = useEmulator({ svm: true });
  const withdrawal = (overrides: Overrides = {}) => svmWithdrawal(fixture, overrides);
  const toSvm = async (overrides: Overrides = {}): Promise<Quote> =>
    getQuote(fixture.client, {
      amount: "25000000",
      destinationChainId: 792703809,
      destinationCurrency: svmUsdc.address,
      originChainId: fixture.alpha.info.id,
      originCurrency: fixture.alpha.currency("USDC"),
      recipient: await freshSvm(),
      tradeType: "EXACT_INPUT",
      user: fixture.alpha.wallet(0).account.address,
      ...overrides,
    });
  const codeOf = async (quoted: Promise<unknown>) => {
    const error = await failureOf(quoted);
    expect(error).to.be.instanceOf(HttpError);
    return (error as HttpError).errorCode;
  };

  it("the start-up document: names the SVM chain, its solver and currencies in base58, and a URL that answers", async () => {
    const { svm } = fixture.emulator.info;
    expect(svm).to.include({ chainId: 792703809, name: "solana", vmType: "svm" });
    expect(svm?.currencies.map(({ address }) => address)).to.include.members([sol.address, svmUsdc.address]);
    const body = JSON.stringify({ id: 1, jsonrpc: "2.0", method: "getBalance", params: [svm?.solver] });
    const headers = { "content-type": "application/json" };
    const answer = await fixture.emulator.fetch(
      new Request(svm?.rpcUrl ?? "", { body, headers, method: "POST" }),
    );
    const { result } = (await answer.json()) as { result: { value: number } };
    expect(result.value).to.be.greaterThan(0);
  });

  // @spec svm/format svm/case
  it("an address of the other kind of chain, or in another letter case: is refused by its field's code", async () => {
    const evm = fresh();
    const user = (await svmUser()).address;
    const invalid: readonly (readonly [() => Promise<unknown>, string])[] = [
      [() => withdrawal({ user: evm }), "INVALID_ADDRESS"],
      [() => withdrawal({ refundTo: evm }), "INVALID_ADDRESS"],
      [() => withdrawal({ recipient: user }), "INVALID_RECIPIENT"],
      [() => withdrawal({ depositFeePayer: evm }), "INVALID_ADDRESS"],
      [() => toSvm({ user }), "INVALID_ADDRESS"],
      [() => toSvm({ recipient: evm }), "INVALID_RECIPIENT"],
      [() => toSvm({ recipient: undefined }), "INVALID_RECIPIENT"],
      [() => toSvm({ recipient: svmUsdc.address }), "INVALID_RECIPIENT"],
      [() => toSvm({ destinationCurrency: svmUsdc.address.toLowerCase() }), "INVALID_OUTPUT_CURRENCY"],
      [() => toSvm({ recipient: "so1anawa11et1111111111111111111111111111l11" }), "INVALID_RECIPIENT"],
      [() => toSvm({ destinationCurrency: zeroAddress }), "INVALID_OUTPUT_CURRENCY"],
      [() => withdrawal({ originCurrency: fixture.alpha.currency("USDC") }), "INVALID_INPUT_CURRENCY"],
    ];
    for (const [quoted, code] of invalid) expect(await codeOf(quoted())).to.equal(code);
  });

  it("calls, permits and transfers within the chain: are refused", async () => {
    const txs = [{ data: "0x", to: fresh(), value: "0" }] as const;
    expect(await codeOf(toSvm({ txs: [...txs] }))).to.equal("EXTRA_TXS_NOT_SUPPORTED");
    expect(await codeOf(withdrawal({ usePermit: true }))).to.equal("UNSUPPORTED_EXECUTION_TYPE");
    const within = {
      destinationChainId: 792703809,
      destinationCurrency: sol.address,
      recipient: await freshSvm(),
    };
    expect(await codeOf(withdrawal(within))).to.equal("UNSUPPORTED_ROUTE");
  });

  it("a quote in either direction: has an order whose hash is its orderId, with SVM addresses in base58", async () => {
    for (const quote of [await withdrawal(), await toSvm()]) {
      const data = quote.protocol?.v2?.orderData;
      if (data === undefined) throw new Error("the quote has no order");
      expect(hashOrder({ order: normalizeOrder({ orderData: data }) })).to.equal(orderIdOf(quote));
    }
    const { details } = await toSvm({ recipient: "Wa11et1111111111111111111111111111111111111" });
    expect(details.recipient).to.equal("Wa11et1111111111111111111111111111111111111");
    expect((await withdrawal()).details.sender).to.equal((await svmUser()).address);
  });

  it("a deposit's transaction: fits the limit of a quote with room for compute-budget instructions", async () => {
    const { address: payer } = await svmUser();
    for (const parameters of [
      {},
      { includeComputeUnitLimit: true },
      { originCurrency: sol.address, amount: "2000000000" },
    ]) {
      const quote = await withdrawal(parameters);
      const data = quote.steps[0]?.items[0]?.data as unknown as SvmTransactionData;
      expect(measureSvmTransaction({ data, payer }).verdict).to.equal("fits");
    }
  });

  it("another fee payer: pays the fee, and the user's lamports stay", async () => {
    const [user, payer] = [await svmUser(0), await svmUser(1)];
    const quote = await withdrawal({ depositFeePayer: payer.address, includeComputeUnitLimit: true });
    const [before, payerBefore] = [
      await svmBalance(fixture, user.address),
      await svmBalance(fixture, payer.address),
    ];
    await payOnSvm(fixture, quote, user, payer);
    expect((await reached(fixture.emulator, idOf(quote), "success", "refund", "failure")).status).to.equal(
      "success",
    );
    expect(await svmBalance(fixture, user.address)).to.equal(before);
    // Two signatures.
    expect(await svmBalance(fixture, payer.address)).to.equal(payerBefore - 10_000n);
  });

  it("records of both versions: show SVM addresses in base58, and are found by them and by the signature", async () => {
    const user = await svmUser(2);
    const quote = await withdrawal({ user: user.address });
    const signature = await payOnSvm(fixture, quote, user);
    await reached(fixture.emulator, idOf(quote), "success");
    const { apiKeys, apiUrl } = fixture.emulator.info;
    const read = async (path: string) => {
      const answer = await fetch(`${apiUrl}${path}`, { headers: { "x-api-key": apiKeys[0]?.key ?? "" } });
      expect(answer.status).to.equal(200);
      return ((await answer.json()) as { requests: Record<string, unknown>[] }).requests;
    };
    for (const query of [
      `v3?user=${user.address}`,
      `v3?term=${user.address}`,
      `v3?depositTxHash=${signature}`,
      `v2?user=${user.address}`,
      `v2?hash=${signature}`,
      `v3?term=${signature}`,
      `v3?currencyInAddress=${svmUsdc.address}&id=${idOf(quote)}`,
    ]) {
      const [record] = await read(`/requests/${query}`);
      expect(record, query).to.include({ id: idOf(quote), user: user.address });
    }
    const shown = JSON.stringify(await read(`/requests/v3?id=${idOf(quote)}`));
    expect(shown).to.contain(signature);
    const { currencyIn } = quote.details;
    expect(currencyIn.currency.address).to.equal(svmUsdc.address);
  });
});
