import { expect } from "chai";
import type { Hex } from "viem";
import { executeGasless, getStatus, waitForRequest } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { setCode } from "../../helpers/localChain.ts";
import { callsOf, gaslessBody, postExecute, signBatch, unfundedUser } from "../../helpers/quotes/gasless.ts";
import {
  fiftyDollars,
  finalStatus,
  quoteFor,
  recipient,
  requestIdOf,
  sendAs,
} from "../../helpers/quotes/intents.ts";
import { asIntegrator } from "../../helpers/quotes/sponsors.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";
import { historyOf } from "../../helpers/requests/requestHistory.ts";

describe("calls that the service executes", () => {
  const fixture = useEmulator();
  let users = 200;

  async function fundedUser() {
    const { alpha } = fixture;
    const user = unfundedUser(++users);
    const data = erc20Data("transfer", user.address, fiftyDollars("USDC"));
    await sendAs(alpha, 0, { data, to: alpha.currency("USDC") });
    return user;
  }

  async function payment() {
    const user = await fundedUser();
    const quote = await quoteFor(fixture, { from: "USDC", to: "USDC", user: user.address });
    const requestId = requestIdOf(quote);
    return {
      body: await gaslessBody(user, fixture.alpha, callsOf(quote), { requestId }),
      quote,
      requestId,
      user,
    };
  }

  const solverNonce = () =>
    fixture.alpha.reader.getTransactionCount({ address: fixture.emulator.info.solver });

  // @spec endpoints/execute
  it("our client pays for a quote: the recipient has the output, and the user no native currency", async () => {
    const { alpha, beta, client } = asIntegrator(fixture);
    const { body, quote, requestId, user } = await payment();
    const had = await beta.balanceOf(beta.currency("USDC"), recipient);
    const { executionKind: _, ...parameters } = body;
    const answer = await executeGasless(client, parameters);
    expect(answer).to.deep.equal({ message: "Transaction submitted", requestId });
    await waitForRequest(client, { requestId });
    const gained = (await beta.balanceOf(beta.currency("USDC"), recipient)) - had;
    expect(gained.toString()).to.equal(quote.details?.currencyOut?.amount);
    expect(await alpha.reader.getBalance({ address: user.address })).to.equal(0n);
  });

  it("the same body three times at once and again later: has the same answer and pays once", async () => {
    const { alpha } = fixture;
    const { body, requestId, user } = await payment();
    const nonce = await solverNonce();
    const answers = await Promise.all([1, 2, 3].map(() => postExecute(fixture, body)));
    await finalStatus(fixture, requestId);
    answers.push(await postExecute(fixture, body));
    const inCapitals = {
      ...body,
      data: { ...body.data, data: `0x${body.data.data.slice(2).toUpperCase()}` },
    };
    answers.push(await postExecute(fixture, inCapitals));
    for (const answer of answers) {
      expect(answer).to.deep.equal({ body: { message: "Transaction submitted", requestId }, status: 200 });
    }
    expect(await solverNonce()).to.equal(nonce + 1);
    expect(await alpha.balanceOf(alpha.currency("USDC"), user.address)).to.equal(0n);
    const { deposits, status } = await historyOf(fixture.emulator, requestId);
    expect(deposits.map(({ outcome }) => outcome)).to.deep.equal(["accepted"]);
    expect(status).to.equal("success");
  });

  it("calls without a request: are executed as a request of their own, once for equal calls", async () => {
    const { alpha, client } = fixture;
    const user = await fundedUser();
    const usdc = alpha.currency("USDC");
    const send = { data: erc20Data("transfer", recipient, 7n), to: usdc, value: 0n };
    const body = await gaslessBody(user, alpha, [send]);
    const had = await alpha.balanceOf(usdc, recipient);
    const answers = await Promise.all([postExecute(fixture, body), postExecute(fixture, body)]);
    const [first, second] = answers;
    expect(first?.status, JSON.stringify(first?.body)).to.equal(200);
    expect(second).to.deep.equal(first);
    const requestId = first?.body.requestId as `0x${string}`;
    const { inTxHashes, status, txHashes } = await finalStatus(fixture, requestId);
    expect(status).to.equal("success");
    expect(txHashes).to.deep.equal(inTxHashes);
    expect((await alpha.balanceOf(usdc, recipient)) - had).to.equal(7n);
    expect(await postExecute(fixture, body)).to.deep.equal(first);
    expect(await alpha.balanceOf(usdc, user.address)).to.equal(fiftyDollars("USDC") - 7n);
    expect(await getStatus(client, { requestId })).to.include({
      destinationChainId: alpha.info.id,
      originChainId: alpha.info.id,
    });
  });

  it("calls that make no deposit: end their request in failure, though they succeed", async () => {
    const { alpha } = fixture;
    const { body, requestId, user } = await payment();
    const send = { data: erc20Data("transfer", recipient, 1n), to: alpha.currency("USDC"), value: 0n };
    const data = await signBatch(user, alpha.info.id, [send]);
    const answer = await postExecute(fixture, { ...body, data: { ...body.data, data } });
    expect(answer.status).to.equal(200);
    expect(await finalStatus(fixture, requestId)).to.include({
      details: "Transaction failed: the calls made no deposit for the request",
      failReason: "INCORRECT_PAYMENT",
      status: "failure",
    });
  });

  it("a deposit one unit below the quote's minimum: is refunded to the user", async () => {
    const { alpha } = fixture;
    const { body, quote, requestId, user } = await payment();
    const [approve, deposit] = callsOf(quote);
    if (approve === undefined || deposit === undefined) throw new Error("the quote has no deposit");
    const word = (amount: bigint) => amount.toString(16).padStart(64, "0");
    const paid = fiftyDollars("USDC");
    const less = deposit.data.replace(word(paid), word(paid - 1n)) as `0x${string}`;
    expect(less).to.not.equal(deposit.data);
    const data = await signBatch(user, alpha.info.id, [approve, { ...deposit, data: less }]);
    await postExecute(fixture, { ...body, data: { ...body.data, data } });
    expect(await finalStatus(fixture, requestId)).to.include({
      failReason: "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL",
      status: "refund",
    });
  });

  // @spec record-v3/other-features
  it("the record of a gasless payment: has the feature, the referrer and the service's transaction", async () => {
    const { emulator } = fixture;
    const { body, requestId, user } = await payment();
    await postExecute(fixture, body);
    await finalStatus(fixture, requestId);
    const [key] = emulator.info.apiKeys;
    const answer = await fetch(
      `${emulator.info.apiUrl}/requests/v3?id=${requestId}&features=gasless_execution`,
      { headers: { "x-api-key": key?.key ?? "" } },
    );
    const { requests } = (await answer.json()) as {
      requests: { features: string[]; data: { inTxs: { data: { from: string; to: string } }[] } }[];
    };
    const [record] = requests;
    expect(record?.features).to.include("gasless_execution");
    expect(record?.data.inTxs.map(({ data }) => [data.from, data.to])).to.deep.equal([
      [emulator.info.solver.toLowerCase(), user.address.toLowerCase()],
    ]);
  });
});

/** Loops 100,000 times: about 2.6 million gas. */
const costly: Hex = "0x620186a05b6001900380600457600000";

describe("gas of calls that the service pays for", () => {
  const fixture = useEmulator({}, { each: true });
  let users = 400;

  const callBody = (to = fresh(), data: Hex = "0x") =>
    gaslessBody(unfundedUser(users++), fixture.alpha, [{ data, to, value: 0n }]);

  it("calls above the gas of one request: are refused, and nothing is sent", async () => {
    const { alpha, emulator } = fixture;
    const burner = fresh();
    await setCode(alpha, burner, costly);
    const nonce = () => alpha.reader.getTransactionCount({ address: emulator.info.solver });
    const before = await nonce();
    const { body, status } = await postExecute(fixture, await callBody(burner));
    expect([status, body["error"]]).to.deep.equal([400, "QUOTED_GAS_LIMIT_EXCEEDED"]);
    expect(await nonce()).to.equal(before);
  });

  it("calldata above 128 KiB: is refused with TRANSACTION_TOO_LARGE", async () => {
    const { body, status } = await postExecute(fixture, await callBody(fresh(), `0x${"00".repeat(132_000)}`));
    expect([status, body["error"]]).to.deep.equal([400, "TRANSACTION_TOO_LARGE"]);
  });
});
