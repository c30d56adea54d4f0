import { expect } from "chai";
import { encodeFunctionData, erc20Abi, type Hex, zeroAddress } from "viem";
import { relayRouterV2_1Abi } from "../../../src/abi/RelayRouterV2_1.ts";
import { relayRouterV3Abi } from "../../../src/abi/RelayRouterV3.ts";
import { type SimulateCallsParameters, simulateCalls } from "../../../src/calls/simulateCalls.ts";
import { ChainReadFailedError } from "../../../src/errors/ChainReadFailedError.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { startMortalRpc } from "../../helpers/network/mortalRpc.ts";
import { recipient } from "../../helpers/quotes/intents.ts";

describe("simulateCalls and gas", () => {
  const fixture = useEmulator();

  const transfer = (amount: bigint): Hex => erc20Data("transfer", recipient, amount);
  const approve = (amount: bigint): Hex => erc20Data("approve", recipient, amount);

  const routers = () => {
    const { contracts } = fixture.beta.info;
    return [
      // Its guard is set and cleared, which EIP-3529 gives 19,900 back for.
      { abi: relayRouterV3Abi, refund: 19_900n, router: contracts.v3.erc20Router, routerVersion: "v3" },
      { abi: relayRouterV2_1Abi, refund: 0n, router: contracts.erc20Router, routerVersion: "v2.1" },
    ] as const;
  };

  /** Three calls, which a router that holds seven units and two wei can make. */
  function three(): SimulateCallsParameters {
    const token = fixture.beta.currency("USDC");
    return {
      balances: [
        { amount: 7n, token },
        { amount: 2n, token: zeroAddress },
      ],
      recipient,
      router: fixture.beta.info.contracts.v3.erc20Router,
      txs: [
        { data: transfer(3n), to: token },
        { to: recipient, value: 2n },
        { data: transfer(4n), to: token },
      ],
    };
  }

  for (const [name, value] of [
    ["with native currency", 5n],
    ["without", 0n],
  ] as const) {
    it(`estimates the transaction's gas before refunds to the unit, ${name}, with routers of both versions`, async () => {
      const token = fixture.beta.currency("USDC");
      const wallet = fixture.beta.wallet(0);
      for (const { abi, refund, router, routerVersion } of routers()) {
        const { request } = await fixture.beta.reader.simulateContract({
          abi: erc20Abi,
          account: wallet.account,
          address: token,
          args: [router, 8n],
          functionName: "transfer",
        });
        await fixture.beta.reader.waitForTransactionReceipt({ hash: await wallet.writeContract(request) });
        const txs = [
          { data: approve(1n), to: token },
          { data: transfer(3n), to: token },
          ...(value === 0n ? [] : [{ to: recipient, value }]),
          { data: transfer(4n), to: token },
        ];
        const simulated = await simulateCalls(fixture.beta.reader, {
          balances: [{ amount: 8n, token }, ...(value === 0n ? [] : [{ amount: value, token: zeroAddress }])],
          recipient,
          router,
          routerVersion,
          txs,
        });
        expect(simulated).to.include({ failedIndex: undefined, gasSource: "estimated" });
        const calls = txs.map(({ to: target, ...tx }) => ({
          allowFailure: false,
          callData: "data" in tx ? tx.data : "0x",
          target,
          value: "value" in tx ? tx.value : 0n,
        }));
        const data = encodeFunctionData({
          abi: abi as typeof relayRouterV3Abi,
          args: [calls, recipient, recipient, ...(routerVersion === "v3" ? ["0x"] : [])] as never,
          functionName: "multicall",
        });
        const hash = await wallet.sendTransaction({ data, gas: 1_000_000n, to: router, value });
        const { gasUsed, status } = await fixture.beta.reader.waitForTransactionReceipt({ hash });
        expect(status).to.equal("success");
        const estimated = simulated.gasUsed ?? 0n;
        const most = estimated / 5n;
        expect(gasUsed, routerVersion).to.equal(estimated - (refund < most ? refund : most));
        for (const call of simulated.calls) expect(call.gasUsed).to.be.within(100n, 60_000n);
      }
    });
  }

  it("uses the node's figures where it has eth_simulateV1, one request for each call and one for the router", async () => {
    const parameters = three();
    const asked: unknown[] = [];
    const node = await startMortalRpc({
      answer: ({ method, params }) => {
        if (method !== "eth_simulateV1") return undefined;
        asked.push(params);
        return { result: [simulatedBlock(100_000 + lengthOf(params))] };
      },
      rpcUrl: fixture.beta.info.rpcUrl,
    });
    try {
      const { calls, gasSource, gasUsed } = await simulateCalls(node.client as never, parameters);
      expect(gasSource).to.equal("simulated");
      expect(asked).to.have.length(4);
      // The stubbed figure grows with the calldata, which identifies the request.
      const [first = 0n, second = 0n, third = 0n] = calls.map((call) => call.gasUsed ?? 0n);
      expect(first).to.equal(third);
      expect([first > second, second > 0n]).to.deep.equal([true, true]);
      const [[{ blockStateCalls }, block]] = asked as [[{ blockStateCalls: unknown[] }, string]];
      expect(block).to.equal("latest");
      expect(blockStateCalls).to.have.length(1);
      expect(JSON.stringify(blockStateCalls)).to.contain("stateDiff").and.contain("balance");
      expect(gasUsed).to.equal(BigInt(100_000 + lengthOf(asked.at(-1))));
    } finally {
      node.stop();
    }
  });

  const refusals = [
    { error: { code: -32601, message: "the method eth_simulateV1 does not exist" } },
    { status: 405 },
    { result: null },
    { result: [{ calls: [{}] }] },
  ];
  for (const refusal of refusals) {
    it(`estimates gas itself where the node answers ${JSON.stringify(refusal)}`, async () => {
      const node = await startMortalRpc({
        answer: ({ method }) => (method === "eth_simulateV1" ? refusal : undefined),
        rpcUrl: fixture.beta.info.rpcUrl,
      });
      try {
        const simulated = await simulateCalls(node.client as never, three());
        const real = await simulateCalls(fixture.beta.reader, three());
        expect(simulated).to.deep.equal(real);
        expect(simulated.gasSource).to.equal("estimated");
      } finally {
        node.stop();
      }
    });
  }

  it("returns no gas where the node can neither simulate nor override code, or without `gas`", async () => {
    const node = await startMortalRpc({
      answer: ({ method, params }) =>
        method === "eth_call" && JSON.stringify(params).includes('"code"')
          ? { error: { code: -32602, message: "code cannot be overridden" } }
          : undefined,
      rpcUrl: fixture.beta.info.rpcUrl,
    });
    try {
      const none = { failedIndex: undefined, gasSource: undefined, gasUsed: undefined };
      const simulated = await simulateCalls(node.client as never, three());
      expect(simulated).to.include(none);
      expect(simulated.calls.map(({ gasUsed }) => gasUsed)).to.deep.equal([undefined, undefined, undefined]);
      expect(await simulateCalls(fixture.beta.reader, { ...three(), gas: false })).to.include(none);
    } finally {
      node.stop();
    }
  });

  it("reports an unreachable chain wherever its node fails, and never a token without balances", async () => {
    const node = await startMortalRpc({ rpcUrl: fixture.beta.info.rpcUrl });
    try {
      await simulateCalls(node.client as never, three());
      const needed = node.asked.length;
      const operations = new Set<string>();
      for (let lives = 0; lives < needed; lives++) {
        node.lives = lives;
        const error = await failureOf(simulateCalls(node.client as never, three()));
        expect(error, `${lives} of ${needed}`).to.be.instanceOf(ChainReadFailedError);
        expect(error).to.include({ code: "CHAIN_READ_FAILED", retryable: true });
        // The address of a node may hold a key.
        expect(String(error))
          .to.match(/The chain did not answer while /)
          .and.not.contain("secret-key");
        operations.add((error as ChainReadFailedError).operation.replace(/0x\w+/, "the token"));
      }
      expect([...operations]).to.deep.equal([
        "looking for the balances of the token",
        "simulating calls",
        "measuring gas",
      ]);
    } finally {
      node.stop();
    }
  });

  it("distinguishes a node that rejects overrides, with its message, from an unreachable one", async () => {
    const node = await startMortalRpc({
      answer: () => ({ error: { code: -32602, message: "too many arguments, want at most 2" } }),
      rpcUrl: fixture.beta.info.rpcUrl,
    });
    try {
      const error = await failureOf(simulateCalls(node.client as never, three()));
      expect(error).to.be.instanceOf(ChainReadFailedError).and.include({ retryable: false });
      expect(String(error)).to.contain("refused to answer").and.contain("want at most 2");
    } finally {
      node.stop();
    }
  });
});

/** A block as `eth_simulateV1` answers it, with one call that succeeded. */
function simulatedBlock(gasUsed: number) {
  const word = `0x${"00".repeat(32)}`;
  return {
    baseFeePerGas: "0x0",
    calls: [{ gasUsed: `0x${gasUsed.toString(16)}`, logs: [], returnData: "0x", status: "0x1" }],
    difficulty: "0x0",
    extraData: "0x",
    gasLimit: "0x1c9c380",
    gasUsed: `0x${gasUsed.toString(16)}`,
    hash: word,
    miner: zeroAddress,
    number: "0x1",
    parentHash: word,
    timestamp: "0x1",
    transactions: [],
  };
}

function lengthOf(asked: unknown): number {
  const [{ blockStateCalls }] = asked as [{ blockStateCalls: { calls: { data?: Hex; input?: Hex }[] }[] }];
  const call = blockStateCalls[0]?.calls[0];
  return (call?.data ?? call?.input ?? "0x").length;
}
