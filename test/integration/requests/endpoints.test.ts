import { expect } from "chai";
import { AbiCoder, getBytes, keccak256, verifyMessage } from "ethers";
import { type Hex, zeroAddress, zeroHash } from "viem";
import { createClient, type DeprecationNotice, getSignature } from "../../../src/client/index.ts";
import { requestsV2PageSchema } from "../../../src/schema/record/requestV2.ts";
import { keyedQuote } from "../../helpers/appFees/fastFills.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { withdraw, withdrawalQuote } from "../../helpers/perps.ts";
import { askPlainly, postJson } from "../../helpers/quotes/bridgeIntent.ts";
import { fiftyDollars, quoteFor, requestIdOf } from "../../helpers/quotes/intents.ts";
import { addressOf, depositAddressStage } from "../../helpers/requests/depositAddressStage.ts";
import { fresh, idOf, quoteOf } from "../../helpers/requests/failureStage.ts";
import { pay } from "../../helpers/requests/requestRun.ts";
import { payOnSvm, svmUser, svmWithdrawal } from "../../helpers/svm.ts";

describe("metadata of a request", () => {
  const fixture = useEmulator();

  async function add(requestId: string, moonPayId: unknown, more: object = {}) {
    const answer = await fetch(`${fixture.emulator.info.apiUrl}/requests/metadata`, {
      body: JSON.stringify({ additionalMetadata: { moonPayId }, requestId, ...more }),
      method: "POST",
    });
    return { body: (await answer.json()) as { message: string }, status: answer.status };
  }

  async function records(id: string) {
    const { apiKeys, apiUrl } = fixture.emulator.info;
    const headers = { "x-api-key": apiKeys[0]?.key ?? "" };
    const read = async (version: string) => {
      const answer = await fetch(`${apiUrl}/requests/${version}?id=${id}`, { headers });
      return ((await answer.json()) as { requests: Record<string, unknown>[] }).requests[0];
    };
    return { v2: await read("v2"), v3: await read("v3") };
  }

  // @spec record-v2/partner-id record-v3/partner-id version/v3-partner-id
  it("adds a partner's id, which both forms of the record carry from then on", async () => {
    const id = idOf(await quoteOf(fixture));
    const before = await records(id);
    expect(before.v2).to.have.property("moonpayId", null);
    expect(before.v3).to.have.nested.property("data.externalMetadata.moonpayId", null);
    const partnerId = "9dc342c3-538b-4731-aba7-13ed89acc7ae";
    expect((await add(id, partnerId, { referrer: "widget" })).status).to.equal(200);
    const after = await records(id);
    expect(after.v2).to.have.property("moonpayId", partnerId);
    expect(after.v3).to.have.nested.property("data.externalMetadata.moonpayId", partnerId);
  });

  it("accepts the same id twice, and rejects another one, so that an attacker changes nothing", async () => {
    const id = idOf(await quoteOf(fixture));
    expect((await add(id, "first")).status).to.equal(200);
    expect((await add(id, "first")).status).to.equal(200);
    const other = await add(id, "second");
    expect([other.status, other.body.message]).to.deep.equal([400, "The request has another id already"]);
    expect((await records(id)).v2).to.have.property("moonpayId", "first");
  });
});

describe("GET /requests/{requestId}/signature", () => {
  const fixture = useEmulator();

  // @spec signature/endpoint signature/shape signature/request-data signature/encoding signature/hash
  // @spec signature/signer
  it("a quoted request: answers its own fields, signed by the solver in the documented encoding", async () => {
    const { alpha, beta, emulator } = fixture;
    const [user, recipient] = [alpha.wallet(2).account.address.toLowerCase(), fresh()];
    const quote = await quoteFor(fixture, {
      from: "ETH",
      recipient,
      to: "USDC",
      user: alpha.wallet(2).account.address,
    });
    const requestId = idOf(quote);
    const { body, status } = await askPlainly(fixture, `/requests/${requestId}/signature`);
    expect(status).to.equal(200);
    const { requestData, signature, ...others } = body as { requestData: unknown; signature: string };
    expect(others).to.deep.equal({});
    expect(requestData).to.deep.equal({
      destinationChainId: beta.info.id,
      destinationUser: recipient,
      originAmount: fiftyDollars("ETH").toString(),
      originChainId: alpha.info.id,
      originCurrency: zeroAddress,
      originUser: user,
    });
    const word = (address: string) => `0x${address.slice(2).padStart(64, "0")}`;
    const encoded = AbiCoder.defaultAbiCoder().encode(
      ["bytes32", "uint256", "bytes32", "bytes32", "uint256", "uint256", "bytes32"],
      [
        ...[requestId, alpha.info.id, word(user), word(zeroAddress), fiftyDollars("ETH")],
        ...[beta.info.id, word(recipient)],
      ],
    );
    const signer = verifyMessage(getBytes(keccak256(encoded)), signature);
    expect(signer.toLowerCase()).to.equal(emulator.info.solver.toLowerCase());
  });
});

describe("the endpoints of signed records", () => {
  const fixture = useEmulator();

  for (const version of ["", "/v2"]) {
    it(`GET /requests/{requestId}/signature${version}: announces its deprecation, without a sunset`, async () => {
      const { apiUrl } = fixture.emulator.info;
      const id = requestIdOf(await quoteFor(fixture, { from: "ETH", to: "ETH" }));
      for (const [requestId, status] of [
        [id, 200],
        [zeroHash, 400],
      ] as const) {
        const answer = await fetch(`${apiUrl}/requests/${requestId}/signature${version}`);
        expect(answer.status).to.equal(status);
        expect(answer.headers.get("deprecation")).to.equal("@1785542400");
        expect(answer.headers.get("link")).to.match(/^<https:.*input-validation>; rel="deprecation"$/);
        expect(answer.headers.get("sunset")).to.equal(null);
      }
    });
  }

  it("GET /requests/{requestId}/signature: tells its deprecation to a client's onDeprecation", async () => {
    const notices: DeprecationNotice[] = [];
    const client = createClient({
      baseUrl: fixture.emulator.info.apiUrl,
      onDeprecation: (notice) => notices.push(notice),
    });
    const requestId = requestIdOf(await quoteFor(fixture, { from: "ETH", to: "ETH" }));
    await getSignature(client, { requestId });
    expect(notices.map(({ deprecatedAt, sunsetAt }) => [deprecatedAt, sunsetAt])).to.deep.equal([
      [new Date("2026-08-01T00:00:00Z"), undefined],
    ]);
  });
});

const october = Date.UTC(2026, 9, 1);

describe("GET /requests", () => {
  const fixture = useEmulator({ now: october, requestsV2Sunset: "2026-11-24T00:00:00.000Z" });
  const get = (path: string) => fixture.emulator.fetch(new Request(`${fixture.emulator.info.apiUrl}${path}`));

  it("answers as its successor, version 2, with the same headers, and retires with it", async () => {
    const id = requestIdOf(await quoteFor(fixture, { from: "ETH", to: "ETH" }));
    const [first, second] = await Promise.all(
      ["/requests", "/requests/v2"].map(async (path) => {
        const answer = await get(`${path}?id=${id}`);
        return {
          answer,
          body: (await answer.json()) as { deprecation: { message: string }; requests: { id: string }[] },
        };
      }),
    );
    expect(first?.body.requests.map((request) => request.id)).to.deep.equal([id]);
    expect(first?.body.requests).to.deep.equal(second?.body.requests);
    expect(first?.body.deprecation.message).to.equal("GET /requests is deprecated. Use GET /requests/v3.");
    for (const name of ["deprecation", "link", "sunset"]) {
      expect(first?.answer.headers.get(name), name)
        .to.be.a("string")
        .and.equal(second?.answer.headers.get(name));
    }
    expect((await get("/requests?term=a")).status).to.equal(400);
    await fixture.emulator.control.clock.set(Date.UTC(2026, 10, 24));
    const retired = await get("/requests");
    expect(retired.status).to.equal(410);
    expect(await retired.json()).to.include({ message: "GET /requests was retired on 2026-11-24" });
  });
});

const uuid = "9dc342c3-538b-4731-aba7-13ed89acc7ae";

describe("a private chain", () => {
  const fixture = useEmulator({ privateChains: [{ id: 31338, uuid }] });

  async function read<Body>(path: string): Promise<Body> {
    const headers = { "x-api-key": fixture.emulator.info.apiKeys[0]?.key ?? "" };
    const answer = await fetch(`${fixture.emulator.info.apiUrl}${path}`, { headers });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    return (await answer.json()) as Body;
  }
  const chainIds = async (query: string) =>
    (await read<{ chains: { id: number }[] }>(`/chains${query}`)).chains.map(({ id }) => id);
  const listed = async (path: string) =>
    (await read<{ requests: { id: string }[] }>(path)).requests.map(({ id }) => id);

  it("GET /chains lists it only if its UUID is named, in any letter case", async () => {
    expect(await chainIds("")).to.deep.equal([31337]);
    expect(await chainIds("?includeChains=00000000-0000-0000-0000-000000000000")).to.deep.equal([31337]);
    for (const named of [uuid, uuid.toUpperCase(), `other,${uuid}`]) {
      expect(await chainIds(`?includeChains=${named}`)).to.deep.equal([31337, 31338]);
    }
  });

  for (const version of ["v2", "v3"] as const) {
    // @spec requests-v2/private-chains requests-v3/private-chains
    it(`GET /requests/${version} lists its requests only if its UUID is named`, async () => {
      const quote = await keyedQuote(fixture);
      const page = `/requests/${version}?id=${idOf(quote)}`;
      expect(await listed(page)).to.deep.equal([]);
      expect(await listed(`${page}&privateChainsToInclude=other`)).to.deep.equal([]);
      expect(await listed(`${page}&chainId=31338`)).to.deep.equal([]);
      expect(await listed(`${page}&privateChainsToInclude=other,${uuid}`)).to.deep.equal([idOf(quote)]);
    });
  }
});

describe("GET /requests/v2 with a deposit address as its user", () => {
  const fixture = useEmulator({ requestsV2Sunset: "never" });
  const { ended, pay, quoteAt } = depositAddressStage(fixture);

  async function idsOf(user: string): Promise<readonly unknown[]> {
    const answer = await fetch(`${fixture.emulator.info.apiUrl}/requests/v2?user=${user}`);
    const page = requestsV2PageSchema.parse(await answer.json());
    return page.requests.map(({ id }) => id);
  }

  it("half of the quoted amount: lists the new request before the first one", async () => {
    const quote = await quoteAt({ from: "ETH", to: "ETH" });
    const address = addressOf(quote);
    await pay(address, "ETH", fiftyDollars("ETH") / 2n);
    const [record] = await ended(address, 1);
    expect(await idsOf(address)).to.deep.equal([record?.id, requestIdOf(quote)]);
  });

  it("version 3: finds an address by `depositAddress`, not by `user`", async () => {
    const quote = await quoteAt({ from: "ETH", to: "ETH" });
    const headers = { "x-api-key": fixture.emulator.info.apiKeys[0]?.key ?? "" };
    const found = async (field: string) => {
      const url = `${fixture.emulator.info.apiUrl}/requests/v3?${field}=${addressOf(quote)}`;
      const { requests } = (await (await fetch(url, { headers })).json()) as { requests: unknown[] };
      return requests.length;
    };
    expect([await found("depositAddress"), await found("user")]).to.deep.equal([1, 0]);
  });
});

const unknownHash = `0x${"cd".repeat(32)}`;

describe("hints of transactions", () => {
  const fixture = useEmulator();
  let requestId: Hex;
  let txHash: Hex;
  before(async () => {
    const quote = await quoteOf(fixture);
    requestId = idOf(quote);
    txHash = await pay(fixture, quote);
  });
  const post = (path: string, body: unknown) => postJson(`${fixture.emulator.info.apiUrl}${path}`, body);

  // @spec endpoints/transactions-index endpoints/transactions-single
  it("a hint accepts chain ids as text and as number", async () => {
    for (const chainId of [31337, "31337"]) {
      const answer = await post("/transactions/index", { chainId, txHash });
      expect([answer.status, await answer.json()]).to.deep.equal([200, { message: "Success" }]);
      const single = await post("/transactions/single", {
        chainId,
        requestId,
        tx: JSON.stringify({ txHash }),
      });
      expect(single.status).to.equal(200);
    }
  });

  it("a rejected hint has a sentence only: 400 for a malformed hash, 404 for one that the chain does not have", async () => {
    const refusalOf = async (path: string, body: unknown) => {
      const answer = await post(path, body);
      return [answer.status, await answer.json()];
    };
    const malformed = [400, { message: "`txHash` is not a transaction hash" }];
    const unknown = [404, { message: "Transaction not found on chain 31337" }];
    for (const [txHash, refusal] of [
      ["0x12", malformed],
      [`${unknownHash}00`, malformed],
      ["nonsense", malformed],
      [unknownHash, unknown],
      [requestId, unknown],
    ] as const) {
      const tx = JSON.stringify({ txHash });
      const context = { chainId: "31337", requestId };
      expect(await refusalOf("/transactions/index", { chainId: 31337, txHash })).to.deep.equal(refusal);
      expect(await refusalOf("/transactions/single", { ...context, tx })).to.deep.equal(refusal);
    }
  });
});

describe("hints of transactions on chains of other kinds", () => {
  const fixture = useEmulator({ perps: true, svm: true });
  const statusOf = async (chainId: number, txHash: string) =>
    (await postJson(`${fixture.emulator.info.apiUrl}/transactions/index`, { chainId, txHash })).status;

  // @spec endpoints/transactions-index
  it("a signature of the SVM chain and an action of the exchange: are known, each on its own chain", async () => {
    const quote = await svmWithdrawal(fixture, { recipient: fresh() });
    const signature = await payOnSvm(fixture, quote, await svmUser());
    const { deposits } = await withdraw(fixture, await withdrawalQuote(fixture));
    const action = deposits[0]?.txHash ?? "";
    expect(await statusOf(792703809, signature)).to.equal(200);
    expect(await statusOf(1337, action)).to.equal(200);
    expect(await statusOf(1337, `0x${action.slice(2).toUpperCase()}`)).to.equal(200);
    for (const [chainId, txHash, status] of [
      [792703809, signature.replace(/.$/, (last) => (last === "2" ? "3" : "2")), 404],
      [792703809, signature.slice(0, 40), 400],
      [792703809, action, 400],
      [1337, unknownHash, 404],
      [1337, signature, 400],
      [fixture.alpha.info.id, action, 404],
    ] as const) {
      expect(await statusOf(chainId, txHash), `${txHash} on ${chainId}`).to.equal(status);
    }
  });
});
