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
import { fiftyDollars, quoteFor, requestIdOf, sendAs } from "../../helpers/quotes/intents.ts";

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

  it("an account without a delegation and without an authorization: is refused", async () => {
    const { body } = await payment();
    const { authorizationList: _, ...data } = body.data;
    expect((await refusalOf({ ...body, data })).error).to.match(/needs an `authorizationList`/);
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

  it("a user operation (ERC-4337) at an entry point: is refused, and the answer says so", async () => {
    const { body } = await payment();
    const entryPoint = "0x0000000071727De22E5E9d8BAf0edAc6f37da032";
    for (const handleOps of ["0x1fad948c", "0x765e827f"]) {
      const { requestId: _, ...rest } = body;
      const data = { chainId: fixture.alpha.info.id, data: handleOps, to: entryPoint, value: "0" };
      expect((await refusalOf({ ...rest, data } as never)).error).to.include("ERC-4337");
    }
  });

  it("a batch that sends ether which the user lacks: is refused, and the path leads to the call", async () => {
    const user = unfundedUser(52);
    const pay: BatchCall = { data: "0x", to: unfundedUser(0).address, value: parseEther("1") };
    const answer = await refusalOf(await gaslessBody(user, fixture.alpha, [pay]));
    expect(answer.error).to.equal("EXECUTION_REVERTED");
    expect(answer.message).to.match(/^The calls would fail: CallFailed/);
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
});
