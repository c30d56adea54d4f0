import { expect } from "chai";
import { zeroAddress } from "viem";
import { Unmet } from "../../../../src/calls/verify/compareWhole.ts";
import { expectPermission } from "../../../../src/calls/verify/expected/expectPermission.ts";
import {
  amountIn,
  attacker,
  olderProxy,
  olderRouter,
  origin,
  proxy,
  requestId,
  router,
  solver,
  termsOf,
  token,
  user,
} from "./support/terms.ts";

const permit2 = "0x00000000000000000000000000000000000000d3";

type Fields = Readonly<Record<string, unknown>>;
/** What a permission is and must be. */
type Permission = {
  readonly actual: { readonly post: Fields };
  readonly expected: {
    readonly post: Fields;
    readonly sign: {
      readonly domain: Fields;
      readonly types: Readonly<Record<string, readonly { readonly name: string }[]>>;
      readonly value: Fields;
    };
  };
  readonly payment: Fields | undefined;
};

describe("expectPermission", () => {
  const call = { allowFailure: false, callData: "0xAB", target: attacker, value: "0" };
  const witness = {
    call3Values: [call],
    metadata: "0x1234",
    nftRecipient: zeroAddress,
    refundTo: user,
    relayer: solver,
  };
  const value = { deadline: "1500", nonce: "0x7", permitted: [], spender: proxy };
  const sign = {
    domain: { chainId: 1, name: "Permit2", verifyingContract: permit2 },
    primaryType: "PermitBatchWitnessTransferFrom",
    signatureKind: "eip712",
    types: {},
    value: { ...value, witness },
  };
  const post = { body: { other: 1 }, endpoint: "/elsewhere", method: "post" };
  const permissionOf = (given: object = {}, terms: object = {}, request: object = {}) =>
    expectPermission(
      termsOf({
        from: token,
        request: { originChainId: 1, usePermit: true, ...request },
        terms: {
          isSameChain: true,
          kind: "sameChain",
          now: 1_000,
          origin: { ...origin, permit2 },
          policy: {},
          ...terms,
        } as never,
      }),
      { post, sign: { ...sign, ...given } } as never,
    ) as unknown as Permission;

  it("Permit2: is signed for the paid token, the proxy and the calls, and posted to the service", () => {
    const { actual, expected, payment } = permissionOf();
    expect(expected.post).to.deep.equal({
      body: { kind: "permit2", other: 1, requestId },
      endpoint: "/execute/permits",
      method: "POST",
    });
    expect(actual.post).to.deep.include({ endpoint: "/elsewhere", method: "POST" });
    const { domain, value: message } = expected.sign as { domain: object; value: Record<string, unknown> };
    expect(domain).to.deep.equal({ chainId: 1, name: "Permit2", verifyingContract: permit2 });
    expect(message).to.deep.include({
      deadline: "1500",
      nonce: "7",
      permitted: [{ amount: amountIn, token }],
      spender: proxy,
      witness: {
        call3Values: [{ ...call, callData: "0xab" }],
        metadata: requestId,
        nftRecipient: zeroAddress,
        refundTo: user,
        relayer: solver,
      },
    });
    expect(payment).to.include({ isSwapped: true, puller: permit2 });
    expect(payment?.["claim"]).to.include({ isOpen: false, router, version: "v3" });
  });

  it("a witness without metadata: keeps none, and the older proxy has no place for it", () => {
    const messageOf = (changes: object) =>
      permissionOf({ value: { ...value, ...changes } }).expected.sign.value;
    expect(messageOf({ witness: { ...witness, metadata: "0x" } })["witness"]).to.include({ metadata: "0x" });
    const older = permissionOf({ value: { ...value, spender: olderProxy, witness } });
    expect(older.expected.sign.value["witness"]).to.not.have.property("metadata");
    expect(older.payment?.["claim"]).to.include({ router: olderRouter, version: "v2.1" });
    const types = older.expected.sign.types["RelayerWitness"] ?? [];
    expect(types.map(({ name }) => name)).to.deep.equal([
      "relayer",
      "refundTo",
      "nftRecipient",
      "call3Values",
    ]);
    expect(messageOf({ spender: attacker, witness })["spender"]).to.equal(olderProxy);
    expect(messageOf({ deadline: "many", witness })["deadline"]).to.deep.equal(new Unmet("a uint256"));
  });

  it("ERC-2612: allows a payment, and is none", () => {
    const owner = { owner: user, spender: proxy, value: "5000" };
    const { expected, payment } = permissionOf({ primaryType: "Permit", value: { ...value, ...owner } });
    expect(payment).to.equal(undefined);
    expect(expected.sign.value).to.deep.equal({
      deadline: "1500",
      nonce: "7",
      owner: user,
      spender: proxy,
      value: amountIn,
    });
    expect(expected.sign.domain).to.deep.include({ name: "Permit2", verifyingContract: token });
    expect(expected.sign.domain["version"]).to.deep.equal(new Unmet("a version"));
  });

  it("ERC-3009: holds the calls in its nonce, and is valid already", () => {
    const message = {
      from: user,
      nonce: "0x",
      to: proxy,
      validAfter: "1000",
      validBefore: "1500",
      value: "5000",
      witness,
    };
    const given = { primaryType: "ReceiveWithAuthorization", value: message };
    const { expected, payment } = permissionOf(given);
    expect(expected.sign.value).to.deep.include({
      from: user,
      to: proxy,
      validAfter: "1000",
      validBefore: "1500",
    });
    expect(expected.sign.value["nonce"]).to.match(/^0x[0-9a-f]{64}$/);
    expect(payment).to.have.property("puller", undefined);
    const later = permissionOf({ ...given, value: { ...message, validAfter: "1001" } });
    expect(later.expected.sign.value["validAfter"]).to.deep.equal(
      new Unmet("at most 1000", "QUOTE_DEADLINE"),
    );
  });

  for (const [what, given, terms, request, actual] of [
    ["not asked for", {}, {}, { usePermit: undefined }, sign.primaryType],
    ["of an unknown type", { primaryType: "toString" }, {}, {}, "toString"],
    ["without calls", { value }, {}, {}, sign.primaryType],
    ["of another kind", { signatureKind: "eip191" }, {}, {}, "eip191"],
  ] as const) {
    it(`a permission ${what}: is refused`, () => {
      const { expected, payment } = permissionOf(given, terms, request);
      const text = "a permission that was asked for, with its calls";
      expect(expected.sign).to.deep.equal(new Unmet(text, "QUOTE_SIGNATURE", actual));
      expect(expected.post).to.deep.include({ endpoint: "/execute/permits", method: "POST" });
      expect(payment).to.deep.equal({ kind: "order" });
    });
  }

  it("a permission on an unknown chain: has no spender, contract or payment by it", () => {
    const { expected, payment } = permissionOf({}, { origin: undefined });
    const unknown = (role: string) => new Unmet(`a trusted ${role}`, "QUOTE_UNKNOWN_ROLE", "none is known");
    expect(expected.sign.value["spender"]).to.deep.equal(unknown("approval proxy"));
    expect(expected.sign.domain["verifyingContract"]).to.deep.equal(unknown("Permit2"));
    expect(payment).to.include({ claim: undefined, puller: undefined });
    const untrusted = permissionOf({}, { trust: { chains: [], solvers: [] } });
    expect(untrusted.expected.sign.value["witness"]).to.deep.include({ relayer: unknown("solver") });
  });
});
