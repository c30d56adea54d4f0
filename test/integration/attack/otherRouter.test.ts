import { expect } from "chai";
import { encodeFunctionData, parseAbi } from "viem";
import { calls } from "../../../src/calls/calls.ts";
import { findQuoteMismatches } from "../../../src/calls/verifyQuote.ts";
import { getQuote } from "../../../src/client/index.ts";
import { execute } from "../../../src/execute/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { recipient } from "../../helpers/quotes/intents.ts";
import { policyOf, requestOf } from "../../helpers/quotes/quoteChanges.ts";

/** A2. The calls sweep one trusted router; the service lets the order be filled through the other. */
describe("attack: calls across chains on the other trusted router", () => {
  // An honest service that fills through the older router: both routers are in `trust`.
  const fixture = useEmulator({ routerVersion: "v2.1" });

  it("A2: leaves nothing on a router that anyone can take", async () => {
    const { alpha, beta } = fixture;
    const usdc = beta.currency("USDC");
    const { erc20Router: older, v3 } = beta.info.contracts;
    const { txs } = calls({ router: v3.erc20Router })
      .add({ data: erc20Data("approve", recipient, 0n), to: usdc, value: 0n })
      .sweepErc20s({ recipient, tokens: [usdc] });
    const request = requestOf(fixture, "USDC", "USDC", { txs });
    const quote = await getQuote(fixture.client, request);
    const verify = policyOf(fixture, quote);
    const found = await findQuoteMismatches({ ...verify, quote, request });
    if (found.length > 0) return;
    const before = await beta.balanceOf(usdc, recipient);
    await execute(fixture.client, {
      publicClient: alpha.reader,
      quote,
      request,
      verify,
      wallet: alpha.wallet(0),
    });
    const gained = (await beta.balanceOf(usdc, recipient)) - before;
    const left = await beta.balanceOf(usdc, older);
    // Anyone: account 7 sweeps the older router.
    const thief = beta.wallet(7);
    const taken = await beta.balanceOf(usdc, thief.account.address);
    const hash = await thief.sendTransaction({
      data: encodeFunctionData({
        abi: parseAbi(["function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts)"]),
        args: [[usdc], [thief.account.address], [0n]],
      }),
      to: older,
    } as never);
    await beta.reader.waitForTransactionReceipt({ hash });
    const stolen = (await beta.balanceOf(usdc, thief.account.address)) - taken;
    console.log({ gained, left, minimum: verify.minimumOutput, stolen });
    expect(stolen).to.equal(0n);
    expect(gained >= (verify.minimumOutput ?? 0n)).to.equal(true);
  });
});
