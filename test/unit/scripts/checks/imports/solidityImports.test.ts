import { expect } from "chai";
import { checkSolidityImports } from "../../../../../scripts/checks/imports/solidityImports.ts";
import { problemsIn } from "./support/problemsIn.ts";

const messages = problemsIn(checkSolidityImports);

describe("the import rules of Solidity", () => {
  it("accept a receiver that stands on records, interfaces and Solady", () => {
    const text = [
      'import {ECDSA} from "solady/src/utils/ECDSA.sol";',
      'import {IReceiver} from "../interfaces/IReceiver.sol";',
      'import {SignatureRecord} from "../records/SignatureRecord.sol";',
    ].join("\n");
    expect(messages({ "contracts/receiver/Receiver.sol": text })).to.deep.equal([]);
  });

  it("refuse the service's stand-ins in a proxy, with file, line and rule", () => {
    const text = 'pragma solidity 0.8.37;\nimport {\n    Router\n} from "../service/Router.sol";\n';
    const allowed = ["proxy", "interfaces", "libraries", "records"]
      .map((folder) => `contracts/${folder}`)
      .join(", ");
    expect(messages({ "contracts/proxy/Proxy.sol": text })).to.deep.equal([
      `contracts/proxy/Proxy.sol:4 contracts/proxy may import ${allowed}, not contracts/service/Router.sol`,
    ]);
  });

  it("accept an interface that the service's stand-ins share, and refuse them what stands on it", () => {
    const found = messages({
      "contracts/service/Router.sol": [
        'import {IERC3009} from "../interfaces/IERC3009.sol";',
        'import {TokenReads} from "../libraries/TokenReads.sol";',
      ].join("\n"),
    });
    expect(found).to.have.length(1);
    expect(found[0]).to.contain("not contracts/libraries/TokenReads.sol");
  });

  it("refuse mocks in the service's stand-ins and OpenZeppelin in what is published", () => {
    const found = messages({
      "contracts/service/Router.sol": 'import {Bad} from "../mocks/Bad.sol";',
      "contracts/receiver/Receiver.sol":
        'import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";',
    });
    expect(found[0]).to.contain("not contracts/mocks/Bad.sol");
    expect(found[1]).to.contain("may import solady, not @openzeppelin/contracts");
  });

  it("refuse imports without names", () => {
    const files = {
      "test/solidity/A.sol": 'import "../../contracts/proxy/Proxy.sol";\nimport * as X from "./X.sol";',
    };
    expect(messages(files)).to.have.length(2);
  });

  it("refuse a circle of imports", () => {
    const files = {
      "contracts/records/A.sol": 'import {B} from "./B.sol";',
      "contracts/records/B.sol": 'import {A} from "./A.sol";',
    };
    expect(messages(files)[0]).to.contain("by way of contracts/records/B.sol → contracts/records/A.sol");
  });
});
