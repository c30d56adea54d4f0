import { expect } from "chai";
import { createClient as createViemClient, encodeFunctionData, type Hex, http, parseEther } from "viem";
import { relayRouterV3Abi } from "../../../src/abi/RelayRouterV3.ts";
import { explainFailure, type GetFailedRequests } from "../../../src/calls/explainFailure.ts";
import { createClient } from "../../../src/client/createClient.ts";
import { getRequests } from "../../../src/client/getRequests.ts";
import { ChainReadFailedError } from "../../../src/errors/ChainReadFailedError.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { setCode } from "../../helpers/localChain.ts";
import { recipient } from "../../helpers/quotes/intents.ts";
import {
  deposit,
  fresh,
  idOf,
  orderIdOf,
  quoteOf,
  quoteRevokedAllowance,
  refunded,
  revertFill,
} from "../../helpers/requests/failureStage.ts";

describe("explainFailure", () => {
  const fixture = useEmulator();

  const transfer = (amount: bigint): Hex => erc20Data("transfer", recipient, amount);

  function failedCall(amount: bigint) {
    const { info } = fixture.beta;
    const calls = [
      { allowFailure: false, callData: "0x", target: recipient, value: 1n },
      { allowFailure: false, callData: transfer(amount), target: fixture.beta.currency("USDC"), value: 0n },
    ] as const;
    const args = [calls, recipient, recipient, "0x"] as const;
    return {
      data: encodeFunctionData({ abi: relayRouterV3Abi, args, functionName: "multicall" }),
      from: fixture.beta.wallet(0).account.address,
      to: info.contracts.v3.erc20Router,
      value: parseEther("0.1").toString(),
    };
  }

  it("names the failing call and its entry of `txs`, decodes its error, and advises", async () => {
    const explained = await explainFailure(fixture.beta.reader, {
      failedCallData: failedCall(5n),
      failReason: "EXECUTION_REVERTED",
      txs: [{ data: transfer(5n), to: fixture.beta.currency("USDC") }],
    });
    expect(explained).to.include({ callIndex: 1, reproduced: true, txIndex: 0 });
    expect(explained.revert?.name).to.equal("ERC20InsufficientBalance");
    expect(explained.text).to.match(
      /^The service says EXECUTION_REVERTED\. txs\[0\] failed: ERC20Ins.*proxy step\.$/,
    );
  });

  it("reports a call that succeeds now, and a failure without a call to repeat", async () => {
    const again = await explainFailure(fixture.beta.reader, { failedCallData: failedCall(0n) });
    expect(again).to.include({ callIndex: undefined, reproduced: false });
    expect(again.text).to.include("does not fail any more");
    const nothing = await explainFailure(fixture.beta.reader, { failReason: "SLIPPAGE" });
    expect(nothing.text).to.equal(
      "The service says SLIPPAGE. It was not made again. Accept more slippage, or ask for a new quote.",
    );
  });

  it("an unreachable chain, or one without the block, does not count as a failing call", async () => {
    const deaf = createViemClient({ transport: http("http://127.0.0.1:1", { retryCount: 0 }) });
    const failedCallData = failedCall(5n);
    expect(await failureOf(explainFailure(deaf, { failedCallData }))).to.be.instanceOf(ChainReadFailedError);
    const ahead = explainFailure(fixture.beta.reader, { failedCallData, failedTxBlockNumber: 1_000_000 });
    expect(await failureOf(ahead)).to.be.instanceOf(ChainReadFailedError);
  });

  it("an approval that a USDT-like token rejects: advises to set the allowance to zero first", async () => {
    const token = fixture.beta.currency("USDT");
    const approve = (amount: bigint) => ({
      allowFailure: false,
      callData: erc20Data("approve", recipient, amount),
      target: token,
      value: 0n,
    });
    const explain = (...amounts: bigint[]) => {
      const args = [amounts.map(approve), recipient, recipient, "0x"] as const;
      const data = encodeFunctionData({ abi: relayRouterV3Abi, args, functionName: "multicall" });
      return explainFailure(fixture.beta.reader, { failedCallData: { ...failedCall(0n), data, value: "0" } });
    };
    expect(await explain(5n, 6n)).to.include({
      callIndex: 1,
      fix: "Set the allowance to zero first: some tokens refuse to change one that is not.",
    });
    expect(await explain(5n, 0n, 6n)).to.include({ reproduced: false });
  });
});

const nobody = `0x${"ab".repeat(32)}`;

describe("explainFailure of a request", () => {
  let read: GetFailedRequests;
  const fixture = useEmulator();
  before(async () => {
    const { apiKeys, apiUrl } = fixture.emulator.info;
    const client = createClient({ apiKey: apiKeys[0]?.key, baseUrl: apiUrl });
    read = (query) => getRequests(client, query);
  });

  async function failedRequest() {
    const { quote, txs } = await quoteRevokedAllowance(fixture);
    await deposit(fixture, orderIdOf(quote));
    await refunded(fixture, quote);
    return { requestId: idOf(quote), txs };
  }

  it("reads the request's record, simulates its call, and names the failed entry of `txs`", async () => {
    const { requestId, txs } = await failedRequest();
    const explained = await explainFailure(fixture.beta.reader, { getRequests: read, requestId, txs });
    expect(explained).to.include({
      failedTxHash: undefined,
      failReason: "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE",
      reproduced: true,
      txIndex: 0,
    });
    expect(explained.revert?.name).to.equal("ERC20InsufficientAllowance");
    expect(explained.fix).to.match(/^Approve the contract/);
    const upper = `0x${requestId.slice(2).toUpperCase()}`;
    const again = await explainFailure(fixture.beta.reader, { getRequests: read, requestId: upper, txs });
    expect(again).to.deep.equal(explained);
  });

  it("names the transaction that was mined and reverted, and simulates it on the state before its block", async () => {
    const recipient = fresh();
    const quote = await quoteOf(fixture, { recipient });
    await revertFill(fixture, quote);
    const { failedTxHash } = await refunded(fixture, quote);
    const requestId = idOf(quote);
    const explained = await explainFailure(fixture.beta.reader, { getRequests: read, requestId });
    expect(explained).to.include({ failedTxHash, failReason: "TRANSACTION_REVERTED", reproduced: true });
    await setCode(fixture.beta, recipient, "0x");
  });

  it("simulates the transaction of `failedTxHash` when the record has no call", async () => {
    const quote = await quoteOf(fixture);
    await revertFill(fixture, quote);
    const { failedTxHash } = await refunded(fixture, quote);
    const requestId = idOf(quote);
    const withCall = await explainFailure(fixture.beta.reader, { getRequests: read, requestId });
    const without: GetFailedRequests = async (query) => {
      const { requests } = await read(query);
      const bare = { failedCallData: null, failedTxBlockNumber: null };
      return { requests: requests.map((request) => ({ ...request, data: { ...request.data, ...bare } })) };
    };
    const explained = await explainFailure(fixture.beta.reader, { getRequests: without, requestId });
    expect(explained).to.deep.equal(withCall);
    expect(
      await explainFailure(fixture.beta.reader, { failedTxHash, failReason: "TRANSACTION_REVERTED" }),
    ).to.deep.equal(explained);
  });

  it("names an invalid id, reader or record, and rethrows the reader's error", async () => {
    const requestId = nobody;
    const cases: [parameters: object, parameter: string][] = [
      [{ getRequests: read, requestId }, "requestId"],
      [{ getRequests: read, requestId: "0x1" }, "requestId"],
      [{ getRequests: read, requestId: 7 }, "requestId"],
      [{ requestId }, "getRequests"],
      [{ getRequests: "GET", requestId }, "getRequests"],
      [{ getRequests: async () => undefined, requestId }, "getRequests"],
      [{ getRequests: async () => ({ requests: {} }), requestId }, "getRequests"],
      [{ getRequests: async () => ({ requests: [null] }), requestId }, "getRequests[0]"],
      [{ getRequests: async () => ({ requests: [{ data: 1, id: requestId }] }), requestId }, "getRequests"],
      [recordOf({ failReason: 1 }), "failReason"],
      [recordOf({ failedTxBlockNumber: -1 }), "failedTxBlockNumber"],
      [
        recordOf({ failedCallData: { data: "0x", from: "0x1", to: nobody.slice(0, 42) } }),
        "failedCallData.from",
      ],
    ];
    for (const [parameters, parameter] of cases) {
      const error = await failureOf(explainFailure(fixture.beta.reader, parameters));
      expect(error, parameter).to.include({ code: "INVALID_PARAMETER", parameter });
    }
    const keyless = createClient({ baseUrl: fixture.emulator.info.apiUrl });
    const refused = explainFailure(fixture.beta.reader, {
      getRequests: (query) => getRequests(keyless, query),
      requestId,
    });
    expect(await failureOf(refused)).to.include({ code: "HTTP_ERROR", status: 401 });
  });
});

/** A reader whose one record holds `data`. */
function recordOf(data: object) {
  return { getRequests: async () => ({ requests: [{ data, id: nobody }] }), requestId: nobody };
}
