import { expect } from "chai";
import { trustOfEmulator } from "../../../emulator/index.ts";
import { getQuote, type Quote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { runInside } from "../../helpers/processes/runInside.ts";
import type { RanCommand } from "../../helpers/processes/runWaybill.ts";
import { useCommandFolder } from "../../helpers/processes/useCommandFolder.ts";
import {
  amountWord,
  attacker,
  orderOf,
  paymentOf,
  replaceWord,
  requestOf,
  transactionOf,
} from "../../helpers/quotes/quoteChanges.ts";

/** The result of `--json`. */
type Result = {
  readonly proven: boolean;
  readonly differences?: readonly Readonly<Record<string, string>>[];
  readonly quote?: Quote;
};

describe("waybill prove", () => {
  const fixture = useEmulator();
  const { emulatorFile, save } = useCommandFolder(fixture);
  let quote: Quote;
  let quoteFile: string;
  let termsFile: string;
  let request: object;
  before(async () => {
    const asked = requestOf(fixture, "USDC", "USDC");
    quote = await getQuote(fixture.client, asked);
    request = { ...asked, amount: String(asked.amount) };
    quoteFile = save("quote.json", quote);
    termsFile = save("terms.json", { policy: { minimumOutput: "48000000" }, request });
  });
  /** Saves a changed quote. */
  function altered(change: (quote: Quote) => unknown): string {
    const copy = structuredClone(quote);
    change(copy);
    return save("altered.json", copy);
  }
  /** Proves the honest quote by other terms. */
  const proveBy = (terms: string) =>
    runInside(["prove", "--file", quoteFile, "--request", terms, "--emulator", emulatorFile]);
  const prove = (file: string, ...args: readonly string[]): Promise<RanCommand> =>
    runInside(["prove", "--file", file, "--request", termsFile, "--emulator", emulatorFile, ...args]);
  const proveJson = async (file: string, ...args: readonly string[]) => {
    const { code, err, out } = await prove(file, "--json", ...args);
    return { code, err, result: JSON.parse(out) as Result };
  };

  it("an honest quote of a file: exit code 0, and --json prints the quote to sign", async () => {
    const ran = await prove(quoteFile);
    expect(ran).to.include({ code: 0, err: "" });
    expect(ran.out).to.include(`proven: order ${orderOf(quote).protocol.orderId}`);
    const { code, result } = await proveJson(quoteFile);
    expect({ code, proven: result.proven }).to.deep.equal({ code: 0, proven: true });
    expect(result.quote?.steps).to.have.length(quote.steps.length);
    expect(paymentOf(result.quote as Quote).data).to.equal(paymentOf(quote).data);
  });

  it("a same-chain swap: --json prints the quote with the guard, which is not in the given one", async () => {
    const asked = requestOf(fixture, "USDC", "ETH", { sameChain: true });
    const swap = await getQuote(fixture.client, asked);
    const terms = { policy: { minimumOutput: "1" }, request: { ...asked, amount: String(asked.amount) } };
    const args = ["--file", save("swap.json", swap), "--request", save("swap-terms.json", terms)];
    const nodes = ["--rpc-url", `31337=${fixture.alpha.info.rpcUrl}`];
    const ran = await runInside(["prove", ...args, "--emulator", emulatorFile, "--json", ...nodes]);
    expect(ran.code, ran.out + ran.err).to.equal(0);
    const { quote: proven } = JSON.parse(ran.out) as { quote: Quote };
    const guard =
      trustOfEmulator(fixture.emulator.info).chains[0]?.outputGuard?.slice(2).toLowerCase() ?? "none";
    expect(paymentOf(proven).data?.toLowerCase()).to.include(guard);
    expect(paymentOf(swap).data?.toLowerCase()).to.not.include(guard);
  });

  const changes: readonly (readonly [title: string, code: string, change: (quote: Quote) => unknown])[] = [
    [
      "another recipient",
      "QUOTE_RECIPIENT",
      ({ details }) => Object.assign(details, { recipient: attacker }),
    ],
    [
      "an unlimited approval",
      "QUOTE_AMOUNT",
      (given) => replaceWord(transactionOf(given, 0), amountWord(given), "f".repeat(64)),
    ],
    ["no steps at all", "QUOTE_FORM", (given) => Object.assign(given, { steps: undefined })],
  ];
  for (const [title, code, change] of changes) {
    it(`${title}: exit code 1, and the difference is named as ${code}`, async () => {
      const file = altered(change);
      const { code: exit, err, result } = await proveJson(file);
      expect({ err, exit, proven: result.proven }).to.deep.equal({ err: "", exit: 1, proven: false });
      const found = result.differences?.find((each) => each["code"] === code);
      expect(found, JSON.stringify(result.differences)).to.have.keys("actual", "code", "expected", "path");
      const text = await prove(file);
      expect(text.code).to.equal(1);
      expect(text.out).to.include(`${code} ${found?.["path"]}\n`);
      expect(text.out).to.match(/refused, with (?:1 difference|\d+ differences): sign nothing/);
    });
  }

  it("no policy: exit code 1, because nothing bounds the price", async () => {
    const terms = save("bare.json", { request });
    const ran = await proveBy(terms);
    expect(ran.code).to.equal(1);
    expect(ran.out).to.include("QUOTE_BOUNDS");
  });

  const mistakes: readonly (readonly [title: string, named: string, terms: () => unknown])[] = [
    [
      "a request without a user",
      "request.user",
      () => ({ policy: {}, request: { ...request, user: undefined } }),
    ],
    ["a policy alone", "`request`", () => ({ policy: { minimumOutput: "1" } })],
    ["a request that is null", "request", () => ({ request: null })],
    ["a misspelt bound", "policy.minimumOutpt", () => ({ policy: { minimumOutpt: "1" }, request })],
    [
      "a bound in whole tokens",
      "policy.minimumOutput",
      () => ({ policy: { minimumOutput: "49.5" }, request }),
    ],
    ["a third part", "neither request nor policy", () => ({ quote, request })],
    ["a list", "not a JSON object", () => []],
  ];
  for (const [title, named, terms] of mistakes) {
    it(`${title} in the request's file: exit code 2, and the line names it`, async () => {
      const file = save("mistake.json", terms());
      const ran = await proveBy(file);
      expect({ code: ran.code, out: ran.out }).to.deep.equal({ code: 2, out: "" });
      expect(ran.err).to.include(named);
    });
  }
});
