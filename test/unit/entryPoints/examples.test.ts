import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "chai";
import { type Emulator, startEmulator } from "../../../emulator/index.ts";
import { checkDocumented } from "../../../scripts/checks/documented.ts";
import { type Export, readEntryPoints } from "../../../scripts/checks/entryPoints.ts";
import { root } from "../../../scripts/checks/runTool.ts";
import type { ExampleOutcome } from "../../helpers/exampleRunner.ts";
import { withChecks } from "../../helpers/exampleRunner.ts";

/** An example that ends is good. One about somebody's request ends with the answer that there is none. */
const answered = /^(?:undefined|(?:HttpError|NetworkError): (?:GET|POST) https:)/;

describe("the examples of what the entry points export", () => {
  const entries = readEntryPoints();
  const examples = new Map<string, Export & { specifier: string }>();
  for (const { exports, specifier } of entries) {
    for (const exported of exports) {
      const key = `${exported.file} ${exported.name}`;
      if (exported.examples.length > 0 && !examples.has(key)) examples.set(key, { ...exported, specifier });
    }
  }

  let addresses: Record<string, string>;
  let child: ChildProcess;
  let emulator: Emulator;

  before("starting", async function () {
    this.timeout(60_000);
    emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
    const [alpha, beta] = emulator.info.chains;
    addresses = {
      "http://127.0.0.1:4000": emulator.info.apiUrl,
      "http://127.0.0.1:8545": alpha?.rpcUrl ?? "",
      "http://127.0.0.1:8546": beta?.rpcUrl ?? "",
    };
    child = fork(join(root, "test", "helpers", "exampleRunner.ts"), {
      execArgv: ["--disable-warning=ExperimentalWarning"],
    });
  });

  after("stopping", async () => {
    child.kill();
    await emulator.stop();
  });

  async function run(code: string): Promise<string> {
    child.send({ addresses, code });
    const [outcome] = (await once(child, "message")) as [ExampleOutcome];
    return String(outcome.failure);
  }

  for (const { examples: codes, name, specifier } of examples.values()) {
    for (const code of codes) {
      // What only a reader has, such as an order of theirs: nothing can run without it.
      if (/^declare const /m.test(code)) continue;
      it(`run for ${name} of ${specifier}, and give what they say`, async () => {
        expect(await run(code)).to.match(answered);
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

  it("are held to what they say in a comment behind a value, when that is a value itself", () => {
    expect(withChecks("f(1); // 2")).to.equal("globalThis.expectValue([f(1)], [2]);");
    expect(withChecks("console.log(a, b);\n// [1]")).to.equal("globalThis.expectValue([a, b], [[1]]);");
    expect(withChecks("console.log(a); // the id")).to.equal("console.log(a); // the id");
  });

  it("are there for all that has a value, and a sentence for all that is exported", () => {
    expect(checkDocumented(entries)).to.deep.equal([]);
  });
});
