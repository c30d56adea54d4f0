import { expect } from "chai";
import { verifyClaim } from "../../../src/client/index.ts";
import { claimStep, claimTypedData } from "../../../src/client/internal/claimForm.ts";

const wallet = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const currency = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const requestId = `0x${"ab".repeat(32)}` as const;
const now = 1_700_000_000_000;
const terms = { chainId: 8453, currency, minimumPayout: 90n, now, recipient: wallet, wallet };

describe("verifyClaim of a step with a changed field", () => {
  const honest = () =>
    structuredClone(
      claimStep(
        requestId,
        claimTypedData({
          amount: "100",
          chainId: 8453,
          currency,
          deadline: now / 1_000 + 60,
          payout: "95",
          recipient: wallet,
          requestId,
          wallet,
        }),
      ),
    ) as never as { items: { data: { post: never; sign: { value: Record<string, unknown> } } }[] };

  it("any value in any field: returns the asked claim, or throws by name", () => {
    const odd = [
      null,
      "",
      0,
      "0",
      "1",
      -1,
      1e21,
      "1e3",
      "0x5f",
      "95 ",
      " 95",
      ["95"],
      { toString: () => "95" },
      true,
      "٩٥",
      "0095",
      `0x${"00".repeat(20)}`,
      "x\u001b[2J",
      Number.NaN,
      2 ** 53,
      "9".repeat(78),
      "9".repeat(79),
      [],
      {},
    ];
    const paths: string[][] = [];
    const walk = (value: unknown, path: string[]) => {
      if (typeof value !== "object" || value === null) return;
      for (const name of Object.keys(value)) {
        paths.push([...path, name]);
        walk((value as Record<string, unknown>)[name], [...path, name]);
      }
    };
    walk(honest(), []);
    for (const path of paths) {
      for (const value of odd) {
        const step = honest();
        let at: Record<string, unknown> = step as never;
        for (const name of path.slice(0, -1)) at = at[name] as never;
        at[path.at(-1) as string] = value;
        let result: unknown;
        try {
          result = verifyClaim({ ...terms, steps: [step] });
        } catch (error) {
          expect((error as { code?: string }).code, `${path.join(".")} ${String(error)}`).to.match(/^CLAIM_/);
          continue;
        }
        const { steps } = result as { steps: ReturnType<typeof honest>[] };
        const signed = steps[0]?.items[0]?.data.sign.value ?? {};
        expect(signed).to.include({ chainId: 8453, recipient: wallet, wallet });
        expect(BigInt(signed.payout as string) >= 90n).to.equal(true);
        expect(Number(signed.deadline) <= now / 1_000 + 3_600).to.equal(true);
      }
    }
  });

  it("a getter that answers twice: throws, because it would show the signer another value", () => {
    const step = honest();
    let reads = 0;
    Object.defineProperty(step.items[0]?.data.sign.value, "payout", {
      enumerable: true,
      get: () => (reads++ === 0 ? "95" : "1"),
    });
    expect(() => verifyClaim({ ...terms, steps: [step] })).to.throw();
  });
});
