import { expect } from "chai";
import type { RunningChain } from "../../../../../emulator/chains/Chain.ts";
import { ChainUnreachableError, connectChain } from "../../../../../emulator/chains/evm/connectChain.ts";
import { startEmulator } from "../../../../../emulator/index.ts";
import { InvalidParameterError } from "../../../../../src/errors/InvalidParameterError.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";
import { useElsewhere } from "../support/elsewhere.ts";

describe("connectChain", function () {
  this.timeout(60_000);
  const { connect, connectPlain, first } = useElsewhere();
  const mine = () => first().rpc("evm_mine");
  const nextHead = (chain: RunningChain) =>
    new Promise<bigint>((resolve) => {
      const end = chain.onBlock(({ number }) => {
        end();
        resolve(number);
      });
    });

  it("a node with a websocket: announces new blocks, and its newest is the node's", async () => {
    const chain = await connect();
    await mine();
    // Subscribed by now, or polled: the head arrives in both cases.
    const announced = nextHead(chain);
    await mine();
    expect(Number(await announced)).to.be.at.least(1);
    while (chain.head().number < 2n) await nextHead(chain);
    expect(chain.head().hash).to.equal((await chain.client.getBlock()).hash);
  });

  it("a node without a websocket: announces new blocks by polling", async () => {
    const announced = nextHead(await connectPlain());
    await mine();
    expect(await announced).to.equal(1n);
  });

  it("no node, or a node of another chain: throws ChainUnreachableError with the cause", async () => {
    for (const [id, rpcUrl, reason] of [
      [31_337, "http://127.0.0.1:1", /no node answers/],
      [5, first().rpcUrl, /of chain 31337/],
    ] as const) {
      const error = await failureOf(connectChain({ id, rpcUrl }));
      expect(error).to.be.instanceOf(ChainUnreachableError).with.property("message").that.matches(reason);
    }
  });

  it("startEmulator without chains, with one chain twice, or with chains and ports: throws InvalidParameterError", async () => {
    const one = { id: 31_337, rpcUrl: first().rpcUrl };
    for (const parameters of [
      { chains: [] },
      { chains: [one, one] },
      { chainPorts: [0, 0], chains: [one] },
    ]) {
      const error = await failureOf(startEmulator({ ...parameters, port: 0 }));
      expect(error).to.be.instanceOf(InvalidParameterError);
    }
  });
});
