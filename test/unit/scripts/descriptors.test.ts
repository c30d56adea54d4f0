import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { FunctionFragment, TypedDataEncoder } from "ethers";
import type { AbiFunction } from "viem";
import { root } from "../../../scripts/checks/runTool.ts";
import { leavesOf } from "../../../scripts/descriptors/abi.ts";
import { CONTRACTS } from "../../../scripts/descriptors/contracts.ts";
import { DOMAINS } from "../../../scripts/descriptors/messages.ts";
import { encodeType, renderContract } from "../../../scripts/descriptors/renderDescriptor.ts";
import {
  describedFunctions,
  descriptorPath,
  generateDescriptors,
} from "../../../scripts/generate/descriptors.ts";
import { type Order, orderPermit2TypedData, permit2TypedData } from "../../../src/index.ts";

type Field = { label: string; path: string; params?: { tokenPath?: string } };
type Descriptor = { display: { formats: Record<string, { intent: string; fields: Field[] }> } };

const read = (path: string): Descriptor => JSON.parse(readFileSync(join(root, path), "utf8"));

describe("clear-signing descriptors", () => {
  it("committed files are those that the generator renders", async () => {
    const expected = await generateDescriptors();
    for (const { path, text } of expected) {
      expect(existsSync(join(root, path)) && readFileSync(join(root, path), "utf8"), path).to.equal(text);
    }
    const committed = globSync("descriptors/*.json", { cwd: root }).sort();
    expect(committed).to.deep.equal(expected.map(({ path }) => path).sort());
  });

  for (const [name, contract] of Object.entries(CONTRACTS)) {
    it(`${name}: every function that an account signs has a format, and nothing else has one`, () => {
      const { formats } = read(descriptorPath("calldata", name)).display;
      const described = Object.keys(formats).map((key) => FunctionFragment.from(`function ${key}`).selector);
      const signed = describedFunctions(contract).filter((each) => contract.intents[each.name] !== undefined);
      const expected = signed.map((each) => FunctionFragment.from(each).selector);
      expect(described.sort()).to.deep.equal(expected.sort());
    });

    it(`${name}: every path of a format is a parameter, and every parameter has a field`, () => {
      const { formats } = read(descriptorPath("calldata", name)).display;
      for (const [key, { fields, intent }] of Object.entries(formats)) {
        const { inputs } = JSON.parse(FunctionFragment.from(`function ${key}`).format("json"));
        const parameters = leavesOf(inputs).map(({ path }) => path);
        const paths = fields.map(({ path }) => path).filter((path) => path !== "@.value");
        expect(paths, key).to.deep.equal(parameters);
        for (const { label, params } of fields) {
          expect(label.length, `${key}: ${label}`).to.be.within(1, 20);
          if (params?.tokenPath !== undefined) expect(parameters, key).to.include(params.tokenPath);
        }
        expect(intent.length, intent).to.be.within(1, 30);
      }
    });
  }

  it("messages of Permit2 are keyed by the types that the library signs", () => {
    const receiver = "0x00000000000000000000000000000000000a11ce" as const;
    const word = `0x${"11".repeat(32)}` as const;
    const record = {
      destinationChainId: 10,
      destinationUser: word,
      originAmount: 1n,
      originChainId: 1,
      originCurrency: receiver,
      originUser: receiver,
      requestId: word,
    } as const;
    const payment = { amount: 1n, chainId: "base", currency: receiver, weight: 1n } as const;
    const output = { calls: [], chainId: "optimism", deadline: 1, extraData: "0x", payments: [] } as const;
    const order: Order = {
      fees: [],
      inputs: [{ payment, refunds: [] }],
      output,
      salt: 1n,
      solver: receiver,
      solverChainId: "base",
      version: "v1",
    };
    const terms = { deadline: 1n, nonce: 1n, receiver } as const;
    const signed = [
      permit2TypedData({ ...terms, record }),
      orderPermit2TypedData({ ...terms, chainId: 1, inputIndex: 0, order }),
    ];
    const keys = signed.map(({ primaryType, types }) => {
      const mutable = Object.fromEntries(
        Object.entries(types).map(([type, members]) => [type, [...members]]),
      );
      return TypedDataEncoder.from(mutable).encodeType(primaryType);
    });
    expect(Object.keys(read(descriptorPath("eip712", "Permit2Payments")).display.formats)).to.deep.equal(
      keys,
    );
  });

  it("the co-signer's message is keyed by the type that the contract hashes", () => {
    const source = readFileSync(join(root, "contracts/receiver/policies/ExpiryCoSignature.sol"), "utf8");
    const [message] = DOMAINS["ExpiryCoSignature"]?.messages ?? [];
    expect(source).to.include(`keccak256("${message && encodeType(message)}")`);
  });

  it("rejects a function without an intent, and a parameter without a word", () => {
    const inputs = [{ name: "unheardOf", type: "uint256" }];
    const unknown: AbiFunction = {
      inputs,
      name: "mystery",
      outputs: [],
      stateMutability: "nonpayable",
      type: "function",
    };
    expect(() => renderContract("Box", { deployments: [], intents: {} }, [unknown])).to.throw(
      "No intent for Box.mystery",
    );
    expect(() =>
      renderContract("Box", { deployments: [], intents: { mystery: "Guess" } }, [unknown]),
    ).to.throw("No word for the parameter unheardOf");
  });
});
