import { expect } from "chai";
import { type Hex, maxUint256 } from "viem";
import type { Quote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { setCode } from "../../helpers/localChain.ts";
import {
  endOf,
  fiftyDollars,
  movePool,
  quoteFor,
  requestIdOf,
  sendAs,
} from "../../helpers/quotes/intents.ts";
import {
  deployedCode,
  type Posted,
  postSignature,
  signatureOf,
  signed,
  signedCurrencies,
  signQuote,
  takeAuthorizations,
} from "../../helpers/quotes/permits.ts";
import { historyOf, reached } from "../../helpers/requests/requestHistory.ts";

describe("a signature that pays", () => {
  /** Restores ERC-3009 of USDC, which quotes prefer to its permits. */
  let takeBack: () => Promise<void>;
  const fixture = useEmulator();
  before(async () => {
    takeBack = await takeAuthorizations(fixture.alpha);
    await approvePermit2(0);
  });

  const approvePermit2 = (index: number) => {
    const { currency, info } = fixture.alpha;
    const data = erc20Data("approve", info.contracts.permit2, maxUint256);
    return sendAs(fixture.alpha, index, { data, to: currency("USDT") });
  };
  const own = (quote: Quote) => signQuote(fixture.alpha.wallet(0).account, quote);

  /** Waits for the service's own transactions, so that no test observes another's payments. */
  async function ended(quote: Quote): Promise<void> {
    const { kind } = signatureOf(quote).post.body as { kind: string };
    if (kind !== "permit") await reached(fixture.emulator, requestIdOf(quote), "success");
  }

  async function expectRefused(quote: Quote, refusal: Posted, message: string): Promise<void> {
    expect(refusal).to.deep.equal({ body: { message }, status: 400 });
    expect((await historyOf(fixture.emulator, requestIdOf(quote))).status).to.equal("waiting");
  }

  it("a signature is answered without steps where the service sends the deposit, else with the user's deposit", async () => {
    const gasless = await quoteFor(fixture, signed("permit2"));
    expect(await postSignature(fixture, gasless, await own(gasless))).to.deep.equal({
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
    const { body, status } = await postSignature(fixture, sent, await own(sent));
    expect(status).to.equal(200);
    expect((body.steps as Quote["steps"]).map(({ id, kind }) => [id, kind])).to.deep.equal([
      ["deposit", "transaction"],
    ]);
    expect((await historyOf(fixture.emulator, requestIdOf(sent))).status).to.equal("waiting");
  });

  // These tests come last, because they restore ERC-3009 of USDC for good.
  for (const way of ["permit", "permit2", "eip3009"] as const) {
    const quoted = async (more: object = {}) => {
      if (way === "eip3009") await takeBack();
      return quoteFor(fixture, { ...signed(way), ...more });
    };

    it(`a signature posted three times at once and again later has the same answer and pays once, with ${way}`, async () => {
      const { alpha, emulator } = fixture;
      const user = alpha.wallet(0).account.address;
      const paidWith = alpha.currency(signedCurrencies[way]);
      const held = await alpha.balanceOf(paidWith, user);
      const quote = await quoted({ permitExpiry: 30 });
      const signature = await own(quote);
      const post = async (given: Hex) => {
        const answer = await postSignature(fixture, quote, given);
        // Gas prices of the step are those of the moment.
        return JSON.parse(JSON.stringify(answer).replace(/"maxFeePerGas":"\d+",?/, "")) as Posted;
      };
      const answers = await Promise.all([1, 2, 3].map(() => post(signature)));
      for (const answer of answers) expect(answer).to.deep.equal({ body: answers[0]?.body, status: 200 });
      await ended(quote);
      const { children, deposits } = await historyOf(emulator, requestIdOf(quote));
      const count = way === "permit" ? 0n : 1n;
      expect([children.length, deposits.length]).to.deep.equal([0, Number(count)]);
      const paid = held - (await alpha.balanceOf(paidWith, user));
      expect(paid).to.equal(count * fiftyDollars(signedCurrencies[way]));
      await emulator.control.clock.advance(31_000);
      const upperCase: Hex = `0x${signature.slice(2).toUpperCase()}`;
      expect(await post(upperCase)).to.deep.equal(answers[0]);
      expect(await post(`0x${"11".repeat(65)}`)).to.deep.equal({
        body: { message: "The request has another signature already" },
        status: 400,
      });
    });
  }

  it("a signature for an unknown request, or one quoted without usePermit, is rejected", async () => {
    const quote = await quoteFor(fixture, signed("permit2"));
    const signature = await own(quote);
    const requestId = `0x${"99".repeat(32)}`;
    await expectRefused(
      quote,
      await postSignature(fixture, quote, signature, { requestId }),
      "Request not found",
    );
    const plain = await quoteFor(fixture, { from: "USDT", to: "USDC" });
    const instead = { requestId: requestIdOf(plain) };
    await expectRefused(
      plain,
      await postSignature(fixture, quote, signature, instead),
      "The request was not quoted with `usePermit`",
    );
  });

  it("a signature of another kind, or for another api, is rejected", async () => {
    const quote = await quoteFor(fixture, signed("permit2"));
    const signature = await own(quote);
    await expectRefused(
      quote,
      await postSignature(fixture, quote, signature, { kind: "claim" }),
      "The request is no claim of app fees",
    );
    for (const kind of ["eip3009", "permit", "unheard-of"]) {
      await expectRefused(
        quote,
        await postSignature(fixture, quote, signature, { kind }),
        `The request takes a signature of kind permit2, not ${kind}`,
      );
    }
    await expectRefused(
      quote,
      await postSignature(fixture, quote, signature, { api: "bridge" }),
      "The request is for api swap, not bridge",
    );
  });

  it("a signature for a request that was paid in another way is rejected", async () => {
    const quote = await quoteFor(fixture, signed("permit"));
    const { alpha } = fixture;
    const { depository } = alpha.info.contracts;
    const orderId = quote.protocol?.v2?.orderId as Hex;
    const amount = fiftyDollars("USDC");
    const transfer = erc20Data("transfer", depository, amount);
    await sendAs(alpha, 0, { data: `${transfer}${orderId.slice(2)}`, to: alpha.currency("USDC") });
    await reached(fixture.emulator, requestIdOf(quote), "success");
    expect(await postSignature(fixture, quote, await own(quote))).to.deep.equal({
      body: { message: "The request no longer accepts a signature: its status is success" },
      status: 400,
    });
  });

  // @spec calls/gasless
  it("a signature is valid until the quote's permitExpiry, and costs the user no gas", async () => {
    const chainSeconds = async () => {
      const { timestamp } = await fixture.alpha.reader.getBlock();
      return Math.max(Number(timestamp), Math.floor(fixture.emulator.control.clock.read().now / 1_000));
    };
    const before = await chainSeconds();
    const quote = await quoteFor(fixture, { ...signed("permit2"), permitExpiry: 77 });
    const { deadline } = signatureOf(quote).sign.value as { deadline: string };
    expect(Number(deadline)).to.be.within(before + 77, (await chainSeconds()) + 77);
    expect(quote.fees.gas?.amount).to.equal("0");
    const sentByUser = await quoteFor(fixture, { from: "USDT", to: "USDC" });
    expect(
      BigInt(quote.fees.relayerGas?.amount ?? 0) > BigInt(sentByUser.fees.relayerGas?.amount ?? 0),
    ).to.equal(true);
  });

  it("a quote of native currency asks for no signature", async () => {
    const quote = await quoteFor(fixture, { from: "ETH", to: "ETH", usePermit: true });
    expect(quote.steps.map(({ id }) => id)).to.deep.equal(["deposit"]);
    expect((await endOf(fixture, quote)).status).to.equal("success");
  });

  it("a pool that moved before the signed deposit: fails with SLIPPAGE, and moves nothing", async () => {
    const { alpha } = fixture;
    const user = alpha.wallet(0).account.address;
    const quote = await quoteFor(fixture, signed("permit2"));
    await movePool(alpha, "USDT", "USDC", 10n);
    const held = await alpha.balanceOf(alpha.currency("USDT"), user);
    expect((await postSignature(fixture, quote, await own(quote))).status).to.equal(200);
    const history = await reached(fixture.emulator, requestIdOf(quote), "failure", "success", "refund");
    expect(history).to.include({ failReason: "SLIPPAGE", status: "failure" });
    expect(history.details).to.match(/^Transaction failed: /);
    expect(await alpha.balanceOf(alpha.currency("USDT"), user)).to.equal(held);
    await fixture.emulator.control.prices.repegPools(alpha.info.id);
  });

  it("a contract user's code verifies the signature, with Permit2", async () => {
    const { alpha } = fixture;
    const wallet = alpha.wallet(3);
    await approvePermit2(3);
    const { address } = wallet.account;
    const keeper = alpha.wallet(4).account;
    await setCode(alpha, address, await deployedCode(alpha, "mocks/ContractSigner", [keeper.address]));
    const quote = await quoteFor(fixture, { ...signed("permit2"), user: address });
    await expectRefused(
      quote,
      await postSignature(fixture, quote, await signQuote(wallet.account, quote)),
      "The user did not sign the quoted permit with this signature",
    );
    const held = await alpha.balanceOf(alpha.currency("USDT"), address);
    expect((await postSignature(fixture, quote, await signQuote(keeper, quote))).status).to.equal(200);
    await ended(quote);
    expect(held - (await alpha.balanceOf(alpha.currency("USDT"), address))).to.equal(fiftyDollars("USDT"));
  });

  it("a signature after its deadline is rejected", async () => {
    const quote = await quoteFor(fixture, { ...signed("permit2"), permitExpiry: 30 });
    const signature = await own(quote);
    await fixture.emulator.control.clock.advance(31_000);
    await expectRefused(quote, await postSignature(fixture, quote, signature), "The permit has expired");
  });
});
