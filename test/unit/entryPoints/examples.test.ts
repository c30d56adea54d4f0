import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { expect } from "chai";
import { checkDocumented } from "../../../scripts/checks/documented.ts";
import { type Export, readEntryPoints } from "../../../scripts/checks/entryPoints.ts";
import { type ExampleOutcome, withChecks, withGivens } from "./support/exampleRunner.ts";
import { type ExampleService, startExampleService } from "./support/exampleService.ts";

describe("the examples of what the entry points export", () => {
  const entries = readEntryPoints();
  const examples = new Map<string, Export & { specifier: string }>();
  for (const { exports, specifier } of entries) {
    for (const exported of exports) {
      const key = `${exported.file} ${exported.name}`;
      if (exported.examples.length > 0 && !examples.has(key)) examples.set(key, { ...exported, specifier });
    }
  }

  let child: ChildProcess;
  let service: ExampleService;

  before("starting", async function () {
    this.timeout(60_000);
    service = await startExampleService();
    child = fork(new URL("./support/exampleRunner.ts", import.meta.url), {
      execArgv: ["--disable-warning=ExperimentalWarning"],
      // Example inputs have bigint amounts, which JSON lacks.
      serialization: "advanced",
    });
  });

  after("stopping", async () => {
    child.kill();
    await service.stop();
  });

  async function run(code: string): Promise<string | undefined> {
    child.send({ code: service.move(code), givens: service.given(code), hosts: service.hosts });
    const [outcome] = (await once(child, "message")) as [ExampleOutcome];
    return outcome.failure;
  }

  for (const { examples: codes, name, specifier } of examples.values()) {
    for (const code of codes) {
      it(`run for ${name} of ${specifier}, and give what they say`, async () => {
        const failure = await run(code);
        expect(failure, failure).to.equal(undefined);
      }).timeout(30_000);
    }
  }

  it("would fail if they gave anything else than they say, or threw", async () => {
    expect(
      await run('import { svmChainId } from "waybill/svm";\n\nconsole.log(svmChainId); // 1'),
    ).to.contain("It says [ 1 ]");
    expect(
      await run('import { decodeSvmAddress } from "waybill/svm";\n\ndecodeSvmAddress({ address: "0" });'),
    ).to.contain("InvalidParameterError");
  });

  it("are compared with the value in a comment after a call, when the comment is a value", () => {
    expect(withChecks("f(1); // 2")).to.equal("globalThis.expectValue([f(1)], [2]);");
    expect(withChecks("console.log(a, b);\n// [1]")).to.equal("globalThis.expectValue([a, b], [[1]]);");
    expect(withChecks("console.log(a); // the id")).to.equal("console.log(a); // the id");
  });

  it("are given what they only declare, and nothing that is not known", () => {
    expect(withGivens("declare const order: Order;\nf(order);")).to.equal(
      "const order: Order = globalThis.givens.order;\nf(order);",
    );
    expect(() => service.given("declare const fortune: bigint;")).to.throw("given no fortune");
  });

  it("are there for every function and class, and a sentence for all that is exported", () => {
    expect(checkDocumented(entries)).to.deep.equal([]);
  });
});
