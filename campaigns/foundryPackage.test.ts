import { execFile } from "node:child_process";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { installLibrary } from "./support/installLibrary.ts";

const run = promisify(execFile);
const require = createRequire(import.meta.url);
/** MIT or Apache-2.0. Its binary of 85 MB is installed here alone, from the registry. */
const FORGE = "@foundry-rs/forge@1.7.1";

/** Packages with a compiler that projects may have: the lowest of the receivers, that of the proxy, and the newest. */
const COMPILERS = [
  { compiler: "solc-lowest", skipped: ["--skip", "Proxy.t.sol"], tests: 2 },
  { compiler: "solc-transient", skipped: [], tests: 3 },
  { compiler: "solc", skipped: [], tests: 3 },
] as const;

const files: Readonly<Record<string, string>> = {
  "foundry.toml": `
[profile.default]
libs = ["node_modules"]
solc = "./solc"`,
  "src/Shop.sol": `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {PinnedReceiver} from "waybill/contracts/receiver/PinnedReceiver.sol";
import {PausePolicy} from "waybill/contracts/receiver/policies/PausePolicy.sol";
import {TwoStepOwner} from "waybill/contracts/receiver/policies/TwoStepOwner.sol";

contract Shop is PinnedReceiver {
    constructor(address solver) PinnedReceiver(solver, solver, Binding.Receiver, solver) {}
}

contract Till is PausePolicy {
    constructor() TwoStepOwner(msg.sender) {}

    function pay() external payable {
        checkNotPaused();
    }
}`,
  "test/Receivers.t.sol": `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IPausePolicy} from "waybill/contracts/interfaces/receiver/policies/IPausePolicy.sol";
import {ManagedReceiver} from "waybill/contracts/receiver/ManagedReceiver.sol";
import {OrderReceiver} from "waybill/contracts/receiver/OrderReceiver.sol";
import {SignatureRecord} from "waybill/contracts/records/SignatureRecord.sol";
import {Shop, Till} from "../src/Shop.sol";

interface Vm {
    function addr(uint256 key) external pure returns (address);
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
}

contract ReceiversTest {
    using SignatureRecord for SignatureRecord.Record;
    using SignatureRecord for address;

    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    uint256 private constant KEY = 7;

    function test_TakesASignedPaymentOnce() external {
        address solver = vm.addr(KEY);
        Shop shop = new Shop(solver);
        SignatureRecord.Record memory record = SignatureRecord.Record({
            requestId: keccak256("request"),
            originChainId: block.chainid,
            originUser: address(shop).word(),
            originCurrency: address(0).word(),
            originAmount: 1 ether,
            destinationChainId: 10,
            destinationUser: address(this).word()
        });
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, record.digest());
        bytes memory signature = abi.encodePacked(r, s, v);
        shop.deposit{value: 1 ether}(record.requestId, 10, record.destinationUser, signature);
        require(solver.balance == 1 ether, "the solver is not paid");
        try shop.deposit{value: 1 ether}(record.requestId, 10, record.destinationUser, signature) {
            revert("the second payment is accepted");
        } catch {}
        require(solver.balance == 1 ether, "the solver is paid twice");
    }

    function test_RevertWhen_ThePolicyPausesPayments() external {
        Till till = new Till();
        till.pay{value: 1}();
        till.setPaused(true);
        try till.pay{value: 1}() {
            revert("the payment is accepted");
        } catch (bytes memory reason) {
            require(bytes4(reason) == IPausePolicy.DepositsPaused.selector, "another error");
        }
    }
}`,
  "test/Proxy.t.sol": `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {BalanceExecutor} from "waybill/contracts/proxy/BalanceExecutor.sol";
import {BalanceProxy} from "waybill/contracts/proxy/BalanceProxy.sol";

contract ProxyTest {
    function test_DeploysItsExecutor() external {
        BalanceProxy proxy = new BalanceProxy();
        require(BalanceExecutor(payable(proxy.executor())).proxy() == address(proxy), "another proxy");
    }
}`,
};

/** A program that answers forge as the native solc does, by the compiler of an npm package. */
const solcProgram = (compiler: string): string => `#!${process.execPath}
const solc = require(${JSON.stringify(require.resolve(compiler))});
const asked = process.argv.includes("--standard-json");
console.log(asked ? solc.compile(require("node:fs").readFileSync(0, "utf8")) : "Version: " + solc.version());`;

describe("the packed contracts in a Foundry project", () => {
  let project: string;
  before("packing and installing", async function () {
    this.timeout(300_000);
    project = await installLibrary(files, []);
    const flags = [
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--prefix",
      join(dirname(project), "foundry"),
    ];
    await run("npm", ["install", ...flags, FORGE], { cwd: dirname(project) });
  });

  after("removing the project", () => rmSync(dirname(project), { force: true, recursive: true }));

  for (const { compiler, skipped, tests } of COMPILERS) {
    it(`compiled by ${compiler}, are inherited from, deployed and paid`, async () => {
      writeFileSync(join(project, "solc"), solcProgram(compiler));
      chmodSync(join(project, "solc"), 0o755);
      const forge = join(dirname(project), "foundry", "node_modules", ".bin", "forge");
      const flags = ["test", "--force", "--offline", "--json", ...skipped];
      const { stdout } = await run(forge, flags, { cwd: project });
      const suites: Record<string, { test_results: Record<string, { status: string }> }> = JSON.parse(stdout);
      const statuses = Object.values(suites).flatMap((suite) => Object.values(suite.test_results));
      expect(statuses.map(({ status }) => status)).to.deep.equal(Array(tests).fill("Success"));
    }).timeout(120_000);
  }
});
