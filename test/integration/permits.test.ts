import { expect } from "chai";
import { encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi, parseSignature } from "viem";
import { routerVersions } from "../../emulator/store/Intent.ts";
import type { Quote } from "../../src/client/index.ts";
import { type EmulatorFixture, startFixture } from "../helpers/emulatorFixture.ts";
import { setCode } from "../helpers/failureStage.ts";
import {
  carryOut,
  endOf,
  fiftyDollars,
  lastTransaction,
  movePool,
  quoteFor,
  recipient,
  refusalOf,
  requestIdOf,
  sendAs,
} from "../helpers/intents.ts";
import {
  deployedCode,
  giveAuthorizations,
  signatureOf,
  signed,
  signedCurrencies,
  signQuote,
} from "../helpers/permits.ts";
import { historyOf, reached } from "../helpers/requestHistory.ts";

const permitAbi = parseAbi([
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
]);
/** What everybody answers with who may not pay. */
type Refusal = { readonly status: number; readonly body: Record<string, unknown> };

for (const routerVersion of routerVersions) {
  describe(`paying by signature, on ${routerVersion}`, () => {
    let fixture: EmulatorFixture;
    before(async () => {
      fixture = await startFixture({ routerVersion });
    });
    after(() => fixture.stop());

    for (const way of ["permit", "permit2", "eip3009"] as const) {
      it(`with ${way} by our own client: the money is there when execute resolves`, async () => {
        const { alpha, beta } = fixture;
        const restore = way === "eip3009" ? await giveAuthorizations(alpha) : async () => {};
        const quote = await quoteFor(fixture, signed(way, "WETH"));
        const paidWith = alpha.currency(signedCurrencies[way]);
        const user = alpha.wallet(0).account.address;
        const held = await alpha.balanceOf(paidWith, user);
        const had = await beta.balanceOf(beta.currency("WETH"), recipient);
        await carryOut(fixture, quote);
        const got = (await beta.balanceOf(beta.currency("WETH"), recipient)) - had;
        expect(got.toString()).to.equal(quote.details?.currencyOut.amount);
        expect(held - (await alpha.balanceOf(paidWith, user))).to.equal(fiftyDollars(signedCurrencies[way]));
        await restore();
      });
    }

    it("takes an exact output, and a swap of the wrapped native currency", async () => {
      const { beta } = fixture;
      const had = await beta.balanceOf(beta.currency("USDC"), recipient);
      const quote = await quoteFor(fixture, {
        from: "WETH",
        to: "USDC",
        tradeType: "EXACT_OUTPUT",
        usePermit: true,
      });
      expect(quote.steps.map(({ id }) => id)).to.deep.equal(["approve", "authorize"]);
      await carryOut(fixture, quote);
      const got = (await beta.balanceOf(beta.currency("USDC"), recipient)) - had;
      expect(got).to.equal(fiftyDollars("USDC"));
    });

    it("names the way, what it is for and the request in what is posted", async () => {
      const bridge = await quoteFor(fixture, signed("permit"));
      const swap = await quoteFor(fixture, signed("permit2"));
      for (const [quote, kind, api] of [
        [bridge, "permit", "bridge"],
        [swap, "permit2", "swap"],
      ] as const) {
        expect(signatureOf(quote).post).to.deep.equal({
          body: { api, kind, requestId: requestIdOf(quote) },
          endpoint: "/execute/permits",
          method: "POST",
        });
      }
      const { proxy, request } = { proxy: proxyOf(fixture), request: signatureOf(swap).sign };
      expect(request.domain).to.deep.equal({
        chainId: fixture.alpha.info.id,
        name: "Permit2",
        verifyingContract: fixture.alpha.info.contracts.permit2,
      });
      expect(String(request.value.spender).toLowerCase()).to.equal(proxy.toLowerCase());
    });

    it("takes money by a permit that somebody brought to the token first", async () => {
      const { alpha } = fixture;
      const quote = await quoteFor(fixture, signed("permit"));
      const { account } = alpha.wallet(0);
      const signature = await signQuote(account, quote);
      const { r, s, yParity } = parseSignature(signature);
      const { deadline, spender, value } = signatureOf(quote).sign.value as Record<string, string>;
      const args = [account.address, spender, BigInt(value ?? 0), BigInt(deadline ?? 0), 27 + yParity, r, s];
      await sendAs(alpha, 5, {
        data: encodeFunctionData({ abi: permitAbi, args, functionName: "permit" } as never),
        to: alpha.currency("USDC"),
      });
      const { body } = await post(fixture, quote, signature);
      const [step] = body.steps as Quote["steps"];
      expect(step?.id).to.equal("deposit");
      await sendAs(alpha, 0, lastTransaction({ ...quote, steps: [step as Quote["steps"][number]] }));
      expect((await reached(fixture.emulator, requestIdOf(quote), "success", "failure")).status).to.equal(
        "success",
      );
    });

    function proxyOf({ alpha }: EmulatorFixture): Hex {
      const { approvalProxy, v3 } = alpha.info.contracts;
      return routerVersion === "v3" ? v3.approvalProxy : approvalProxy;
    }
  });
}

/** Hands a signature in as it is. */
async function post(
  { emulator }: EmulatorFixture,
  quote: Quote,
  signature: string,
  change: Record<string, unknown> = {},
): Promise<Refusal> {
  const { body } = signatureOf(quote).post;
  const answer = await fetch(`${emulator.info.apiUrl}/execute/permits?signature=${signature}`, {
    body: JSON.stringify({ ...body, ...change }),
    headers: { "content-type": "application/json" },
    method: "POST",
  });
  return { body: (await answer.json()) as Record<string, unknown>, status: answer.status };
}

describe("a signature that pays", () => {
  let fixture: EmulatorFixture;
  before(async () => {
    fixture = await startFixture();
    await sendAs(fixture.alpha, 0, {
      data: encodeFunctionData({
        abi: erc20Abi,
        args: [fixture.alpha.info.contracts.permit2, maxUint256],
        functionName: "approve",
      }),
      to: fixture.alpha.currency("USDT"),
    });
  });
  after(() => fixture.stop());

  const own = (quote: Quote) => signQuote(fixture.alpha.wallet(0).account, quote);

  /** Waits for what the service does by itself, so that no test sees another's money move. */
  async function ended(quote: Quote): Promise<void> {
    const { kind } = signatureOf(quote).post.body as { kind: string };
    if (kind !== "permit") await reached(fixture.emulator, requestIdOf(quote), "success");
  }

  async function expectRefused(quote: Quote, refusal: Refusal, message: string): Promise<void> {
    expect(refusal).to.deep.equal({ body: { message }, status: 400 });
    expect((await historyOf(fixture.emulator, requestIdOf(quote))).status).to.equal("waiting");
  }

  it("is answered without steps where the service sends the deposit, and with the user's own otherwise", async () => {
    const gasless = await quoteFor(fixture, signed("permit2"));
    expect(await post(fixture, gasless, await own(gasless))).to.deep.equal({
      body: { message: "Success" },
      status: 200,
    });
    const history = await reached(fixture.emulator, requestIdOf(gasless), "success", "failure", "refund");
    expect(history.events.map(({ status }) => status)).to.deep.equal([
      "waiting",
      "depositing",
      "pending",
      "submitted",
      "success",
    ]);
    const sent = await quoteFor(fixture, signed("permit"));
    const { body, status } = await post(fixture, sent, await own(sent));
    expect(status).to.equal(200);
    expect((body.steps as Quote["steps"]).map(({ id, kind }) => [id, kind])).to.deep.equal([
      ["deposit", "transaction"],
    ]);
    expect((await historyOf(fixture.emulator, requestIdOf(sent))).status).to.equal("waiting");
  });

  for (const way of ["permit", "permit2"] as const) {
    it(`is refused from somebody else than the user, and for other money, with ${way}`, async () => {
      const quote = await quoteFor(fixture, signed(way));
      const message = "The signature is not the user's signature of what was quoted";
      const foreign = await signQuote(fixture.alpha.wallet(1).account, quote);
      await expectRefused(quote, await post(fixture, quote, foreign), message);
      const other = await quoteFor(fixture, { ...signed(way), amount: fiftyDollars("USDC") - 1n });
      await expectRefused(quote, await post(fixture, quote, await own(other)), message);
      await expectRefused(quote, await post(fixture, quote, `0x${"11".repeat(65)}`), message);
      // None of that used it up.
      expect((await post(fixture, quote, await own(quote))).status).to.equal(200);
      await ended(quote);
    });

    it(`is taken once, with ${way}`, async () => {
      const quote = await quoteFor(fixture, signed(way));
      const signature = await own(quote);
      const answers = await Promise.all([1, 2, 3].map(() => post(fixture, quote, signature)));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400, 400]);
      const refused = { body: { message: "The request has its signature already" }, status: 400 };
      expect(await post(fixture, quote, signature)).to.deep.equal(refused);
      await ended(quote);
    });
  }

  it("takes the same money once, however often it is handed in", async () => {
    const { alpha } = fixture;
    const user = alpha.wallet(0).account.address;
    const held = await alpha.balanceOf(alpha.currency("USDT"), user);
    const quote = await quoteFor(fixture, signed("permit2"));
    const signature = await own(quote);
    await Promise.all([1, 2, 3, 4, 5].map(() => post(fixture, quote, signature)));
    const history = await reached(fixture.emulator, requestIdOf(quote), "success");
    expect(history.deposits).to.have.length(1);
    expect(history.children).to.deep.equal([]);
    expect(held - (await alpha.balanceOf(alpha.currency("USDT"), user))).to.equal(fiftyDollars("USDT"));
  });

  it("is refused for a request that is not there, or was not to be paid so", async () => {
    const quote = await quoteFor(fixture, signed("permit2"));
    const signature = await own(quote);
    const requestId = `0x${"99".repeat(32)}`;
    await expectRefused(quote, await post(fixture, quote, signature, { requestId }), "Request not found");
    const plain = await quoteFor(fixture, { from: "USDT", to: "USDC" });
    const instead = { requestId: requestIdOf(plain) };
    await expectRefused(
      plain,
      await post(fixture, quote, signature, instead),
      "The request was not quoted with `usePermit`",
    );
  });

  it("is refused as another kind, or for something else", async () => {
    const quote = await quoteFor(fixture, signed("permit2"));
    const signature = await own(quote);
    for (const kind of ["eip3009", "permit", "claim", "unheard-of"]) {
      await expectRefused(
        quote,
        await post(fixture, quote, signature, { kind }),
        `The request takes a signature of kind permit2, not ${kind}`,
      );
    }
    await expectRefused(
      quote,
      await post(fixture, quote, signature, { api: "bridge" }),
      "The request is for api swap, not bridge",
    );
  });

  it("is refused when it is none, or without one", async () => {
    const quote = await quoteFor(fixture, signed("permit2"));
    for (const signature of ["", "0x", "0x12"]) {
      const { body, status } = await post(fixture, quote, signature);
      expect(status).to.equal(400);
      expect(body.message).to.match(/Invalid request: `signature`/);
    }
  });

  it("is refused when the request was paid in another way", async () => {
    const quote = await quoteFor(fixture, signed("permit"));
    const { alpha } = fixture;
    const { depository } = alpha.info.contracts;
    const orderId = quote.protocol?.v2?.orderId as Hex;
    const amount = fiftyDollars("USDC");
    const transfer = encodeFunctionData({
      abi: erc20Abi,
      args: [depository, amount],
      functionName: "transfer",
    });
    await sendAs(alpha, 0, { data: `${transfer}${orderId.slice(2)}`, to: alpha.currency("USDC") });
    await reached(fixture.emulator, requestIdOf(quote), "success");
    expect(await post(fixture, quote, await own(quote))).to.deep.equal({
      body: { message: "The request takes no signature any more: it is success" },
      status: 400,
    });
  });

  it("is asked for with the quote's own time limit, and nothing for the gas of the user", async () => {
    const quote = await quoteFor(fixture, { ...signed("permit2"), permitExpiry: 77 });
    const { timestamp } = await fixture.alpha.reader.getBlock();
    const { deadline } = signatureOf(quote).sign.value as { deadline: string };
    const now = Math.max(Number(timestamp), Math.floor(Date.now() / 1_000));
    expect(Number(deadline) - now).to.be.within(70, 77);
    expect(quote.fees.gas?.amount).to.equal("0");
    const sentByUser = await quoteFor(fixture, { from: "USDT", to: "USDC" });
    expect(
      BigInt(quote.fees.relayerGas?.amount ?? 0) > BigInt(sentByUser.fees.relayerGas?.amount ?? 0),
    ).to.equal(true);
  });

  it("is not asked for where the user pays with native currency", async () => {
    const quote = await quoteFor(fixture, { from: "ETH", to: "ETH", usePermit: true });
    expect(quote.steps.map(({ id }) => id)).to.deep.equal(["deposit"]);
    expect((await endOf(fixture, quote)).status).to.equal("success");
  });

  it("cannot be asked for where everything stays on its chain", async () => {
    for (const [from, to] of [
      ["USDC", "ETH"],
      ["USDT", "USDC"],
      ["WETH", "ETH"],
      ["USDC", "USDC"],
    ] as const) {
      expect(await refusalOf(fixture, { from, sameChain: true, to, usePermit: true })).to.equal(
        "UNSUPPORTED_EXECUTION_TYPE",
      );
    }
  });

  it("fails with SLIPPAGE when the pool moved before the deposit could be made, and moves nothing", async () => {
    const { alpha } = fixture;
    const user = alpha.wallet(0).account.address;
    const quote = await quoteFor(fixture, signed("permit2"));
    await movePool(alpha, "USDT", "USDC", 10n);
    const held = await alpha.balanceOf(alpha.currency("USDT"), user);
    expect((await post(fixture, quote, await own(quote))).status).to.equal(200);
    const history = await reached(fixture.emulator, requestIdOf(quote), "failure", "success", "refund");
    expect(history).to.include({ failReason: "SLIPPAGE", status: "failure" });
    expect(history.details).to.match(/^Transaction failed: /);
    expect(await alpha.balanceOf(alpha.currency("USDT"), user)).to.equal(held);
    await fixture.emulator.control.prices.repegPools(alpha.info.id);
  });

  it("is asked of the user's own code where he has some, with Permit2", async () => {
    const { alpha } = fixture;
    const wallet = alpha.wallet(3);
    const { permit2 } = alpha.info.contracts;
    const approve = encodeFunctionData({
      abi: erc20Abi,
      args: [permit2, maxUint256],
      functionName: "approve",
    });
    await sendAs(alpha, 3, { data: approve, to: alpha.currency("USDT") });
    const { address } = wallet.account;
    const keeper = alpha.wallet(4).account;
    await setCode(alpha, address, await deployedCode(alpha, "mocks/ContractSigner", [keeper.address]));
    const quote = await quoteFor(fixture, { ...signed("permit2"), user: address });
    await expectRefused(
      quote,
      await post(fixture, quote, await signQuote(wallet.account, quote)),
      "The signature is not the user's signature of what was quoted",
    );
    const held = await alpha.balanceOf(alpha.currency("USDT"), address);
    expect((await post(fixture, quote, await signQuote(keeper, quote))).status).to.equal(200);
    await ended(quote);
    expect(held - (await alpha.balanceOf(alpha.currency("USDT"), address))).to.equal(fiftyDollars("USDT"));
  });

  it("is refused after its time", async () => {
    const quote = await quoteFor(fixture, { ...signed("permit2"), permitExpiry: 30 });
    const signature = await own(quote);
    await fixture.emulator.control.clock.advance(31_000);
    await expectRefused(quote, await post(fixture, quote, signature), "The permit has expired");
  });
});
