import { expect } from "chai";
import fc from "fast-check";
import { parseAbi } from "viem";
import { approve } from "../../../src/calls/approve.ts";
import type { Call } from "../../../src/calls/Call.ts";
import { calls } from "../../../src/calls/calls.ts";
import { contractCall } from "../../../src/calls/contractCall.ts";
import { balanceOf } from "../../../src/calls/liveBalance.ts";
import { proxyStep } from "../../../src/calls/proxyStep.ts";
import { sweepErc20s, sweepNative } from "../../../src/calls/sweep.ts";
import { quoteCallSchema } from "../../../src/schema/quote/quoteRequest.ts";
import { address, amountEdges, bytes } from "../records/support/arbitraries.ts";
import { expectInvalid } from "../records/support/typedFailure.ts";

const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const vault = "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512";
const router = "0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f";
const proxy = "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0";
const otherProxy = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

const mint = {
  abi: parseAbi(["function mint(address to, uint256 id) payable"]),
  address: vault,
  args: [recipient, 1n],
  functionName: "mint",
  value: 10n ** 16n,
} as const;
const step = {
  abi: parseAbi(["function deposit(uint256 assets, address receiver) returns (uint256)"]),
  address: vault,
  args: [balanceOf(token), recipient],
  functionName: "deposit",
  recipient,
  token,
} as const;

const anyCall: fc.Arbitrary<Call> = fc.record({
  data: bytes(0, 80),
  to: address,
  value: fc.oneof(fc.bigInt({ max: 10n ** 30n, min: 0n }), fc.constantFrom(...amountEdges)),
});

describe("calls", () => {
  it("begins with nothing", () => {
    const { calls: list, txs, value } = calls({ router });
    expect({ list, txs, value }).to.deep.equal({ list: [], txs: [], value: 0n });
  });

  it("keeps what each method makes, in order", () => {
    const plan = calls({ proxy, router })
      .approve({ amount: 5n, resetFirst: true, spender: vault, token })
      .call(mint)
      .proxyStep(step)
      .sweepErc20s({ recipient, tokens: [token, vault] })
      .sweepNative({ recipient })
      .add({ data: "0x1234", to: vault, value: 3n });
    expect(plan.calls).to.deep.equal([
      ...approve({ amount: 5n, resetFirst: true, spender: vault, token }),
      contractCall(mint),
      ...proxyStep({ ...step, proxy }),
      sweepErc20s({ recipient, router, routerVersion: "v3", tokens: [token, vault] }),
      sweepNative({ recipient, router, routerVersion: "v3" }),
      { data: "0x1234", to: vault, value: 3n },
    ]);
    expect(plan.value).to.equal(10n ** 16n + 3n);
  });

  it("adds every call of a recipe, spread or as a list, and several recipes at once", () => {
    const recipe = proxyStep({ ...step, proxy });
    const other = { data: "0x1234", to: vault, value: 3n } as const;
    expect(calls({ router }).add(...recipe).calls).to.deep.equal(recipe);
    expect(calls({ router }).add(recipe).calls).to.deep.equal(recipe);
    expect(calls({ router }).add(recipe, other, recipe).calls).to.deep.equal([...recipe, other, ...recipe]);
  });

  it("refuses an addition of nothing, and names the place of what is no call", () => {
    expectInvalid(() => calls({ router }).add(), "calls");
    expectInvalid(() => calls({ router }).add(mint, [mint, { to: "0x12" }]), "calls[1][1].to");
    expectInvalid(() => calls({ router }).add(null as never), "calls[0]");
  });

  it("refuses an argument that a method would ignore", () => {
    const plan = calls({ proxy, router });
    const two = (method: (...given: never[]) => unknown) => () => method(...([{}, {}] as never[]));
    for (const method of [plan.approve, plan.call, plan.proxyStep, plan.sweepErc20s, plan.sweepNative]) {
      expectInvalid(two(method as never), "parameters");
    }
  });

  it("sums values and writes the wire form exactly, whatever the calls", () => {
    fc.assert(
      fc.property(fc.array(anyCall, { maxLength: 8 }), (list) => {
        const plan = list.reduce((soFar, call) => soFar.add(call), calls({ router }));
        expect(plan.calls).to.deep.equal(list);
        expect(plan.value).to.equal(list.reduce((sum, { value }) => sum + value, 0n));
        expect(plan.txs).to.deep.equal(
          list.map(({ data, to, value }) => ({ data, to, value: value.toString(10) })),
        );
        for (const tx of plan.txs) expect(quoteCallSchema.parse(tx)).to.deep.equal(tx);
        expect(JSON.parse(JSON.stringify(plan.txs))).to.deep.equal(plan.txs);
      }),
      { numRuns: 100 },
    );
  });

  it("uses the plan's proxy unless the step names another, and asks for one", () => {
    expect(calls({ proxy, router }).proxyStep(step).calls).to.deep.equal(proxyStep({ ...step, proxy }));
    const named = calls({ proxy, router }).proxyStep({ ...step, proxy: otherProxy });
    expect(named.calls).to.deep.equal(proxyStep({ ...step, proxy: otherProxy }));
    expectInvalid(() => calls({ router }).proxyStep(step), "proxy");
  });
});
