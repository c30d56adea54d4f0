import { expect } from "chai";
import type { Hex, LocalAccount } from "viem";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { flipS } from "../../helpers/flipS.ts";
import { isDocumented, useLedgers } from "../../helpers/ledgers.ts";
import {
  authorize,
  callsOf,
  gaslessBody,
  onWire,
  postExecute,
  signBatch,
  unfundedUser,
} from "../../helpers/quotes/gasless.ts";
import { fiftyDollars, finalStatus, quoteFor, requestIdOf, sendAs } from "../../helpers/quotes/intents.ts";
import { postSignature, signatureOf, signed, signedQuote, signQuote } from "../../helpers/quotes/permits.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";

type Body = Awaited<ReturnType<typeof gaslessBody>>;

describe("authorizations that are refused", () => {
  const fixture = useLedgers();
  let users = 300;

  /** A gasless payment that the service would accept, of a new user. */
  async function payment() {
    const { alpha } = fixture;
    const user = unfundedUser(++users);
    const data = erc20Data("transfer", user.address, fiftyDollars("USDC"));
    await sendAs(alpha, 0, { data, to: alpha.currency("USDC") });
    const quote = await quoteFor(fixture, { from: "USDC", to: "USDC", user: user.address });
    const body = await gaslessBody(user, alpha, callsOf(quote), { requestId: requestIdOf(quote) });
    return { body, quote, user };
  }

  const withData = (body: Body, data: object) => ({ ...body, data: { ...body.data, ...data } });
  const withAuthorization = async (body: Body, user: LocalAccount, changes: object) =>
    withData(body, { authorizationList: [onWire(await authorize(user, fixture.alpha, changes))] });

  async function expectRefused(body: object, error: RegExp, what = ""): Promise<void> {
    const answer = await postExecute(fixture, body);
    expect(answer.status, `${what} ${JSON.stringify(answer.body)}`).to.equal(400);
    expect(answer.body.error, what).to.match(error);
  }

  it("an authorization for another chain, account, nonce or code, with a high s, or none: is refused, and no ledger moves", async () => {
    const { body, user } = await payment();
    const stranger = unfundedUser(0);
    const [own] = body.data.authorizationList;
    const signature = `${own?.r}${own?.s.slice(2)}${own?.yParity === 0 ? "1b" : "1c"}` as Hex;
    const high = flipS(signature);
    const flipped = { ...own, s: `0x${high.slice(66, 130)}`, yParity: 1 - (own?.yParity ?? 0) };
    const cases: readonly (readonly [string, object, RegExp])[] = [
      [
        "another chain",
        await withAuthorization(body, user, { chainId: fixture.beta.info.id }),
        /is for chain/,
      ],
      ["mainnet", await withAuthorization(body, user, { chainId: 1 }), /is for chain/],
      [
        "another account",
        withData(body, { authorizationList: [onWire(await authorize(stranger, fixture.alpha))] }),
        /not signed by/,
      ],
      [
        "another account, for any chain",
        withData(body, {
          authorizationList: [onWire(await authorize(stranger, fixture.alpha, { chainId: 0 }))],
        }),
        /not signed by/,
      ],
      ["a later nonce", await withAuthorization(body, user, { nonce: 1 }), /next nonce is 0/],
      [
        "other code",
        await withAuthorization(body, user, { address: fixture.alpha.currency("USDC") }),
        /no batch executor/,
      ],
      ["a high s", withData(body, { authorizationList: [flipped] }), /not signed/],
      [
        "the other parity",
        withData(body, { authorizationList: [{ ...own, yParity: 1 - (own?.yParity ?? 0) }] }),
        /not signed by/,
      ],
      [
        "a chain id changed to any",
        withData(body, { authorizationList: [{ ...own, chainId: 0 }] }),
        /not signed by/,
      ],
      ["no authorization", withData(body, { authorizationList: [] }), /authorizationList/],
    ];
    await fixture.nothingMoves(async () => {
      for (const [what, changed, error] of cases) await expectRefused(changed, error, what);
    });
  });

  it("a batch of another key, chain, account, executor or nonce, or past its deadline: is refused, and no ledger moves", async () => {
    const { body, quote, user } = await payment();
    const { alpha, beta } = fixture;
    const calls = callsOf(quote);
    const cases: readonly (readonly [string, Hex])[] = [
      ["another key", await signBatch(unfundedUser(0), alpha.info.id, calls, { account: user.address })],
      ["another chain", await signBatch(user, alpha.info.id, calls, { chainId: beta.info.id })],
      ["another account", await signBatch(user, alpha.info.id, calls, { account: unfundedUser(0).address })],
      [
        "another executor",
        await signBatch(user, alpha.info.id, calls, { executor: unfundedUser(0).address }),
      ],
      ["a later nonce", await signBatch(user, alpha.info.id, calls, { nonce: 1n })],
      ["a past deadline", await signBatch(user, alpha.info.id, calls, { deadline: 1n })],
    ];
    await fixture.nothingMoves(async () => {
      for (const [what, data] of cases)
        await expectRefused(withData(body, { data }), /^EXECUTION_REVERTED$/, what);
    });
    expect(isDocumented("EXECUTION_REVERTED")).to.equal(true);
  });

  it("an executed payment that is replayed as it was, for another request, by another key or on another chain: moves nothing more", async () => {
    const { alpha, beta } = fixture;
    const { body, quote, user } = await payment();
    // Valid on every chain, as long as the account's nonce there is the same.
    const open = await withAuthorization(body, user, { chainId: 0 });
    const first = await postExecute(fixture, open);
    expect(first.status).to.equal(200);
    expect((await finalStatus(fixture, requestIdOf(quote))).status).to.equal("success");
    const data = erc20Data("transfer", user.address, fiftyDollars("USDC"));
    await sendAs(alpha, 0, { data, to: alpha.currency("USDC") });
    const second = await quoteFor(fixture, { from: "USDC", to: "USDC", user: user.address });
    const attacker = unfundedUser(0);
    await fixture.nothingMoves(async () => {
      expect(await postExecute(fixture, open)).to.deep.equal(first);
      await expectRefused({ ...open, requestId: requestIdOf(second) }, /next nonce is 1/);
      const { authorizationList: _, ...bare } = open.data;
      await expectRefused({ ...open, data: bare, requestId: requestIdOf(second) }, /^EXECUTION_REVERTED$/);
      const { requestId: __, ...unnamed } = open;
      await expectRefused({ ...unnamed, data: bare }, /^EXECUTION_REVERTED$/, "without a request");
      await expectRefused(
        { ...unnamed, data: { ...bare, to: attacker.address } },
        /authorizationList/,
        "another account",
      );
      await expectRefused(
        { ...unnamed, data: { ...open.data, to: attacker.address } },
        /not signed by/,
        "another account",
      );
      await expectRefused(
        { ...unnamed, data: { ...open.data, chainId: beta.info.id } },
        /^EXECUTION_REVERTED$/,
        "another chain",
      );
    });
    expect(await beta.reader.getCode({ address: user.address })).to.equal(undefined);
  });

  for (const way of ["eip3009", "permit2"] as const) {
    it(`a payment by ${way} with a high s, of another key or domain, or for another request: is refused, and no ledger moves`, async () => {
      const quote = await signedQuote(fixture, signed(way));
      const own = fixture.alpha.wallet(0).account;
      const { domain, primaryType, types, value } = signatureOf(quote).sign;
      const sign = (changes: object, message: object = {}) =>
        (own as LocalAccount).signTypedData({
          domain: { ...domain, ...changes },
          message: { ...value, ...message },
          primaryType,
          types,
        } as never);
      const valid = await signQuote(own, quote);
      const cases: readonly (readonly [string, Hex])[] = [
        ["a high s", flipS(valid)],
        ["another key", await signQuote(fixture.alpha.wallet(1).account, quote)],
        ["another chain", await sign({ chainId: fixture.beta.info.id })],
        ["chain 0", await sign({ chainId: 0 })],
        ["another contract", await sign({ verifyingContract: fixture.alpha.currency("WETH") })],
        ["zeros", `0x${"00".repeat(65)}`],
        ["nothing", "0x"],
      ];
      await fixture.nothingMoves(async () => {
        for (const [what, signature] of cases) {
          const { body, status } = await postSignature(fixture, quote, signature);
          expect([status, typeof body.message], `${what} ${JSON.stringify(body)}`).to.deep.equal([
            400,
            "string",
          ]);
        }
      });
      const accepted = await postSignature(fixture, quote, valid);
      expect(accepted.status).to.equal(200);
      await reached(fixture.emulator, requestIdOf(quote), "success");
      const later = await signedQuote(fixture, signed(way));
      await fixture.nothingMoves(async () => {
        expect(await postSignature(fixture, quote, valid)).to.deep.equal(accepted);
        expect((await postSignature(fixture, quote, flipS(valid))).status).to.equal(400);
        expect((await postSignature(fixture, later, valid)).status).to.equal(400);
      });
    });
  }
});
