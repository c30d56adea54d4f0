import { expect } from "chai";
import { type Address, type Hex, parseSignature, parseUnits } from "viem";
import { localDollarAbi } from "../../../src/abi/index.ts";
import {
  type ClaimAppFeesParameters,
  createClient,
  type Quote,
  submitSignature,
} from "../../../src/client/index.ts";
import { ClaimMismatchError } from "../../../src/errors/ClaimMismatchError.ts";
import { balanceOf, claimIdOf, earn, startClaim } from "../../helpers/appFees/claims.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { signatureOf, signQuote } from "../../helpers/quotes/permits.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";

/** Types of an authorization of ERC-3009. */
const types = {
  ReceiveWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
};

describe("a hostile service that answers a claim of app fees", () => {
  const fixture = useEmulator();
  const owner = () => fixture.alpha.wallet(5).account;
  const attacker = () => fixture.alpha.wallet(6);
  const stolen = parseUnits("1000", 6);

  /** A client whose service changes the answers to claims. */
  const clientOf = (change: (answer: { steps: Quote["steps"] }) => unknown) =>
    createClient({
      baseUrl: fixture.emulator.info.apiUrl,
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        if (!url.endsWith("/claim")) return answer;
        const body = (await answer.json()) as { steps: Quote["steps"] };
        change(body);
        return new Response(JSON.stringify(body), answer);
      },
    });

  /** Replaces the typed data of a claim by an authorization of 1,000 USDC for the attacker. */
  const authorize = (domain: object) => (answer: { steps: Quote["steps"] }) => {
    const value = {
      from: owner().address,
      nonce: `0x${"5a".repeat(32)}`,
      to: attacker().account.address,
      validAfter: "0",
      validBefore: "4102444800",
      value: stolen.toString(),
    };
    const { sign } = signatureOf(answer as Quote);
    Object.assign(sign, { domain, primaryType: "ReceiveWithAuthorization", types, value });
  };

  async function domainOf(token: Address) {
    const [, name, version, chainId, verifyingContract] = await fixture.alpha.reader.readContract({
      abi: localDollarAbi,
      address: token,
      functionName: "eip712Domain",
    });
    return { chainId: Number(chainId), name, verifyingContract, version };
  }

  it("P3: a claim that is a ReceiveWithAuthorization of 1,000 USDC is refused, and would have taken them", async () => {
    const { alpha } = fixture;
    const token = alpha.currency("USDC");
    await earn(fixture, owner().address);
    const held = await alpha.balanceOf(token, owner().address);
    expect(held >= stolen).to.equal(true);
    const hostile = clientOf(authorize(await domainOf(token)));
    const error = await startClaim({ ...fixture, client: hostile }, owner().address).catch((e: unknown) => e);
    expect(error).to.be.instanceOf(ClaimMismatchError).and.include({
      actual: "ReceiveWithAuthorization",
      code: "CLAIM_FORM",
      path: "steps.0.items.0.data.sign.primaryType",
    });
    expect(await alpha.balanceOf(token, owner().address)).to.equal(held);

    // The same answer, signed without the proof.
    const path = `${fixture.emulator.info.apiUrl}/app-fees/${owner().address}/claim`;
    const asked = { chainId: alpha.info.id, currency: token, recipient: owner().address };
    const answer = await hostile.fetch(path, {
      body: JSON.stringify(asked),
      headers: { "content-type": "application/json" },
      method: "POST",
    });
    const unproven = (await answer.json()) as Quote;
    const { r, s, v } = parseSignature(await signQuote(owner(), unproven));
    const { from, nonce, to, validAfter, validBefore, value } = signatureOf(unproven).sign.value as Record<
      string,
      string
    >;
    const hash = await attacker().writeContract({
      abi: localDollarAbi,
      address: token,
      args: [
        ...([from as Address, to as Address] as const),
        ...([BigInt(value ?? 0), BigInt(validAfter ?? 0), BigInt(validBefore ?? 0)] as const),
        ...([nonce as Hex, Number(v), r, s] as const),
      ],
      functionName: "receiveWithAuthorization",
    });
    await alpha.reader.waitForTransactionReceipt({ hash });
    expect(held - (await alpha.balanceOf(token, owner().address))).to.equal(stolen);
  });

  const changes: readonly (readonly [title: string, code: string, field: string, value: () => unknown])[] = [
    ["the attacker as recipient", "CLAIM_RECIPIENT", "recipient", () => attacker().account.address],
    ["a payout of one unit", "CLAIM_PAYOUT", "payout", () => "1"],
    ["another currency", "CLAIM_CURRENCY", "currency", () => fixture.alpha.currency("USDT")],
    ["the other chain", "CLAIM_CHAIN", "chainId", () => fixture.beta.info.id],
  ];
  for (const [title, code, field, value] of changes) {
    it(`that names ${title} is refused as ${code}, and the balance stays`, async () => {
      await earn(fixture, owner().address);
      const held = await balanceOf(fixture, owner().address);
      const client = clientOf((answer) =>
        Object.assign(signatureOf(answer as Quote).sign.value, { [field]: value() }),
      );
      const terms = { minimumPayout: 10_000_000n };
      const error = await startClaim({ ...fixture, client }, owner().address, terms).catch((e: unknown) => e);
      expect(error).to.be.instanceOf(ClaimMismatchError).and.have.property("code", code);
      expect(await balanceOf(fixture, owner().address)).to.equal(held);
    });
  }

  it("the documented message of 32 bytes: is refused as CLAIM_OPAQUE, and claims with allowOpaqueMessage", async () => {
    const { alpha, client, emulator } = fixture;
    await earn(fixture, owner().address);
    const recipient = fresh();
    const documented = clientOf((answer) => {
      const { post } = signatureOf(answer as Quote);
      const [step] = answer.steps;
      if (step?.kind !== "signature" || step.items[0]?.data === undefined) throw new Error("no signature");
      step.items[0].data.sign = { message: String(post.body["requestId"]), signatureKind: "eip191" };
    });
    const start = (more: Partial<ClaimAppFeesParameters>) =>
      startClaim({ ...fixture, client: documented }, owner().address, { recipient, ...more });
    const error = await start({}).catch((e: unknown) => e);
    expect(error).to.be.instanceOf(ClaimMismatchError).and.have.property("code", "CLAIM_OPAQUE");
    const claim = await start({ allowOpaqueMessage: true });
    const [step] = claim.steps;
    const data = step?.kind === "signature" ? step.items[0]?.data : undefined;
    if (data?.sign.signatureKind !== "eip191") throw new Error("there is no message to sign");
    const signature = await alpha.wallet(5).signMessage({ message: { raw: data.sign.message as Hex } });
    await submitSignature(client, { ...data.post, signature });
    await reached(emulator, claimIdOf(claim), "success", "failure");
    expect((await alpha.balanceOf(alpha.currency("USDC"), recipient)) > 0n).to.equal(true);
  });

  it("an honest answer passes with its bound, and pays the recipient at least that", async () => {
    const { alpha, client, emulator } = fixture;
    await earn(fixture, owner().address);
    const recipient = fresh();
    const minimumPayout = 24_000_000n;
    const claim = await startClaim(fixture, owner().address, { minimumPayout, recipient });
    const signature = await signQuote(owner(), claim as Quote);
    await submitSignature(client, { ...signatureOf(claim as Quote).post, signature });
    await reached(emulator, claimIdOf(claim), "success", "failure");
    expect((await alpha.balanceOf(alpha.currency("USDC"), recipient)) >= minimumPayout).to.equal(true);
  });
});
