import { expect } from "chai";
import { zeroAddress } from "viem";
import type { Quote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { gained } from "../../helpers/localChain.ts";
import { postJson } from "../../helpers/quotes/bridgeIntent.ts";
import { carryOut, quoteFor, recipient } from "../../helpers/quotes/intents.ts";
import { deposit, ether, fresh, idOf, orderIdOf, quoteOf } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";

const perpsUsdc = `0x${"00".repeat(16)}`;
/** An account of the SVM chain. */
const svmAccount = "So11111111111111111111111111111111111111112";

describe("quotes of the perps exchange", () => {
  const fixture = useEmulator({ perps: true });
  const user = () => fixture.alpha.wallet(0).account.address;
  const withdrawal = (): Record<string, unknown> => ({
    amount: "2500000000",
    destinationChainId: fixture.beta.info.id,
    destinationCurrency: fixture.beta.currency("USDC"),
    originChainId: 1337,
    originCurrency: perpsUsdc,
    protocolVersion: "v2",
    recipient: fresh(),
    tradeType: "EXACT_INPUT",
    user: user(),
  });
  const intoExchange = (): Record<string, unknown> => ({
    ...withdrawal(),
    amount: "25000000",
    destinationChainId: 1337,
    destinationCurrency: perpsUsdc,
    originChainId: fixture.alpha.info.id,
    originCurrency: fixture.alpha.currency("USDC"),
  });
  async function ask(body: object) {
    const answer = await postJson(`${fixture.emulator.info.apiUrl}/quote/v2`, body);
    const { errorCode, ...quote } = (await answer.json()) as Quote & { readonly errorCode?: string };
    return { outcome: [answer.status, errorCode], quote };
  }

  // @spec perps/withdrawal quote-request/protocol-version
  it("a withdrawal: is quoted with `protocolVersion` v2, and refused with another or none", async () => {
    expect((await ask(withdrawal())).outcome).to.deep.equal([200, undefined]);
    const { protocolVersion: _, ...without } = withdrawal();
    for (const body of [without, { ...without, protocolVersion: "v1" }]) {
      expect((await ask(body)).outcome).to.deep.equal([400, "UNSUPPORTED_EXECUTION_TYPE"]);
    }
  });

  // @spec perps/withdrawal-parameters
  it("a withdrawal without any other required parameter: is refused", async () => {
    const required = ["amount", "destinationChainId", "destinationCurrency", "originCurrency"];
    for (const name of [...required, "originChainId", "tradeType", "user"]) {
      const { [name]: _, ...body } = withdrawal();
      expect((await ask(body)).outcome, name).to.deep.equal([400, "INVALID_REQUEST"]);
    }
  });

  // @spec perps/deposit perps/exchange-account
  it("an account that the exchange cannot have: is refused as recipient and as user", async () => {
    expect((await ask(intoExchange())).outcome).to.deep.equal([200, undefined]);
    for (const account of [svmAccount, perpsUsdc, `${user()}00`, zeroAddress]) {
      const refused = [400, "INVALID_RECIPIENT"];
      expect((await ask({ ...intoExchange(), recipient: account })).outcome, account).to.deep.equal(refused);
      const [status] = (await ask({ ...withdrawal(), user: account })).outcome;
      expect(status, account).to.equal(400);
    }
  });

  // @spec perps/two-steps perps/mapping-domain perps/mapping-type perps/send-asset perps/action-types
  // @spec perps/authorize-body perps/same-nonce step/exchange
  it("a quoted withdrawal: asks for the documented signatures, for chain 1 and with one nonce", async () => {
    const { quote } = await ask(withdrawal());
    const [authorize, transfer, ...others] = quote.steps;
    expect([authorize?.id, authorize?.kind, transfer?.id, transfer?.kind]).to.deep.equal([
      ...["authorize", "signature", "deposit", "transaction"],
    ]);
    expect(others).to.deep.equal([]);
    const { action, eip712PrimaryType, eip712Types, nonce } = dataOf(transfer);
    const wallet = user().toLowerCase();
    const statement = { depositor: wallet, id: orderIdOf(quote), nonce, wallet };
    expect(authorize?.items[0]?.data).to.deep.equal({
      post: {
        body: { ...statement, signatureChainId: 1, type: "nonce-mapping", walletChainId: 1337 },
        endpoint: "/authorize",
        method: "POST",
      },
      sign: {
        domain: { chainId: 1, name: "RelayNonceMapping", verifyingContract: zeroAddress, version: "2" },
        primaryType: "NonceMapping",
        signatureKind: "eip712",
        types: {
          NonceMapping: [
            { name: "chainId", type: "string" },
            { name: "wallet", type: "address" },
            { name: "depositor", type: "address" },
            { name: "id", type: "bytes32" },
            { name: "nonce", type: "uint256" },
          ],
        },
        value: { ...statement, chainId: "hyperliquid" },
      },
    });
    expect(action).to.deep.equal({
      parameters: {
        amount: "25",
        destination: fixture.emulator.info.solver.toLowerCase(),
        destinationDex: "",
        fromSubAccount: "",
        hyperliquidChain: "Mainnet",
        nonce,
        sourceDex: "",
        token: "USDC:0x6d1e7cde53ba9467b783cb7c530ce054",
      },
      type: "sendAsset",
    });
    expect(eip712PrimaryType).to.equal("HyperliquidTransaction:SendAsset");
    expect(eip712Types).to.deep.equal({
      "HyperliquidTransaction:SendAsset": [
        { name: "hyperliquidChain", type: "string" },
        { name: "destination", type: "string" },
        { name: "sourceDex", type: "string" },
        { name: "destinationDex", type: "string" },
        { name: "token", type: "string" },
        { name: "amount", type: "string" },
        { name: "fromSubAccount", type: "string" },
        { name: "nonce", type: "uint64" },
      ],
    });
  });
});

describe("the EVM side of the perps exchange", () => {
  const fixture = useEmulator({ chainIds: [999, 8453], perps: true });

  // @spec perps/evm-side
  it("chain 999: is quoted, paid and filled like any EVM chain, in both directions", async () => {
    const { alpha, beta } = fixture;
    expect(alpha.info.id).to.equal(999);
    const there = await quoteFor(fixture, { from: "USDC", to: "ETH" });
    const paid = async () => gained(beta, zeroAddress, recipient, () => carryOut(fixture, there));
    expect(await paid()).to.equal(BigInt(there.details.currencyOut.amount));
    const back = await quoteOf(fixture, {
      destinationChainId: 999,
      originChainId: beta.info.id,
      recipient,
    });
    const arrived = await gained(alpha, zeroAddress, recipient, async () => {
      await deposit(fixture, orderIdOf(back), ether, { chain: beta });
      await reached(fixture.emulator, idOf(back), "success");
    });
    expect(arrived).to.equal(BigInt(back.details.currencyOut.amount));
  });
});

/** Data of the transfer that a step asks for. */
function dataOf(step: Quote["steps"][number] | undefined) {
  const data: unknown = step?.items[0]?.data;
  if (data === undefined) throw new Error("there is no transfer");
  return data as Readonly<Record<"action" | "eip712PrimaryType" | "eip712Types" | "nonce", unknown>>;
}
