import { expect } from "chai";
import { encodeFunctionData, erc20Abi, type Hex, type LocalAccount, parseEther } from "viem";
import { getStatus } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import {
  authorize,
  type BatchCall,
  type BatchChanges,
  callsOf,
  type Executed,
  gaslessBody,
  onWire,
  postExecute,
  unfundedUser,
} from "../../helpers/quotes/gasless.ts";
import { fiftyDollars, finalStatus, quoteFor, requestIdOf, sendAs } from "../../helpers/quotes/intents.ts";

/** A body with any fields. */
type Refused = {
  readonly data: { readonly to: Hex; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
};

describe("calls that the service refuses to execute", () => {
  const fixture = useEmulator();
  let users = 0;

  /** A new user with fifty dollars of USDC and no native currency. */
  async function fundedUser(): Promise<LocalAccount> {
    const { alpha } = fixture;
    const user = unfundedUser(++users);
    const data = erc20Data("transfer", user.address, fiftyDollars("USDC"));
    await sendAs(alpha, 0, { data, to: alpha.currency("USDC") });
    return user;
  }

  async function quoted(user: LocalAccount) {
    const quote = await quoteFor(fixture, { from: "USDC", to: "USDC", user: user.address });
    return { calls: callsOf(quote), requestId: requestIdOf(quote) };
  }

  /** The body of a quoted payment that the service would accept. */
  async function payment(changes: BatchChanges = {}) {
    const user = await fundedUser();
    const { calls, requestId } = await quoted(user);
    const body = await gaslessBody(user, fixture.alpha, calls, { ...changes, requestId });
    return { body, calls, requestId, user };
  }

  const solverNonce = () =>
    fixture.alpha.reader.getTransactionCount({ address: fixture.emulator.info.solver });

  /** Posts a body that must be refused, and expects that nothing was sent. */
  async function refusalOf(body: Refused): Promise<Executed["body"]> {
    const { alpha } = fixture;
    const held = () => alpha.balanceOf(alpha.currency("USDC"), body.data.to);
    const [nonce, before] = [await solverNonce(), await held()];
    const answer = await postExecute(fixture, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(400);
    expect(await solverNonce()).to.equal(nonce);
    expect(await held()).to.equal(before);
    return answer.body;
  }

  async function expectWaiting(requestId: Hex): Promise<void> {
    expect(await getStatus(fixture.client, { requestId })).to.include({ status: "waiting" });
  }

  it("an unknown chain: is refused", async () => {
    const { body } = await payment();
    const elsewhere = { ...body, data: { ...body.data, chainId: 1 } };
    expect(await refusalOf(elsewhere)).to.deep.equal({ error: "Chain 1 is not supported" });
  });

  it("an unknown request, another user's and one of another chain: are refused", async () => {
    const { body, requestId } = await payment();
    const foreign = await quoted(await fundedUser());
    expect((await refusalOf({ ...body, requestId: `0x${"12".repeat(32)}` })).error).to.match(/not found/);
    expect((await refusalOf({ ...body, requestId: foreign.requestId })).error).to.match(/user is/);
    const onBeta = { ...body, data: { ...body.data, chainId: fixture.beta.info.id } };
    expect((await refusalOf(onBeta)).error).to.match(/is paid on chain/);
    await expectWaiting(requestId);
    await expectWaiting(foreign.requestId);
  });

  it("an authorization for any chain: is accepted", async () => {
    const { body, requestId, user } = await payment();
    const authorizationList = [onWire(await authorize(user, fixture.alpha, { chainId: 0 }))];
    const answer = await postExecute(fixture, { ...body, data: { ...body.data, authorizationList } });
    expect(answer).to.deep.equal({ body: { message: "Transaction submitted", requestId }, status: 200 });
    expect((await finalStatus(fixture, requestId)).status).to.equal("success");
  });

  it("an account without a delegation and without an authorization: is refused", async () => {
    const { body } = await payment();
    const { authorizationList: _, ...data } = body.data;
    expect((await refusalOf({ ...body, data })).error).to.match(/needs an `authorizationList`/);
  });

  it("a value: is refused, because it would be the solver's", async () => {
    const { body, requestId } = await payment();
    const worth = { ...body, data: { ...body.data, value: "1" } };
    expect((await refusalOf(worth)).error).to.match(/`data.value` must be 0/);
    await expectWaiting(requestId);
  });

  it("calls of the solver itself, a token, a router or the depository: are refused, and spend nothing of it", async () => {
    const { alpha, emulator } = fixture;
    const { contracts } = alpha.info;
    const attacker = unfundedUser(50);
    const { solver } = emulator.info;
    const steal = encodeFunctionData({
      abi: erc20Abi,
      args: [attacker.address, 1n],
      functionName: "transfer",
    });
    const authorizationList = [onWire(await authorize(attacker, alpha))];
    const held = await alpha.balanceOf(alpha.currency("USDC"), solver);
    for (const to of [
      alpha.currency("USDC"),
      contracts.depository,
      contracts.erc20Router,
      contracts.multicall3,
      solver,
    ]) {
      for (const extra of [{}, { authorizationList }]) {
        const body = {
          data: { chainId: alpha.info.id, data: steal, to: to as Hex, value: "0", ...extra },
          executionKind: "rawCalls",
          executionOptions: { subsidizeFees: false },
        };
        const answer = await postExecute(fixture, body);
        expect(answer.status, to).to.equal(400);
      }
    }
    expect(await alpha.balanceOf(alpha.currency("USDC"), solver)).to.equal(held);
  });

  it("an account whose code calls tokens and routers as the solver's callee: moves nothing of the solver", async () => {
    const { alpha, emulator } = fixture;
    const { solver } = emulator.info;
    const user = unfundedUser(51);
    const usdc = alpha.currency("USDC");
    const take: BatchCall = {
      data: encodeFunctionData({
        abi: erc20Abi,
        args: [solver, user.address, 1n],
        functionName: "transferFrom",
      }),
      to: usdc,
      value: 0n,
    };
    const held = await alpha.balanceOf(usdc, solver);
    const { error } = await refusalOf(await gaslessBody(user, alpha, [take]));
    expect(error).to.equal("EXECUTION_REVERTED");
    expect(await alpha.balanceOf(usdc, solver)).to.equal(held);
  });

  it("a batch that sends ether which the user lacks: is refused, and the path leads to the call", async () => {
    const user = unfundedUser(52);
    const pay: BatchCall = { data: "0x", to: unfundedUser(0).address, value: parseEther("1") };
    const answer = await refusalOf(await gaslessBody(user, fixture.alpha, [pay]));
    expect(answer.error).to.equal("EXECUTION_REVERTED");
    expect(answer.message).to.match(/^The calls would fail: CallFailed/);
  });

  it("a payment one unit above the user's balance: is refused, and the path ends at the token", async () => {
    const { alpha } = fixture;
    const { calls, requestId, user } = await payment();
    const { data } = await gaslessBody(user, alpha, [
      { data: erc20Data("transfer", unfundedUser(0).address, 1n), to: alpha.currency("USDC"), value: 0n },
      ...calls,
    ]);
    const answer = await refusalOf({
      data,
      executionKind: "rawCalls",
      executionOptions: { subsidizeFees: false },
      requestId,
    });
    const { innermost, path, revert, topLevel } = answer.details as {
      innermost: { address: string };
      path: unknown[];
      revert: { name: string };
      topLevel: { address: string };
    };
    expect(topLevel.address.toLowerCase()).to.equal(user.address.toLowerCase());
    expect(innermost.address.toLowerCase()).to.equal(alpha.currency("USDC").toLowerCase());
    expect(path.length).to.be.greaterThan(1);
    expect(revert.name).to.equal("ERC20InsufficientBalance");
    await expectWaiting(requestId);
  });

  it("another batch for a paid request: is refused", async () => {
    const { body, calls, requestId, user } = await payment();
    await postExecute(fixture, body);
    expect((await finalStatus(fixture, requestId)).status).to.equal("success");
    const other = await gaslessBody(user, fixture.alpha, calls, { nonce: 1n, requestId });
    expect((await refusalOf(other)).error).to.match(/another payment already/);
  });

  it("a request quoted with usePermit: is refused", async () => {
    const { calls, user } = await payment();
    const quote = await quoteFor(fixture, { from: "USDC", to: "USDC", usePermit: true, user: user.address });
    const wrong = await gaslessBody(user, fixture.alpha, calls, { requestId: requestIdOf(quote) });
    expect((await refusalOf(wrong)).error).to.match(/usePermit/);
  });

  it("subsidized fees for a request that was quoted without them: are refused", async () => {
    const { body } = await payment();
    const options = { ...body.executionOptions, subsidizeFees: true };
    const { error } = await refusalOf({ ...body, executionOptions: options });
    expect(error).to.match(/not quoted with `subsidizeFees`/);
  });

  it("a request after its ttl: is refused", async () => {
    const user = await fundedUser();
    const quote = await quoteFor(fixture, { from: "USDC", to: "USDC", ttl: 1, user: user.address });
    const body = await gaslessBody(user, fixture.alpha, callsOf(quote), { requestId: requestIdOf(quote) });
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect((await refusalOf(body)).error).to.match(/has expired/);
  });

  it("a malformed body, calls for the destination and an unknown key: are answered with `error`", async () => {
    const { body } = await payment();
    expect((await refusalOf({ ...body, executionKind: "other" })).error).to.match(/executionKind/);
    const more = { ...body.executionOptions, destinationChainExecutionData: { calls: [] } };
    expect((await refusalOf({ ...body, executionOptions: more })).error).to.match(
      /destinationChainExecutionData/,
    );
    const answer = await fetch(`${fixture.emulator.info.apiUrl}/execute`, {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", "x-api-key": "unknown" },
      method: "POST",
    });
    expect(answer.status).to.equal(401);
    expect(await answer.json()).to.include({ error: "Unknown API key" });
  });

  it("calldata that the account did not sign: is refused, and its owner can still pay the request", async () => {
    const { alpha } = fixture;
    const user = await fundedUser();
    const first = await postExecute(fixture, await gaslessBody(user, alpha, []));
    expect((await finalStatus(fixture, first.body.requestId as Hex)).status).to.equal("success");
    const { calls, requestId } = await quoted(user);
    const body = { ...(await gaslessBody(user, alpha, calls, { nonce: 1n, requestId })) };
    for (const data of ["0xdeadbeef", "0x"] as const) {
      const junk = { ...body, data: { ...body.data, data } } as unknown as Refused;
      expect((await refusalOf(junk)).error).to.match(/signed batch/);
    }
    expect((await postExecute(fixture, body)).status).to.equal(200);
    expect((await finalStatus(fixture, requestId)).status).to.equal("success");
  });
});
