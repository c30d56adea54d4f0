import { expect } from "chai";
import { createPublicClient, createWalletClient, custom, type PublicClient, type Transport } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { createNonceManager, jsonRpc } from "viem/nonce";
import { execute } from "../../src/execute/index.ts";
import { paymentLedger } from "../../src/execute/paymentLedger.ts";
import { useEmulator } from "../helpers/emulatorFixture.ts";
import { requestOf } from "../helpers/quotes/quoteChanges.ts";
import { quoteStage } from "../integration/verifyQuote/quoteStage.ts";

const account = mnemonicToAccount("test test test test test test test test test test test junk");
const outcome = (run: Promise<{ status: string }>) =>
  run.then(
    ({ status }) => status,
    ({ code }) => code as string,
  );

describe("attack: nonces of a key of this process", () => {
  const fixture = useEmulator();
  const { quoted, user } = quoteStage(fixture);
  beforeEach(() => paymentLedger.clear());

  it("a node that counts the approval one read late: the deposit is paid, not signed with the nonce of the approval", async () => {
    const request = requestOf(fixture, "USDC", "USDC");
    const { policy: verify, quote } = await quoted(request);
    let pendingReads = 0;
    let first: unknown;
    const node = async (call: { method: string; params?: unknown[] }) => {
      const answer = await fixture.alpha.reader.request(call as never);
      if (call.method !== "eth_getTransactionCount" || call.params?.[1] !== "pending") return answer;
      pendingReads += 1;
      if (pendingReads === 1) first = answer;
      // A balancer asks another node, which has not seen the newest block. From the third read on it has.
      return pendingReads === 2 ? first : answer;
    };
    const transport = custom({ request: node }, { retryCount: 0 });
    const common = {
      publicClient: createPublicClient({ cacheTime: 0, transport }) as PublicClient<Transport>,
      quote,
      request,
      timeout: 5_000,
      verify,
      wallet: createWalletClient({ account, transport }),
    };
    const result = await outcome(execute(fixture.client, common));
    // The node is right again.
    const again = await outcome(execute(fixture.client, common));
    paymentLedger.clear();
    console.log(result, "| again:", again);
    expect(result).to.equal("success");
  }).timeout(30_000);

  it("a nonce manager, and a key service that fails once: the payment can be made again, as the error says", async () => {
    const nonceManager = createNonceManager({ source: jsonRpc() });
    let fails = 0;
    const signer = {
      ...account,
      nonceManager,
      signTransaction: async (...given: Parameters<typeof account.signTransaction>) => {
        if (fails++ === 1) throw new Error("key service: 503");
        return account.signTransaction(...given);
      },
    };
    const transport = custom({ request: fixture.alpha.reader.request as never }, { retryCount: 0 });
    const pay = async () => {
      const request = requestOf(fixture, "ETH", "ETH");
      const { policy: verify, quote } = await quoted(request);
      const parameters = {
        publicClient: fixture.alpha.reader,
        quote,
        request,
        timeout: 3_000,
        verify,
        wallet: createWalletClient({ account: signer as never, transport }),
      };
      return () => outcome(execute(fixture.client, parameters));
    };
    const count = (blockTag: "latest" | "pending") =>
      fixture.alpha.reader.getTransactionCount({ address: user(), blockTag });
    const honest = await (await pay())();
    const one = await pay();
    const failed = await one();
    const before = await count("latest");
    const again = await one();
    const other = await (await pay())();
    console.log({ honest, failed, again, other, mined: (await count("latest")) - before });
    expect(failed).to.equal("WALLET_FAILED");
    expect(again).to.equal("success");
  }).timeout(40_000);
});
