import { readFileSync } from "node:fs";
import { expect } from "chai";
import { parseEther } from "viem";
import { type ServiceErrorCode, serviceErrorCodes } from "../../../src/errors/serviceErrorCodes.ts";
import { quoteErrorSchema } from "../../../src/schema/wire/errorBody.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { setCode } from "../../helpers/localChain.ts";
import { fresh, reverting } from "../../helpers/requests/failureStage.ts";

const codes = Object.keys(serviceErrorCodes) as ServiceErrorCode[];
const page = readFileSync(new URL("../../../docs/reference/failures.md", import.meta.url), "utf8");
const ether = parseEther("1").toString();

/** The status in the page's sentence, which names the codes of each but 400 and 503. */
function statusOf(errorCode: ServiceErrorCode): number {
  if (serviceErrorCodes[errorCode].retryable) return 503;
  const sentence = /The status is 400, but [^.]*\./.exec(page)?.[0] ?? "";
  const parts = sentence.split(/(?=\b[45]\d\d for\s)/);
  return Number(parts.find((part) => part.includes(`\`${errorCode}\``))?.slice(0, 3) ?? 400);
}

type Asked = Readonly<Record<string, unknown>>;

describe("the error codes of quotes and prices", () => {
  const fixture = useEmulator({ seed: "codes" });
  afterEach(() => fixture.emulator.control.faults.clear());

  const base = (): Asked => ({
    amount: ether,
    destinationChainId: fixture.beta.info.id,
    destinationCurrency: fixture.beta.currency("ETH"),
    originChainId: fixture.alpha.info.id,
    originCurrency: fixture.alpha.currency("ETH"),
    recipient: fresh(),
    tradeType: "EXACT_INPUT",
    user: fixture.alpha.wallet(0).account.address,
  });
  const post = async (path: string, asked: Asked = {}, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${fixture.emulator.info.apiUrl}${path}`, {
      body: JSON.stringify({ ...base(), ...asked }),
      headers: { "content-type": "application/json", ...headers },
      method: "POST",
    });
    const body = (await answer.json()) as Record<string, unknown>;
    return { body, retryAfter: answer.headers.get("retry-after"), status: answer.status };
  };

  for (const errorCode of codes) {
    it(`a fault of ${errorCode}: the quote and the price have its status, code and shape, once each`, async () => {
      const message = `no quote: ${errorCode}`;
      const errorData = { reason: "by a fault" };
      const { faults } = fixture.emulator.control;
      for (const path of ["/quote/v2", "/quote", "/price"]) {
        await faults.add({ errorCode, errorData, kind: "quote-refused", message });
        const { body, retryAfter, status } = await post(path);
        const { expected, retryable } = serviceErrorCodes[errorCode];
        expect([status, body["errorCode"]], path).to.deep.equal([statusOf(errorCode), errorCode]);
        expect(body).to.deep.include({ errorData, message });
        expect(quoteErrorSchema.safeParse(body).success).to.equal(true);
        expect(retryAfter).to.equal(retryable ? "1" : null);
        expect(Object.hasOwn(body, "requestId")).to.equal(!expected);
        expect(Object.hasOwn(body, "approxSimulatedBlock")).to.equal(errorCode === "DESTINATION_TX_FAILED");
        expect((await post(path)).status, "the fault is used up").to.equal(200);
      }
    });
  }

  it("UNAUTHORIZED, CHAIN_DISABLED and SWAP_QUOTE_FAILED have their real causes, without a fault", async () => {
    const { alpha, beta, emulator } = fixture;
    const stranger = await post("/quote/v2", {}, { "x-api-key": "nobody's" });
    expect([stranger.status, stranger.body["errorCode"]]).to.deep.equal([401, "UNAUTHORIZED"]);

    await emulator.control.chains.setHealth(beta.info.id, { disabled: true });
    const { body } = await post("/quote/v2");
    await emulator.control.chains.setHealth(beta.info.id, { disabled: false });
    expect(body["errorCode"]).to.equal("CHAIN_DISABLED");

    const factory = await alpha.reader.readContract({
      abi: [
        {
          inputs: [],
          name: "factory",
          outputs: [{ type: "address" }],
          stateMutability: "view",
          type: "function",
        },
      ],
      address: alpha.info.contracts.uniswapV2Router,
      functionName: "factory",
    });
    const pool = await alpha.reader.readContract({
      abi: [
        {
          inputs: [{ type: "address" }, { type: "address" }],
          name: "getPair",
          outputs: [{ type: "address" }],
          stateMutability: "view",
          type: "function",
        },
      ],
      address: factory,
      args: [alpha.currency("USDT"), alpha.currency("USDC")],
      functionName: "getPair",
    });
    await setCode(alpha, pool, reverting);
    const broken = await post("/quote/v2", { amount: "50000000", originCurrency: alpha.currency("USDT") });
    expect([broken.status, broken.body["errorCode"]]).to.deep.equal([500, "SWAP_QUOTE_FAILED"]);
  });
});
