import { expect } from "chai";
import { encodeFunctionData, type Hex, parseAbi, parseSignature } from "viem";
import { routerVersions } from "../../../emulator/chains/Chain.ts";
import type { Quote } from "../../../src/client/index.ts";
import { type EmulatorFixture, useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { gained } from "../../helpers/localChain.ts";
import {
  carryOut,
  fiftyDollars,
  lastTransaction,
  movePool,
  quoteFor,
  recipient,
  refusalOf,
  requestIdOf,
  sendAs,
} from "../../helpers/quotes/intents.ts";
import {
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

    // @spec step/ids
    it("a signature pays for an exact output, and for a swap of the wrapped native currency", async () => {
      const { beta } = fixture;
      const wanted = { from: "WETH", to: "USDC", tradeType: "EXACT_OUTPUT", usePermit: true } as const;
      const quote = await quoteFor(fixture, wanted);
      expect(quote.steps.map(({ id }) => id)).to.deep.equal(["approve", "authorize"]);
      const got = await gained(beta, beta.currency("USDC"), recipient, () => carryOut(fixture, quote));
      expect(got).to.equal(fiftyDollars("USDC"));
    });

    it("a signature for an exact output over a moved pool: delivers it, and the user keeps what the pool leaves", async () => {
      const { alpha, beta } = fixture;
      const wanted = { from: "USDT", to: "USDC", tradeType: "EXACT_OUTPUT", usePermit: true } as const;
      const quote = await quoteFor(fixture, wanted);
      await movePool(alpha, "USDT", "USDC", 1n);
      const user = alpha.wallet(0).account.address;
      const held = await alpha.balanceOf(alpha.currency("USDT"), user);
      const got = await gained(beta, beta.currency("USDC"), recipient, () => carryOut(fixture, quote));
      const paid = held - (await alpha.balanceOf(alpha.currency("USDT"), user));
      const { currencyIn, route } = quote.details;
      expect(got).to.equal(fiftyDollars("USDC"));
      expect(paid < BigInt(currencyIn.amount)).to.equal(true);
      expect(paid > BigInt(route?.origin?.inputCurrency?.amount ?? 0n)).to.equal(true);
      expect(await alpha.balanceOf(alpha.currency("USDT"), routerOf(fixture))).to.equal(0n);
    });

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

    it("a signature executes calls on the same chain, and is not offered where they would revert", async () => {
      const { alpha } = fixture;
      const token = alpha.currency("USDC");
      const amount = fiftyDollars("USDC");
      const wanted = { from: "USDT", sameChain: true, to: "USDC", tradeType: "EXACT_OUTPUT" } as const;
      const paying = (units: bigint) => {
        const data = erc20Data("transfer", recipient, units);
        return { ...wanted, txs: [{ data, to: token, value: 0n }], usePermit: true };
      };
      const quote = await quoteFor(fixture, paying(amount));
      expect(await gained(alpha, token, recipient, () => carryOut(fixture, quote))).to.equal(amount);
      expect(await refusalOf(fixture, paying(amount + 1n))).to.equal("DESTINATION_TX_FAILED");
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
