import { expect } from "chai";
import { httpRpc, isTransportError } from "../../../../../emulator/chains/evm/httpRpc.ts";
import { startChain } from "../../../../../emulator/chains/local/startChain.ts";
import { latestHead, type Rpc } from "../../../../../emulator/chains/rpc.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";
import { type MortalRpc, type RpcFault, startMortalRpc } from "../../../../helpers/network/mortalRpc.ts";

const timeoutMs = 300;
const faults: readonly RpcFault[] = ["hang", "drop", "html", "truncate", { delayMs: 5 * timeoutMs }];

describe("httpRpc", () => {
  let chain: Awaited<ReturnType<typeof startChain>>;
  let node: MortalRpc;
  let rpc: Rpc;
  before(async () => {
    chain = await startChain({ displayName: "alpha", id: 31_337, name: "alpha" }, "127.0.0.1", 0);
    node = await startMortalRpc({ rpcUrl: chain.rpcUrl });
    rpc = httpRpc(node.url, timeoutMs);
  });
  beforeEach(() => {
    node.asked.length = 0;
    node.fault = undefined;
  });
  after(async () => {
    node?.stop();
    await chain?.close();
  });
  /** Makes the first requests fail. */
  const failTimes = (times: number, fault: RpcFault) => {
    let left = times;
    node.fault = () => (left-- > 0 ? fault : undefined);
  };

  for (const fault of faults) {
    const name = typeof fault === "string" ? fault : "late answer";
    it(`${name} once: a read is repeated and answered`, async () => {
      failTimes(1, fault);
      expect(await rpc("eth_chainId")).to.equal("0x7a69");
      expect(node.asked).to.have.length(2);
    });

    it(`${name} twice: a read fails within two time limits, as a transport error`, async () => {
      failTimes(2, fault);
      const started = performance.now();
      expect(await failureOf(rpc("eth_chainId"))).to.satisfy(isTransportError);
      expect(performance.now() - started).to.be.below(4 * timeoutMs);
      expect(node.asked).to.have.length(2);
    });

    it(`${name} once: a call that changes the chain is not repeated`, async () => {
      const { number } = await latestHead(chain.rpc);
      failTimes(1, fault);
      expect(await failureOf(rpc("evm_mine"))).to.satisfy(isTransportError);
      expect(node.asked).to.have.length(1);
      await new Promise((resolve) => setTimeout(resolve, typeof fault === "string" ? 0 : fault.delayMs));
      expect(Number((await latestHead(chain.rpc)).number - number)).to.be.at.most(1);
    });
  }

  it("an error that the node answers: is not repeated, and keeps its code", async () => {
    const error = await failureOf(rpc("eth_getBalance", ["no address", "latest"]));
    expect(error).to.include({ name: "RpcRequestError", code: -32_602 });
    expect(node.asked).to.have.length(1);
  });
});
