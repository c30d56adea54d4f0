import { expect } from "chai";
import { zeroAddress } from "viem";
import { type ClaimTerms, claimAppFees, verifyClaim } from "../../../src/client/index.ts";
import { ClaimMismatchError } from "../../../src/errors/ClaimMismatchError.ts";
import { claimId, claimSteps } from "../../helpers/appFees/claimSteps.ts";
import { fakeNow, fakeService, json } from "./support/fakeService.ts";
import { token, user } from "./support/samples.ts";

const named = { amount: "5000000", chainId: 8453, currency: token, recipient: user, wallet: user };
const terms: ClaimTerms = { ...named, minimumPayout: 4_900_000n };
const honest = () => claimSteps(named, "4950000");
type Steps = ReturnType<typeof honest>;
type Change = (parts: ReturnType<typeof partsOf>) => unknown;

function partsOf(steps: Steps) {
  const [step] = steps;
  const item = step?.items[0];
  if (step === undefined || item === undefined) throw new Error("a claim has one step with one item");
  const { post, sign } = item.data;
  return { data: item.data, item, post, sign, step, steps, value: sign.value };
}

/** First code and path of the refusal of a changed answer; undefined if it was proven. */
function refusal(change: Change, given: Partial<ClaimTerms> = {}): readonly [string, string] | undefined {
  const steps = structuredClone(honest());
  change(partsOf(steps));
  try {
    verifyClaim({ ...terms, ...given, steps });
    return undefined;
  } catch (error) {
    if (!(error instanceof ClaimMismatchError)) throw error;
    return [error.code, error.path.replace("steps.0.items.0.data.", "")];
  }
}

/** The public service's documented answer: 32 bytes to sign as a message. */
const documented = () => [
  {
    action: "Sign authorization",
    description: "Authorize claiming funds",
    id: "authorize",
    items: [
      {
        data: {
          post: { body: { kind: "claim", requestId: claimId }, endpoint: "/execute/permits", method: "POST" },
          sign: { message: claimId as string, signatureKind: "eip191" },
        },
        status: "incomplete",
      },
    ],
    kind: "signature",
  },
];

describe("verifyClaim", () => {
  it("proves the one form of a claim, and returns it without what the answer adds for display", () => {
    const steps = honest();
    Object.assign(steps[0] ?? {}, { action: "Win a prize", depositAddress: "0x12", description: "\u202e" });
    expect(verifyClaim({ ...terms, steps })).to.deep.equal({ steps: honest() });
  });

  it("takes the whole balance where the request names no amount, and letter case as it comes", () => {
    const steps = honest();
    Object.assign(partsOf(steps).value, { amount: "77000000", wallet: user.toLowerCase() });
    const [proven] = verifyClaim({ ...terms, amount: undefined, steps }).steps;
    const sign = proven.items[0]?.data?.sign;
    expect(sign).to.have.property("value").that.includes({ amount: "77000000", wallet: user });
  });

  it("returns a copy: an answer that changes afterwards changes nothing that is signed", () => {
    const steps = honest();
    const { steps: proven } = verifyClaim({ ...terms, steps });
    Object.assign(partsOf(steps).value, { recipient: token });
    expect(proven).to.deep.equal(honest());
  });

  it("refuses typed data that answers differ from at each read, because the copy alone is signed", () => {
    const steps = honest();
    let reads = 0;
    Object.defineProperty(partsOf(steps).value, "payout", {
      enumerable: true,
      get: () => (reads++ === 0 ? "4950000" : "1"),
    });
    expect(() => verifyClaim({ ...terms, steps })).to.throw(ClaimMismatchError, "payout");
  });

  const permitMembers = [{ name: "spender", type: "address" }];
  const changes: readonly (readonly [title: string, change: Change, code: string, path: string])[] = [
    [
      "another recipient",
      ({ value }) => Object.assign(value, { recipient: token }),
      "CLAIM_RECIPIENT",
      "sign.value.recipient",
    ],
    [
      "another wallet",
      ({ value }) => Object.assign(value, { wallet: token }),
      "CLAIM_WALLET",
      "sign.value.wallet",
    ],
    [
      "another currency",
      ({ value }) => Object.assign(value, { currency: user }),
      "CLAIM_CURRENCY",
      "sign.value.currency",
    ],
    [
      "another chain",
      ({ value }) => Object.assign(value, { chainId: 1 }),
      "CLAIM_CHAIN",
      "sign.value.chainId",
    ],
    [
      "a domain of another chain",
      ({ sign }) => Object.assign(sign.domain, { chainId: 1 }),
      "CLAIM_CHAIN",
      "sign.domain.chainId",
    ],
    [
      "a domain of a token",
      ({ sign }) => Object.assign(sign.domain, { verifyingContract: token }),
      "CLAIM_FORM",
      "sign.domain.verifyingContract",
    ],
    [
      "a domain with a salt",
      ({ sign }) => Object.assign(sign.domain, { salt: claimId }),
      "CLAIM_FORM",
      "sign.domain.salt",
    ],
    [
      "another amount",
      ({ value }) => Object.assign(value, { amount: "5000001" }),
      "CLAIM_AMOUNT",
      "sign.value.amount",
    ],
    [
      "an amount as a number",
      ({ value }) => Object.assign(value, { payout: 4_950_000 }),
      "CLAIM_PAYOUT",
      "sign.value.payout",
    ],
    [
      "a payout one unit below the minimum",
      ({ value }) => Object.assign(value, { payout: "4899999" }),
      "CLAIM_PAYOUT",
      "sign.value.payout",
    ],
    [
      "a payout above the amount",
      ({ value }) => Object.assign(value, { payout: "5000001" }),
      "CLAIM_PAYOUT",
      "sign.value.payout",
    ],
    [
      "a deadline in the past",
      ({ value }) => Object.assign(value, { deadline: 1 }),
      "CLAIM_DEADLINE",
      "sign.value.deadline",
    ],
    [
      "a deadline after the maximum",
      ({ value }) => Object.assign(value, { deadline: value.deadline + 3_600 }),
      "CLAIM_DEADLINE",
      "sign.value.deadline",
    ],
    [
      "a deadline as text",
      ({ value }) => Object.assign(value, { deadline: `${value.deadline}` }),
      "CLAIM_DEADLINE",
      "sign.value.deadline",
    ],
    [
      "another request in the typed data",
      ({ value }) => Object.assign(value, { requestId: `0x${"99".repeat(32)}` }),
      "CLAIM_REQUEST_ID",
      "sign.value.requestId",
    ],
    [
      "another request in the step",
      ({ step }) => Object.assign(step, { requestId: `0x${"99".repeat(32)}` }),
      "CLAIM_REQUEST_ID",
      "steps.0.requestId",
    ],
    [
      "a request id of 31 bytes",
      ({ post }) => Object.assign(post.body, { requestId: `0x${"99".repeat(31)}` }),
      "CLAIM_REQUEST_ID",
      "post.body.requestId",
    ],
    [
      "an additional signed field",
      ({ value }) => Object.assign(value, { spender: token }),
      "CLAIM_FORM",
      "sign.value.spender",
    ],
    [
      "a missing field",
      ({ value }) => Object.assign(value, { wallet: undefined }),
      "CLAIM_WALLET",
      "sign.value.wallet",
    ],
    [
      "an additional type",
      ({ sign }) => Object.assign(sign.types, { Permit: permitMembers }),
      "CLAIM_FORM",
      "sign.types.Permit",
    ],
    [
      "another member type",
      ({ sign }) => Object.assign(sign.types.Claim[3] ?? {}, { type: "string" }),
      "CLAIM_FORM",
      "sign.types.Claim.3.type",
    ],
    [
      "another primary type",
      ({ sign }) => Object.assign(sign, { primaryType: "Permit" }),
      "CLAIM_FORM",
      "sign.primaryType",
    ],
    [
      "another host to post to",
      ({ post }) => Object.assign(post, { endpoint: "https://evil.test/execute/permits" }),
      "CLAIM_FORM",
      "post.endpoint",
    ],
    [
      "another kind of permit",
      ({ post }) => Object.assign(post.body, { kind: "permit2" }),
      "CLAIM_FORM",
      "post.body.kind",
    ],
    [
      "an additional field to post",
      ({ post }) => Object.assign(post.body, { api: "bridge" }),
      "CLAIM_FORM",
      "post.body.api",
    ],
    [
      "a transaction step",
      ({ step }) => Object.assign(step, { kind: "transaction" }),
      "CLAIM_FORM",
      "steps.0.kind",
    ],
    ["a second step", ({ steps }) => steps.push(...honest()), "CLAIM_FORM", "steps"],
    ["a second item", ({ item, step }) => step.items.push(item), "CLAIM_FORM", "steps.0.items"],
    ["no item", ({ step }) => step.items.pop(), "CLAIM_FORM", "steps.0.items"],
    [
      "an unknown kind of signature",
      ({ sign }) => Object.assign(sign, { signatureKind: "eip1271" }),
      "CLAIM_FORM",
      "sign.signatureKind",
    ],
  ];
  for (const [title, change, code, path] of changes) {
    it(`${title}: ${code} at ${path}`, () => {
      expect(refusal(change)).to.deep.equal([code, path]);
    });
  }

  it("bounds the time by maximumSeconds, and any payout passes with bounds: none", () => {
    expect(refusal(() => undefined, { maximumSeconds: 60 })?.[0]).to.equal("CLAIM_DEADLINE");
    const least = ({ value }: ReturnType<typeof partsOf>) => Object.assign(value, { payout: "1" });
    expect(refusal(least, { bounds: "none", minimumPayout: undefined })).to.equal(undefined);
    const nothing = ({ value }: ReturnType<typeof partsOf>) => Object.assign(value, { payout: "0" });
    expect(refusal(nothing, { bounds: "none", minimumPayout: undefined })?.[0]).to.equal("CLAIM_PAYOUT");
  });

  it("lists the first twenty differences of an answer with thousands, in a short message", () => {
    const steps = honest();
    const others = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`${"x".repeat(500)}${i}`, i]));
    Object.assign(partsOf(steps).value, others);
    try {
      verifyClaim({ ...terms, steps });
      expect.fail("it was proven");
    } catch (error) {
      expect(error).to.be.instanceOf(ClaimMismatchError);
      expect((error as ClaimMismatchError).mismatches).to.have.length(20);
      expect((error as ClaimMismatchError).message).to.have.length.lessThan(2_000);
    }
  });

  it("answers that are no steps at all: CLAIM_FORM, never another error", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.items = [cyclic];
    for (const steps of [undefined, null, [], {}, "steps", [null], [[]], [{}], [{ items: [{}] }], [cyclic]]) {
      expect(() => verifyClaim({ ...terms, steps }), String(JSON.stringify(steps === undefined))).to.throw(
        ClaimMismatchError,
        "claim is not what was asked for",
      );
    }
  });

  describe("given the 32 bytes that the public service documents", () => {
    it("CLAIM_OPAQUE, with the option that accepts them", () => {
      expect(() => verifyClaim({ ...terms, steps: documented() }))
        .to.throw(ClaimMismatchError, "allowOpaqueMessage")
        .with.property("code", "CLAIM_OPAQUE");
    });

    it("are returned where allowOpaqueMessage is set", () => {
      const { steps } = verifyClaim({ ...terms, allowOpaqueMessage: true, steps: documented() });
      const data = steps[0].items[0]?.data;
      expect(data).to.deep.equal(documented()[0]?.items[0]?.data);
    });

    it("CLAIM_REQUEST_ID for bytes that are not the claim's request, though they are allowed", () => {
      const steps = documented();
      const sign = steps[0]?.items[0]?.data.sign;
      Object.assign(sign ?? {}, { message: `0x${"99".repeat(32)}` });
      expect(() => verifyClaim({ ...terms, allowOpaqueMessage: true, steps }))
        .to.throw(ClaimMismatchError)
        .with.property("code", "CLAIM_REQUEST_ID");
    });

    it("typed data is still proven whole", () => {
      const lower = ({ value }: ReturnType<typeof partsOf>) => Object.assign(value, { recipient: token });
      expect(refusal(lower, { allowOpaqueMessage: true })?.[0]).to.equal("CLAIM_RECIPIENT");
    });
  });
});

describe("claimAppFees, given a hostile answer", () => {
  it("returns nothing of it, and sends none of the caller's bounds", async () => {
    const steps = claimSteps({ ...named, recipient: zeroAddress }, "4950000", fakeNow);
    const { calls, client } = fakeService([json({ steps })]);
    const error = await claimAppFees(client, terms).catch((reason: unknown) => reason);
    expect(error)
      .to.be.instanceOf(ClaimMismatchError)
      .and.include({ code: "CLAIM_RECIPIENT", actual: zeroAddress });
    expect(calls.map(({ body }) => body)).to.deep.equal([
      { amount: "5000000", chainId: 8453, currency: token, recipient: user },
    ]);
  });

  it("proves the bounds that were given, whatever becomes of the caller's object meanwhile", async () => {
    const given = { ...terms };
    const { client } = fakeService([
      () => {
        Object.assign(given, { recipient: token });
        return json({ steps: claimSteps({ ...named, recipient: token }, "4950000", fakeNow) });
      },
    ]);
    const error = await claimAppFees(client, given).catch((reason: unknown) => reason);
    expect(error).to.include({ code: "CLAIM_RECIPIENT", expected: user });
  });
});
