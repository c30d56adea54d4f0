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
  const { domain, types, value } = sign;
  return {
    body: post.body,
    domain,
    item,
    member: types.Claim[3] ?? {},
    post,
    sign,
    step,
    steps,
    types,
    value,
  };
}

/** Paths of the parts of an answer whose fields are changed. */
const places = {
  body: "post.body",
  domain: "sign.domain",
  member: "sign.types.Claim.3",
  post: "post",
  sign: "sign",
  step: "steps.0",
  types: "sign.types",
  value: "sign.value",
};
type Place = keyof typeof places;

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

  const permitMembers = [{ name: "spender", type: "address" }];
  const seconds = Math.floor(Date.now() / 1_000);
  const another = `0x${"99".repeat(32)}`;
  /** A change of one field, the code of its refusal, and the field's place in the answer. */
  const changes: readonly (readonly [title: string, place: Place, fields: object, code: string])[] = [
    ["another recipient", "value", { recipient: token }, "CLAIM_RECIPIENT"],
    ["another wallet", "value", { wallet: token }, "CLAIM_WALLET"],
    ["another currency", "value", { currency: user }, "CLAIM_CURRENCY"],
    ["another chain", "value", { chainId: 1 }, "CLAIM_CHAIN"],
    ["a domain of another chain", "domain", { chainId: 1 }, "CLAIM_CHAIN"],
    ["a domain of a token", "domain", { verifyingContract: token }, "CLAIM_FORM"],
    ["a domain with a salt", "domain", { salt: claimId }, "CLAIM_FORM"],
    ["another amount", "value", { amount: "5000001" }, "CLAIM_AMOUNT"],
    ["an amount as a number", "value", { payout: 4_950_000 }, "CLAIM_PAYOUT"],
    ["a payout one unit below the minimum", "value", { payout: "4899999" }, "CLAIM_PAYOUT"],
    ["a payout above the amount", "value", { payout: "5000001" }, "CLAIM_PAYOUT"],
    ["a deadline in the past", "value", { deadline: 1 }, "CLAIM_DEADLINE"],
    ["a deadline after the maximum", "value", { deadline: seconds + 86_400 }, "CLAIM_DEADLINE"],
    ["a deadline as text", "value", { deadline: `${seconds + 60}` }, "CLAIM_DEADLINE"],
    ["another request in the typed data", "value", { requestId: another }, "CLAIM_REQUEST_ID"],
    ["another request in the step", "step", { requestId: another }, "CLAIM_REQUEST_ID"],
    ["a request id of 31 bytes", "body", { requestId: another.slice(0, -2) }, "CLAIM_REQUEST_ID"],
    ["an additional signed field", "value", { spender: token }, "CLAIM_FORM"],
    ["a missing field", "value", { wallet: undefined }, "CLAIM_WALLET"],
    ["an additional type", "types", { Permit: permitMembers }, "CLAIM_FORM"],
    ["another member type", "member", { type: "string" }, "CLAIM_FORM"],
    ["another primary type", "sign", { primaryType: "Permit" }, "CLAIM_FORM"],
    ["an unknown kind of signature", "sign", { signatureKind: "eip1271" }, "CLAIM_FORM"],
    ["another host to post to", "post", { endpoint: "https://evil.test/execute/permits" }, "CLAIM_FORM"],
    ["another kind of permit", "body", { kind: "permit2" }, "CLAIM_FORM"],
    ["an additional field to post", "body", { api: "bridge" }, "CLAIM_FORM"],
    ["a transaction step", "step", { kind: "transaction" }, "CLAIM_FORM"],
  ];
  for (const [title, place, fields, code] of changes) {
    it(`${title}: ${code}`, () => {
      const path = `${places[place]}.${Object.keys(fields)}`;
      expect(refusal((parts) => Object.assign(parts[place], fields))).to.deep.equal([code, path]);
    });
  }

  it("two steps, two items or none: CLAIM_FORM", () => {
    expect(refusal(({ steps }) => steps.push(...honest()))).to.deep.equal(["CLAIM_FORM", "steps"]);
    const items = ["CLAIM_FORM", "steps.0.items"];
    expect(refusal(({ item, step }) => step.items.push(item))).to.deep.equal(items);
    expect(refusal(({ step }) => step.items.pop())).to.deep.equal(items);
  });

  it("any value in any field: returns the asked claim, or throws by name", () => {
    const odd = [
      ...[null, "", 0, "0", "1", -1, 1e21, "1e3", "0x5f", "95 ", " 95", ["95"], { toString: () => "95" }],
      ...[true, "٩٥", "0095", zeroAddress, "x\u001b[2J", Number.NaN, 2 ** 53, "9".repeat(78)],
      ...["9".repeat(79), [], {}],
    ];
    const pathsOf = (value: unknown): string[][] =>
      Object.entries(Object(value) as object).flatMap(([name, inner]) => [
        [name],
        ...(typeof inner === "object" ? pathsOf(inner).map((path) => [name, ...path]) : []),
      ]);
    for (const path of pathsOf(honest())) {
      for (const value of odd) {
        const steps = honest();
        const parent = path.slice(0, -1).reduce<unknown>((at, name) => Object(at)[name], steps);
        Object.assign(parent as object, { [path.at(-1) ?? ""]: value });
        try {
          const { steps: proven } = verifyClaim({ ...terms, steps });
          const signed = partsOf(proven as unknown as Steps).value;
          expect(signed).to.include({ chainId: 8453, recipient: user, wallet: user });
          expect(BigInt(signed.payout) >= 4_900_000n).to.equal(true);
          expect(signed.deadline <= Math.floor(Date.now() / 1_000) + 3_600).to.equal(true);
        } catch (error) {
          const what = `${path.join(".")} ${String(error)}`;
          expect((error as { code?: string }).code, what).to.match(/^CLAIM_/);
        }
      }
    }
  });

  it("a getter that answers twice: throws, because it would show the signer another value", () => {
    const steps = honest();
    let reads = 0;
    Object.defineProperty(partsOf(steps).value, "payout", {
      enumerable: true,
      get: () => (reads++ === 0 ? "4950000" : "1"),
    });
    expect(() => verifyClaim({ ...terms, steps })).to.throw(ClaimMismatchError, "payout");
  });

  it("bounds the time by maximumSeconds, and any payout passes with bounds: none", () => {
    expect(refusal(() => undefined, { maximumSeconds: 60 })?.[0]).to.equal("CLAIM_DEADLINE");
    const least = ({ value }: ReturnType<typeof partsOf>) => Object.assign(value, { payout: "1" });
    expect(refusal(least, { bounds: "none", minimumPayout: undefined })).to.equal(undefined);
    const nothing = ({ value }: ReturnType<typeof partsOf>) => Object.assign(value, { payout: "0" });
    expect(refusal(nothing, { bounds: "none", minimumPayout: undefined })?.[0]).to.equal("CLAIM_PAYOUT");
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
  it("rejects terms without a bound of the payout, before anything is sent", async () => {
    const { calls, client } = fakeService([json({})]);
    const error = await claimAppFees(client, { ...terms, minimumPayout: undefined }).catch(
      (it: unknown) => it,
    );
    expect(error).to.include({ code: "INVALID_PARAMETER", parameter: "minimumPayout" });
    expect(calls).to.deep.equal([]);
  });

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
