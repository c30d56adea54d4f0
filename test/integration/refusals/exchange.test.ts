import { expect } from "chai";
import { concatHex, type Hex, numberToHex } from "viem";
import { authorize, type Quote } from "../../../src/client/index.ts";
import { nonceMappingBody, nonceMappingTypedData } from "../../../src/perps/nonceMapping.ts";
import { readWithdrawal } from "../../../src/perps/readWithdrawal.ts";
import { sendAssetTypedData } from "../../../src/perps/sendAsset.ts";
import { flipS } from "../../helpers/flipS.ts";
import { isDocumented, useLedgers } from "../../helpers/ledgers.ts";
import { exchangeUrl, signer, signTransfer, withdrawalQuote } from "../../helpers/perps.ts";
import { refusalOf } from "../../helpers/quotes/bridgeIntent.ts";
import { orderIdOf } from "../../helpers/requests/failureStage.ts";

const dayMs = 86_400_000;

/** What an attacker changes between quote and signature, or between signature and post. */
type Statement = {
  readonly signedBy?: number;
  readonly domain?: object;
  readonly message?: object;
  readonly body?: object;
  readonly nonce?: number;
  readonly change?: (signature: Hex) => Hex;
};

describe("signatures for the perps exchange that are refused", () => {
  const fixture = useLedgers();
  let quote: Quote;
  before(async () => {
    quote = await withdrawalQuote(fixture);
  });
  afterEach(() => fixture.emulator.control.clock.resume());

  const nonceOf = () =>
    readWithdrawal({ now: fixture.emulator.control.clock.read().now, quote }).deposit.parameters.nonce;

  /** Signs and posts a nonce mapping that the service would accept without the changes. */
  async function state({ body, change, domain, message, nonce, signedBy = 0 }: Statement) {
    const { address } = fixture.alpha.wallet(0).account;
    const mapping = {
      ...{ chainId: fixture.alpha.info.id, depositor: address, orderId: orderIdOf(quote), wallet: address },
      nonce: BigInt(nonce ?? nonceOf()),
    };
    const data = nonceMappingTypedData(mapping);
    const signature = await signer(fixture, signedBy).signTypedData({
      ...data,
      domain: { ...data.domain, ...domain },
      message: { ...data.message, ...message },
    });
    const posted = { ...nonceMappingBody(mapping), ...body };
    return authorize(fixture.client, { ...posted, signature: change?.(signature) ?? signature });
  }

  async function expectRefused(statement: Statement, message: RegExp, what = ""): Promise<void> {
    const error = await refusalOf(state(statement));
    expect(error, what).to.include({ errorCode: "INVALID_REQUEST", status: 400 });
    expect(error.message, what).to.match(message);
  }

  const other = `0x${"22".repeat(20)}` as const;
  const notOfTheWallet = [
    ["of another key", { signedBy: 1 }],
    ["with a high s", { change: flipS }],
    ["with another v", { change: (all) => `0x${all.slice(2, -2)}${all.endsWith("1b") ? "1c" : "1b"}` }],
    ["with a v of 0 or 1", { change: (all) => `0x${all.slice(2, -2)}0${all.endsWith("1b") ? "0" : "1"}` }],
    ["over zeros", { change: () => `0x${"00".repeat(65)}` }],
    ["of a chain id other than the posted one", { domain: { chainId: 1 } }],
    ["whose posted chain id was swapped", { body: { signatureChainId: 1 } }],
    ["of the domain's first version", { domain: { version: "1" } }],
    ["of another service's domain", { domain: { name: "NonceMapping" } }],
    ["of another verifying contract", { domain: { verifyingContract: other } }],
    ["of another exchange", { message: { chainId: "mainnet" } }],
    ["of another nonce", { message: { nonce: 1n } }],
    ["of another order", { message: { id: `0x${"0d".repeat(32)}` } }],
    ["of another depositor", { message: { depositor: other } }],
    ["whose posted depositor was changed", { body: { depositor: other } }],
    ["whose depositor was left out", { body: { depositor: undefined } }],
    ["whose posted wallet was changed", { body: { wallet: other } }],
  ] as const satisfies readonly (readonly [string, Statement])[];

  it("a nonce mapping that is not signed by its wallet as posted: is refused, and no ledger moves", async () => {
    expect(isDocumented("INVALID_REQUEST")).to.equal(true);
    await fixture.nothingMoves(async () => {
      for (const [what, statement] of notOfTheWallet) {
        await expectRefused(statement, /not the wallet's signature/, what);
      }
    });
  });

  it("a nonce mapping that its wallet signed for a nonce outside the window: is refused at both edges", async () => {
    await fixture.emulator.control.clock.freeze();
    const { now } = fixture.emulator.control.clock.read();
    await fixture.nothingMoves(async () => {
      for (const nonce of [now - 2 * dayMs, now + dayMs, 0, Number.MAX_SAFE_INTEGER]) {
        await expectRefused({ nonce }, /does not accept the nonce/, `${nonce}`);
      }
    });
  });

  it("an attacker's own valid nonce mapping for the user's order, and one for another chain: are refused", async () => {
    const attacker = fixture.alpha.wallet(1).account.address;
    const own = { depositor: attacker, wallet: attacker };
    await fixture.nothingMoves(async () => {
      await expectRefused({ body: own, message: own, signedBy: 1 }, /another wallet/);
      await expectRefused({ body: { walletChainId: 1 } }, /walletChainId/);
    });
  });

  type Changed = {
    readonly domain?: object;
    readonly message?: object;
    readonly posted?: object;
    readonly change?: (signature: Hex) => Hex;
  };

  /** Posts a transfer that was signed over changed typed data, or changed after it was signed. */
  async function transfer({ change = (same) => same, domain, message, posted }: Changed): Promise<unknown> {
    const { now } = fixture.emulator.control.clock.read();
    const { parameters } = readWithdrawal({ now, quote }).deposit;
    const data = sendAssetTypedData({ chainId: fixture.alpha.info.id, parameters });
    const signature = change(
      await signer(fixture).signTypedData({
        ...data,
        domain: { ...data.domain, ...domain },
        message: { ...data.message, ...message },
      }),
    );
    const [r, s, v] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`, signature.slice(130)];
    const signed = {
      action: data.message,
      nonce: parameters.nonce,
      signature: { r, s, v: Number(`0x${v}`) },
    };
    return postToExchange({ ...signed, ...posted });
  }

  async function postToExchange(body: unknown): Promise<unknown> {
    const answer = await fetch(`${exchangeUrl(fixture)}/exchange`, {
      body: JSON.stringify(body),
      method: "POST",
    });
    expect(answer.status).to.equal(200);
    return answer.json();
  }

  it("a transfer that its account did not sign as posted: is refused, and no ledger moves", async () => {
    const cases: readonly (readonly [string, Changed, RegExp])[] = [
      ["a high s", { change: flipS }, /Invalid action/],
      ["another chain id in its domain", { domain: { chainId: 1 } }, /does not exist/],
      ["another domain", { domain: { name: "SignTransaction" } }, /does not exist/],
      ["another amount", { message: { amount: "1" } }, /does not exist/],
      ["another destination", { message: { destination: other } }, /does not exist/],
      ["another token", { message: { token: "ETH:0x00" } }, /does not exist/],
      ["a sub-account", { message: { fromSubAccount: other } }, /does not exist/],
      ["another nonce beside the action", { posted: { nonce: 1 } }, /action has another one/],
    ];
    expect(isDocumented("EXCHANGE_REJECTED")).to.equal(true);
    await fixture.nothingMoves(async () => {
      for (const [what, changes, reason] of cases) {
        const answer = await transfer(changes);
        expect(answer, what).to.have.property("status", "err");
        expect(answer, what).to.have.property("response").which.matches(reason);
      }
    });
  });

  it("a transfer whose nonce is outside the window, at both edges: is refused, and no ledger moves", async () => {
    await fixture.emulator.control.clock.freeze();
    const { now } = fixture.emulator.control.clock.read();
    await fixture.nothingMoves(async () => {
      for (const [nonce, response] of [
        [now - 2 * dayMs, "Invalid nonce: too old"],
        [now + dayMs, "Invalid nonce: too new"],
      ] as const) {
        const request = await signTransfer(fixture, quote, { nonce });
        expect(await postToExchange(request)).to.deep.equal({ response, status: "err" });
      }
    });
  });

  it("a transfer that is posted again, unchanged and with its signature's high s: moves nothing the second time", async () => {
    const request = await signTransfer(fixture, quote, { amount: "1" });
    expect(await postToExchange(request)).to.include({ status: "ok" });
    const { r, s, v } = request.signature;
    const high = flipS(concatHex([r as Hex, s as Hex, numberToHex(v)]));
    const flipped = { r, s: `0x${high.slice(66, 130)}`, v: v === 27 ? 28 : 27 };
    await new Promise((resolve) => setTimeout(resolve, 100));
    await fixture.nothingMoves(async () => {
      expect(await postToExchange(request))
        .to.have.property("response")
        .which.includes("already used");
      expect(await postToExchange({ ...request, signature: flipped }))
        .to.have.property("response")
        .which.includes("Invalid action");
    });
  });
});
