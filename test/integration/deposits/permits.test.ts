import { expect } from "chai";
import { encodeFunctionData, type Hex, maxUint256, parseAbi, parseSignature } from "viem";
import { routerVersions } from "../../../emulator/chains/Chain.ts";
import type { Quote } from "../../../src/client/index.ts";
import { type EmulatorFixture, useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { gained, setCode } from "../../helpers/localChain.ts";
import {
  carryOut,
  endOf,
  fiftyDollars,
  lastTransaction,
  movePool,
  quoteFor,
  recipient,
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

const permitAbi = parseAbi([
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
]);

for (const routerVersion of routerVersions) {
  describe(`paying by signature, on ${routerVersion}`, () => {
    const fixture = useEmulator({ routerVersion });

    for (const way of ["permit", "permit2", "eip3009"] as const) {
      // @spec endpoints/permits
      it(`our client pays with ${way}: the money has arrived when execute resolves`, async () => {
        const { alpha, beta } = fixture;
        const restore = way === "permit" ? await takeAuthorizations(alpha) : async () => {};
        const quote = await quoteFor(fixture, signed(way, "WETH"));
        const paidWith = alpha.currency(signedCurrencies[way]);
        const user = alpha.wallet(0).account.address;
        const held = await alpha.balanceOf(paidWith, user);
        const got = await gained(beta, beta.currency("WETH"), recipient, () => carryOut(fixture, quote));
        expect(got.toString()).to.equal(quote.details?.currencyOut.amount);
        expect(held - (await alpha.balanceOf(paidWith, user))).to.equal(fiftyDollars(signedCurrencies[way]));
        await restore();
      });
    }

    // @spec state/depositing
    it("a signature executes same-chain requests: swaps, unwrapping and sending, with fees", async () => {
      const { alpha } = fixture;
      const user = alpha.wallet(0).account.address;
      for (const [from, to, fee] of [
        ["USDT", "WETH", "0"],
        ["WETH", "ETH", "25"],
        ["USDC", "USDC", "0"],
        ["USDC", "ETH", "10"],
      ] as const) {
        const appFees = fee === "0" ? [] : [{ fee, recipient: user }];
        const quote = await quoteFor(fixture, { appFees, from, sameChain: true, to, usePermit: true });
        expect(quote.steps.at(-1)?.id).to.equal("authorize");
        const kind = from === "USDC" ? "eip3009" : "permit2";
        expect(signatureOf(quote).post.body).to.include({ api: "user-swap", kind });
        const held = await alpha.balanceOf(alpha.currency(from), user);
        const got = await gained(alpha, alpha.currency(to), recipient, () => carryOut(fixture, quote));
        expect(got.toString(), `${from} to ${to}`).to.equal(quote.details?.currencyOut.amount);
        expect(held - (await alpha.balanceOf(alpha.currency(from), user))).to.equal(fiftyDollars(from));
        const history = await historyOf(fixture.emulator, requestIdOf(quote));
        expect(history.events.map(({ status }) => status)).to.deep.equal([
          "waiting",
          "depositing",
          "success",
        ]);
        expect(await alpha.balanceOf(alpha.currency(from), routerOf(fixture))).to.equal(0n);
      }
    });

    // @spec step/signature
    it("the posted signature names its way, its purpose and the request", async () => {
      const bridge = await quoteFor(fixture, signed("eip3009"));
      const swap = await quoteFor(fixture, signed("permit2"));
      for (const [quote, kind, api] of [
        [bridge, "eip3009", "bridge"],
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

    it("a permit that another account submitted to the token first still pays", async () => {
      const { alpha } = fixture;
      const restore = await takeAuthorizations(alpha);
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
      const { body } = await postSignature(fixture, quote, signature);
      const [step] = body.steps as Quote["steps"];
      expect(step?.id).to.equal("deposit");
      await sendAs(alpha, 0, lastTransaction({ ...quote, steps: [step as Quote["steps"][number]] }));
      expect((await reached(fixture.emulator, requestIdOf(quote), "success", "failure")).status).to.equal(
        "success",
      );
      await restore();
    });

    function routerOf({ alpha }: EmulatorFixture): Hex {
      const { erc20Router, v3 } = alpha.info.contracts;
      return routerVersion === "v3" ? v3.erc20Router : erc20Router;
    }

    function proxyOf({ alpha }: EmulatorFixture): Hex {
      const { approvalProxy, v3 } = alpha.info.contracts;
      return routerVersion === "v3" ? v3.approvalProxy : approvalProxy;
    }
  });
}

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
});
