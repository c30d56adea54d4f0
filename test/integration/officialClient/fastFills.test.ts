import { axios, createClient, type RelayClient } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { expect } from "chai";
import { type Hex, parseEther, zeroAddress } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { gasSpent } from "../../helpers/quotes/intents.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";
import { historyOf, reached } from "../../helpers/requests/requestHistory.ts";

describe("the service's official client fills fast, unmodified", () => {
  let client: RelayClient;
  let interceptor: number | undefined;
  const fixture = useEmulator();
  before(async () => {
    client = createClient({
      baseApiUrl: fixture.emulator.info.apiUrl,
      pollingInterval: 20,
      source: "waybill.test",
    });
    await configureDynamicChains();
  });
  afterEach(() => {
    if (interceptor !== undefined) axios.interceptors.request.eject(interceptor);
    interceptor = undefined;
  });

  /** The client sends its key to the service's own hosts alone; its exported `axios` takes an interceptor. */
  function sendKey(): void {
    interceptor = axios.interceptors.request.use((request) => {
      request.headers.set("x-api-key", fixture.emulator.info.apiKeys[0]?.key ?? "");
      return request;
    });
  }

  async function quoted(recipient = fresh()) {
    const { alpha, beta } = fixture;
    const quote = await client.actions.getQuote({
      amount: parseEther("1").toString(),
      chainId: alpha.info.id,
      currency: zeroAddress,
      recipient,
      toChainId: beta.info.id,
      toCurrency: zeroAddress,
      tradeType: "EXACT_INPUT",
      user: alpha.wallet(0).account.address,
    });
    const requestId = quote.steps[0]?.requestId as Hex;
    return { quote, recipient, requestId };
  }

  // @spec endpoints/fast-fill
  it("fastFill pays the recipient before execute deposits, and nothing is paid twice", async () => {
    sendKey();
    const { quote, recipient, requestId } = await quoted();
    const { solver } = fixture.emulator.info;
    const held = await fixture.beta.balanceOf(zeroAddress, solver);
    const answer = await client.actions.fastFill({ requestId });
    expect(answer).to.deep.equal({ message: "Request successfully queued for fast fill." });
    await reached(fixture.emulator, requestId, "success");
    const output = BigInt(quote.details?.currencyOut?.amount ?? -1);
    expect(await fixture.beta.balanceOf(zeroAddress, recipient)).to.equal(output);
    const { depository } = fixture.alpha.info.contracts;
    const deposited = await fixture.alpha.balanceOf(zeroAddress, depository);
    await client.actions.execute({ quote, wallet: fixture.alpha.wallet(0) });
    expect(await fixture.beta.balanceOf(zeroAddress, recipient)).to.equal(output);
    expect((await fixture.alpha.balanceOf(zeroAddress, depository)) - deposited).to.equal(parseEther("1"));
    const { transactions } = await historyOf(fixture.emulator, requestId);
    expect(transactions).to.have.length(1);
    const gas = await gasSpent(fixture.beta, transactions[0]?.hash as Hex);
    expect(held - (await fixture.beta.balanceOf(zeroAddress, solver))).to.equal(output + gas);
  });

  it("without its key: fastFill is refused, and nothing is paid", async () => {
    const { recipient, requestId } = await quoted();
    expect(String(await failureOf(client.actions.fastFill({ requestId })))).to.match(/`x-api-key` must/);
    expect(await fixture.beta.balanceOf(zeroAddress, recipient)).to.equal(0n);
  });
});
