import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { trustOfEmulator } from "../../../emulator/index.ts";
import { getQuote, type Quote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { runInside } from "../../helpers/processes/runInside.ts";
import { type RanCommand, runWaybill } from "../../helpers/processes/runWaybill.ts";
import {
  amountWord,
  attacker,
  orderOf,
  paymentOf,
  replaceWord,
  requestOf,
  strayId,
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
  let folder: string;
  let emulatorFile: string;
  let quote: Quote;
  let quoteFile: string;
  let termsFile: string;
  let request: object;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "waybill-prove-"));
    emulatorFile = save("emulator.json", fixture.emulator.info);
    const asked = requestOf(fixture, "USDC", "USDC");
    quote = await getQuote(fixture.client, asked);
    request = { ...asked, amount: String(asked.amount) };
    quoteFile = save("quote.json", quote);
    termsFile = save("terms.json", { policy: { minimumOutput: "48000000" }, request });
  });
  after(() => rmSync(folder, { force: true, recursive: true }));

  function save(name: string, value: unknown): string {
    const file = join(folder, name);
    writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
    return file;
  }
  /** Saves a changed quote. */
  function altered(change: (quote: Quote) => unknown): string {
    const copy = structuredClone(quote);
    change(copy);
    return save("altered.json", copy);
  }
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

  it("an honest quote from stdin, and a request from stdin: exit code 0", async () => {
    const flags = ["prove", "--emulator", emulatorFile];
    const input = JSON.stringify(quote);
    const fromStdin = await runWaybill([...flags, "--request", termsFile], { input });
    expect(fromStdin.code, fromStdin.err).to.equal(0);
    const terms = JSON.stringify({ policy: { minimumOutput: "48000000" }, request });
    const other = await runWaybill([...flags, "--file", quoteFile, "--request", "-"], { input: terms });
    expect(other.code, other.err).to.equal(0);
  }).timeout(30_000);

  it("a request and a policy in two files: exit code 0, and both policies: exit code 2", async () => {
    const requestFile = save("request.json", request);
    const policyFile = save("policy.json", {
      maximumInput: "60000000",
      minimumOutput: "48000000",
      trust: trustOfEmulator(fixture.emulator.info),
    });
    const flags = ["prove", "--file", quoteFile, "--policy", policyFile];
    const ran = await runInside([...flags, "--request", requestFile]);
    expect(ran, ran.out).to.include({ code: 0, err: "" });
    const both = await runInside([...flags, "--request", termsFile]);
    expect(both.code).to.equal(2);
    expect(both.err).to.include("leave --policy out");
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
      "another order",
      "QUOTE_ORDER_ID",
      (given) => replaceWord(paymentOf(given), orderOf(given).protocol.orderId, strayId),
    ],
    [
      "a lower output",
      "QUOTE_OUTPUT",
      (given) => Object.assign(orderOf(given).payment, { minimumAmount: "1" }),
    ],
    [
      "an untrusted solver",
      "QUOTE_SOLVER",
      (given) => Object.assign(orderOf(given).order, { solver: attacker }),
    ],
    ["another contract", "QUOTE_TARGET", (given) => Object.assign(paymentOf(given), { to: attacker })],
    ["another chain", "QUOTE_CHAIN", (given) => Object.assign(paymentOf(given), { chainId: 1 })],
    [
      "an unlimited approval",
      "QUOTE_AMOUNT",
      (given) => replaceWord(transactionOf(given, 0), amountWord(given), "f".repeat(64)),
    ],
    ["an unknown call", "QUOTE_CALL", (given) => Object.assign(paymentOf(given), { data: "0x12345678" })],
    ["no payment", "QUOTE_PAYMENT", ({ steps }) => steps.pop()],
    [
      "an expired order",
      "QUOTE_DEADLINE",
      (given) => Object.assign(orderOf(given).order.output, { deadline: 1 }),
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

  it("a bound above the quote: exit code 1, and the bound is named", async () => {
    const terms = save("dear.json", { policy: { minimumOutput: "60000000" }, request });
    const ran = await runInside([
      "prove",
      "--file",
      quoteFile,
      "--request",
      terms,
      "--emulator",
      emulatorFile,
    ]);
    expect(ran.code).to.equal(1);
    expect(ran.out).to.include("QUOTE_OUTPUT").and.include("60000000");
  });

  it("no policy: exit code 1, because nothing bounds the price", async () => {
    const terms = save("bare.json", { request });
    const ran = await runInside([
      "prove",
      "--file",
      quoteFile,
      "--request",
      terms,
      "--emulator",
      emulatorFile,
    ]);
    expect(ran.code).to.equal(1);
    expect(ran.out).to.include("QUOTE_BOUNDS");
  });

  it("no named service: the public service's trust roots, which know no local chain", async () => {
    const ran = await runInside(["prove", "--file", quoteFile, "--request", termsFile]);
    expect(ran.code).to.equal(1);
    expect(ran.out).to.include("QUOTE_UNKNOWN_CHAIN");
  });

  it("a URL without trust roots: exit code 2", async () => {
    const ran = await runInside([
      "prove",
      "--file",
      quoteFile,
      "--request",
      termsFile,
      "--url",
      "http://127.0.0.1:1",
    ]);
    expect(ran.code).to.equal(2);
    expect(ran.err).to.include("No trusted source");
  });

  it("a quote that brings its own request and policy: is read as a quote alone, and refused without --request", async () => {
    const own = save("own.json", { policy: { bounds: "none" }, quote, request });
    const ran = await runInside(["prove", "--file", own, "--emulator", emulatorFile]);
    expect(ran.code).to.equal(2);
    expect(ran.err).to.include("--request");
    const { code, result } = await proveJson(own);
    expect(code).to.equal(1);
    expect(result.differences?.map((each) => each["code"])).to.deep.equal(["QUOTE_FORM"]);
  });

  const mistakes: readonly (readonly [title: string, named: string, terms: () => unknown])[] = [
    [
      "a request without a user",
      "request.user",
      () => ({ policy: {}, request: { ...request, user: undefined } }),
    ],
    ["a policy alone", "request.user", () => ({ policy: { minimumOutput: "1" } })],
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
      const ran = await runInside([
        "prove",
        "--file",
        quoteFile,
        "--request",
        file,
        "--emulator",
        emulatorFile,
      ]);
      expect({ code: ran.code, out: ran.out }).to.deep.equal({ code: 2, out: "" });
      expect(ran.err).to.include(named);
    });
  }

  it("hostile text in a quote: no line, colour or direction of it reaches the terminal, and --json parses", async () => {
    const evil = "\u001b[2J\u001b[8mx\nproven: order 0x12\r\u202e\u2028\u009b2J".padEnd(9_000, "y");
    const file = altered((given) => {
      Object.assign(given.details, { recipient: evil });
      Object.assign(paymentOf(given), { chainId: 1 });
      Object.assign(given.steps[0] ?? {}, { requestId: evil });
    });
    const { code, out } = await prove(file);
    expect(code).to.equal(1);
    expect(out)
      .to.not.match(/(?!\n)\p{Cc}|\p{Bidi_Control}|[\u2028\u2029]/u)
      .and.not.match(/^proven/m);
    for (const line of out.split("\n")) expect(line.length).to.be.lessThan(700);
    const json = await prove(file, "--json");
    expect(json.out).to.not.match(/(?!\n)\p{Cc}|\p{Bidi_Control}|[\u2028\u2029]/u);
    expect((JSON.parse(json.out) as Result).proven).to.equal(false);
  });

  it("a node of another chain: exit code 2, and an unreachable one: exit code 3", async () => {
    const other = await prove(quoteFile, "--rpc-url", `31337=${fixture.beta.info.rpcUrl}`);
    expect(other.code).to.equal(2);
    expect(other.err).to.include("is of chain 31338");
    const closed = await prove(quoteFile, "--rpc-url", "31337=http://127.0.0.1:1");
    expect(closed.code).to.equal(3);
  });

  it("nodes of both chains: a symbol that is not the token's is found, which is not without them", async () => {
    const nodes = [fixture.alpha, fixture.beta].flatMap(({ info }) => [
      "--rpc-url",
      `${info.id}=${info.rpcUrl}`,
    ]);
    expect((await prove(quoteFile, ...nodes)).code).to.equal(0);
    const file = altered(({ details }) => Object.assign(details.currencyIn.currency, { symbol: "DAI" }));
    expect((await prove(file)).code).to.equal(0);
    const { code, result } = await proveJson(file, ...nodes);
    expect(code).to.equal(1);
    expect(result.differences?.map((each) => each["code"])).to.deep.equal(["QUOTE_DISPLAY"]);
  });

  it("a quote of 200 MB of numbers: is refused with JSON, and the process does not crash", async () => {
    const file = save("large.json", `[${"1,".repeat(104_857_600)}1]`);
    const flags = ["prove", "--file", file, "--request", termsFile, "--json"];
    const { code, err, out } = await runWaybill(flags);
    expect([1, 2]).to.include(code);
    expect(() => JSON.parse(out === "" ? err : out)).to.not.throw();
  }).timeout(60_000);

  it("a quote or terms of 200,000 levels: is refused, and the process does not crash", async () => {
    const levels = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const deep = save("levels.json", JSON.stringify({ ...quote, deep: "@" }).replace('"@"', levels));
    const flags = ["--json", "--emulator", emulatorFile];
    for (const [given, terms] of [
      [deep, termsFile],
      [quoteFile, deep],
    ] as const) {
      const { code } = await runWaybill(["prove", "--file", given, "--request", terms, ...flags]);
      expect([1, 2]).to.include(code);
    }
  }).timeout(60_000);
});
