import { expect } from "chai";
import fc from "fast-check";
import { routerVersions } from "../../../../emulator/chains/Chain.ts";
import { type Intent, parseIntent, serializeIntent } from "../../../../emulator/requests/Intent.ts";
import { tradeTypes } from "../../../../src/schema/quote/tradeType.ts";
import { requestTypes } from "../../../../src/schema/request/requestType.ts";
import { address, bytes, bytes32, uint256 } from "../../records/support/arbitraries.ts";
import { intent } from "../support/requests.ts";

const bps = fc.integer({ max: 10_000, min: 0 });
const count = fc.nat(Number.MAX_SAFE_INTEGER);
const chainId = fc.integer({ max: Number.MAX_SAFE_INTEGER, min: 1 });
const anyIntent: fc.Arbitrary<Intent> = fc.record({
  appFees: fc.array(fc.record({ amount: uint256, bps, recipient: address }), { maxLength: 3 }),
  deposit: fc.record({
    amount: uint256,
    currency: address,
    minimumAmount: uint256,
    via: fc.constantFrom("depository", "self"),
  }),
  destination: fc.record({ amount: uint256, chainId, currency: address, minimumAmount: uint256 }),
  expiresAt: count,
  fill: fc.record({
    amount: uint256,
    currency: address,
    maximumAmount: uint256,
    path: fc.array(address, { maxLength: 3 }),
  }),
  kind: fc.constantFrom(...requestTypes),
  orderId: bytes32,
  origin: fc.record({ amount: uint256, chainId, currency: address }),
  own: fc.option(fc.record({ dataHash: bytes32, to: address, value: uint256 })),
  recipient: address,
  refundTo: address,
  requestId: bytes32,
  routerVersion: fc.constantFrom(...routerVersions),
  slippageBps: bps,
  tradeType: fc.constantFrom(...tradeTypes),
  txs: fc.array(fc.record({ data: bytes(0, 300), to: address, value: uint256 }), { maxLength: 5 }),
  txsGasLimit: fc.option(count),
  useExternalLiquidity: fc.boolean(),
  user: address,
});

describe("Intent", () => {
  it("any intent: is parsed as it was serialized", () => {
    fc.assert(
      fc.property(anyIntent, (written) => {
        expect(parseIntent(serializeIntent(written))).to.deep.equal(written);
      }),
    );
  });

  it("an intent with a missing or malformed field: throws", () => {
    const stored: Record<string, unknown> = JSON.parse(serializeIntent(intent));
    for (const field of Object.keys(stored)) {
      const { [field]: _, ...rest } = stored;
      expect(() => parseIntent(JSON.stringify(rest)), field).to.throw();
    }
    for (const damage of [
      { recipient: "0x12" },
      { orderId: "0x" },
      { origin: { ...intent.origin, amount: "-1" } },
    ]) {
      expect(() => parseIntent(JSON.stringify({ ...stored, ...damage })), JSON.stringify(damage)).to.throw();
    }
    expect(() => parseIntent("{")).to.throw();
  });
});
