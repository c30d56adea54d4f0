import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { LAYERS } from "../../../../scripts/checks/imports/layers.ts";
import { checkSolidityImports } from "../../../../scripts/checks/imports/solidityImports.ts";
import { checkTypescriptImports } from "../../../../scripts/checks/imports/typescriptImports.ts";
import { formatProblem } from "../../../../scripts/checks/Problem.ts";
import { root } from "../../../../scripts/checks/runTool.ts";

/** Files by path, and the parts of each problem that is reported, in order. */
type Row = readonly [title: string, files: Readonly<Record<string, string>>, ...problems: string[]];

const receiver = [
  'import {ECDSA} from "solady/src/utils/ECDSA.sol";',
  'import {IReceiver} from "../interfaces/IReceiver.sol";',
  'import {SignatureRecord} from "../records/SignatureRecord.sol";',
].join("\n");

const solidity: readonly Row[] = [
  ["accept a receiver on records, interfaces and Solady", { "contracts/receiver/Receiver.sol": receiver }],
  [
    "refuse stand-ins in a proxy, with file, line and rule",
    { "contracts/proxy/Proxy.sol": '\nimport {\n    Router\n} from "../service/Router.sol";\n' },
    "contracts/proxy/Proxy.sol:4  contracts/proxy may import contracts/proxy, contracts/interfaces, contracts/libraries, contracts/records, not contracts/service/Router.sol",
  ],
  [
    "refuse libraries and mocks in stand-ins, which may share interfaces",
    {
      "contracts/service/A.sol": 'import {IERC3009} from "../interfaces/IERC3009.sol";',
      "contracts/service/B.sol": 'import {TokenReads} from "../libraries/TokenReads.sol";',
      "contracts/service/C.sol": 'import {Bad} from "../mocks/Bad.sol";',
    },
    "not contracts/libraries/TokenReads.sol",
    "not contracts/mocks/Bad.sol",
  ],
  [
    "refuse OpenZeppelin in published contracts",
    { "contracts/receiver/A.sol": 'import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";' },
    "may import solady, not @openzeppelin/contracts",
  ],
  [
    "refuse imports without names",
    { "test/solidity/A.sol": 'import "../../contracts/proxy/Proxy.sol";\nimport * as X from "./X.sol";' },
    "test/solidity/A.sol:1",
    "test/solidity/A.sol:2",
  ],
  [
    "refuse a circle of imports",
    {
      "contracts/records/A.sol": 'import {B} from "./B.sol";',
      "contracts/records/B.sol": 'import {A} from "./A.sol";',
    },
    "by way of contracts/records/B.sol → contracts/records/A.sol",
  ],
];

const typescript: readonly Row[] = [
  [
    "accept imports that go down the layers",
    {
      "emulator/quote/price.ts": 'import "node:fs/promises";\nimport "../../src/calls/sweep.ts";\n',
      "emulator/startEmulator.ts": 'import "./http/createApp.ts";\nimport "./describe.ts";\n',
      "src/calls/sweep.ts": 'import "../abi/Router.ts";\nimport "../records/hash.ts";\n',
      "src/records/hash.ts": 'import { keccak256 } from "viem";\nimport "../errors/BaseError.ts";\n',
    },
  ],
  [
    "refuse an import that goes up the layers, with its file, line and rule",
    { "src/schema/quote.ts": '\n\nimport type { Client } from "../client/Client.ts";\n' },
    "src/schema/quote.ts:3  src/schema may import src/errors, src/internal, not src/client",
  ],
  [
    "refuse a folder of the emulator that imports a higher one, or the files that start it",
    { "emulator/store/a.ts": 'import "../quote/createQuote.ts";\nimport "../describe.ts";' },
    "emulator/store may import emulator/log, emulator/access, emulator/errors, not emulator/quote",
    "not emulator/describe.ts",
  ],
  [
    "refuse the emulator, Hardhat and Node's own modules in the library",
    { "src/client/getQuote.ts": 'import "../../emulator/a.ts";\nimport "hardhat";\nimport "node:crypto";' },
    "src/client/getQuote.ts:1  src/ may import itself, not emulator/",
    "not hardhat",
    "runs in a browser, so it cannot import node:crypto",
  ],
  [
    "allow Node's own modules in the adapters of webhooks",
    { "src/webhooks/adapters/express.ts": 'import { createHmac } from "node:crypto";' },
  ],
  [
    "see dynamic imports and imports in types, and refuse those of tests",
    {
      "emulator/run.ts": 'import "../test/helpers/accounts.ts";',
      "src/schema/quote.ts": 'type C = import("../client/Client.ts").Client;',
      "src/track/poll.ts": 'const load = () => import("node:timers");',
    },
    "only tests import tests",
    "not src/client",
    "node:timers",
  ],
  [
    "refuse a folder that has no place in the layers",
    { "src/extras/a.ts": 'import "../errors/BaseError.ts";' },
    "src/extras has no place in the layers: add it to layers.ts",
  ],
  [
    "refuse barrels, and imports of entry points from within the library",
    {
      "src/calls/all.ts": 'export * from "./sweep.ts";',
      "src/execute/run.ts": 'import { sweep } from "../index.ts";',
      "src/index.ts": 'export { sweep } from "./calls/sweep.ts";',
    },
    "src/execute/run.ts:1  entry points are for users: import the file that owns the name",
    "src/calls/all.ts:1  only the package's entry points re-export",
  ],
  [
    "refuse an import of package.json in built files",
    { "cli/waybill.ts": 'import manifest from "../package.json" with { type: "json" };' },
    'cli/waybill.ts:1  read it at run time: require("waybill/package.json")',
  ],
  [
    "refuse files that import each other in turn, and one that imports itself",
    {
      "bench/a.ts": 'import "./b.ts";\nimport "./c.ts";\n',
      "bench/b.ts": 'import "./c.ts";\n',
      "bench/c.ts": 'import "./a.ts";\n',
      "cli/d.ts": 'import "./d.ts";',
    },
    "bench/a.ts  imports itself by way of bench/c.ts → bench/a.ts",
    "cli/d.ts  imports itself by way of cli/d.ts",
  ],
  [
    "refuse folders that import each other through different subfolders, naming both imports",
    {
      "emulator/chains/evm/rpc/a.ts": 'import "../../setup/tokens/b.ts";',
      "emulator/chains/setup/c.ts": '\nimport type { D } from "../evm/d.ts";',
    },
    "emulator/chains/evm/rpc/a.ts:1  closes a cycle of folders: emulator/chains/evm → emulator/chains/setup (emulator/chains/evm/rpc/a.ts:1), emulator/chains/setup → emulator/chains/evm (emulator/chains/setup/c.ts:2)",
  ],
  [
    "refuse a folder and a file next to it that import each other",
    {
      "cli/commands/stop.ts": 'import "../run.ts";',
      "cli/run.ts": 'import "./commands/start.ts";',
    },
    "closes a cycle of folders: cli/commands → cli/run.ts",
  ],
  [
    "accept a folder between two files, re-exports of an entry point, and folders of tests in a circle",
    {
      "cli/commands/start.ts": 'import "../flags.ts";',
      "cli/run.ts": 'import "./commands/start.ts";',
      "src/client/index.ts": 'export { track } from "../track/track.ts";',
      "src/track/track.ts": 'import "../client/Client.ts";',
      "test/helpers/c.ts": 'import "../unit/d.ts";',
      "test/unit/a.ts": 'import "../helpers/b.ts";',
    },
  ],
];

const languages = {
  Solidity: [checkSolidityImports, solidity],
  TypeScript: [checkTypescriptImports, typescript],
} as const;

for (const [language, [check, rows]] of Object.entries(languages)) {
  describe(`the import rules of ${language}`, () => {
    for (const [title, files, ...problems] of rows) {
      it(title, () => {
        const found = check(Object.entries(files).map(([path, text]) => ({ path, text }))).map(formatProblem);
        expect(found).to.have.length(problems.length);
        for (const [i, part] of problems.entries()) expect(found[i]).to.include(part);
      });
    }
  });
}

/** Left in a package's folder by a build or an installation. */
const builds = new Set(["dist", "node_modules"]);

describe("the layers", () => {
  for (const [part, layers] of Object.entries(LAYERS)) {
    it(`of ${part} are the folders of ${part}, each allowed lower ones only`, () => {
      const folders = readdirSync(join(root, part), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !builds.has(entry.name))
        .map(({ name }) => name);
      const lowToHigh = Object.keys(layers);
      expect([...lowToHigh].sort()).to.deep.equal(folders.sort());
      for (const [index, folder] of lowToHigh.entries()) {
        expect(lowToHigh.slice(0, index), folder).to.include.members([...(layers[folder] ?? [])]);
      }
    });
  }
});
