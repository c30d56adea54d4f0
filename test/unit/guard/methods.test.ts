import { expect } from "chai";
import { type Hex, hashTypedData, stringToHex } from "viem";
import { rejectionOf } from "../client/support/fakeService.ts";
import { depository, token, txHash, user } from "../client/support/samples.ts";
import { permitSample, type Sample, tokenSample } from "./support/quotes.ts";
import { failOnce, guarded, typedOf } from "./support/wallet.ts";

const digest = `0x${"ab".repeat(32)}`;
const passed: Readonly<Record<string, unknown>> = {
  eth_accounts: undefined,
  eth_call: [{ data: "0x", to: token }, "latest"],
  eth_estimateGas: [{ data: "0x", to: token }],
  eth_getLogs: [{}],
  eth_requestAccounts: undefined,
  wallet_getCallsStatus: [digest],
  wallet_getCapabilities: [user, ["0x1"]],
};
const refused: Readonly<Record<string, readonly unknown[]>> = {
  eth_decrypt: ["0x", user],
  eth_fillTransaction: [{ from: user, to: token }],
  eth_sendRawTransaction: ["0x02"],
  eth_sendTransactionConditional: [{}],
  eth_sendUserOperation: [{}],
  eth_sign: [user, digest],
  eth_signAuthorization: [{ address: token, chainId: 1 }],
  eth_signTransaction: [{ from: user, to: token }],
  eth_signTypedData: [[], user],
  eth_signTypedData_v3: [user, "{}"],
  hardhat_impersonateAccount: [user],
  personal_unlockAccount: [user, ""],
  wallet_addEthereumChain: [{ chainId: "0x1" }],
  wallet_connect: [{ capabilities: { signInWithEthereum: {} } }],
  wallet_grantPermissions: [{}],
  wallet_invokeSnap: [{}],
  wallet_prepareCalls: [{}],
  wallet_requestSnaps: [{}],
  wallet_sendPreparedCalls: [{}],
  wallet_signAuthorization: [{}],
  wallet_watchAsset: [{ options: { address: token }, type: "ERC20" }],
};

describe("guardProvider: the table of methods", () => {
  for (const [method, params] of Object.entries(passed)) {
    it(`${method} reaches the wallet as it is`, async () => {
      const { log, provider } = await guarded([]);
      await provider.request(params === undefined ? { method } : { method, params });
      const isRead = method === "eth_accounts";
      expect(log).to.deep.equal(isRead ? [] : [{ method, ...(params !== undefined && { params }) }]);
    });
  }

  for (const [method, params] of Object.entries(refused)) {
    it(`${method} is refused, unless the app's own rule allows it`, async () => {
      const { log, provider, refusals } = await guarded([]);
      expect(await rejectionOf(provider.request({ method, params }))).to.include({ code: 4100 });
      expect(refusals).to.deep.equal([
        { differences: [], method, reason: "the guard does not list this method" },
      ]);
      expect(log).to.deep.equal([]);
      const open = await guarded([], { allow: (request) => request.method === method });
      await open.provider.request({ method, params });
      expect(open.log).to.deep.equal([{ method, params }]);
    });
  }

  it("a rule of the app that throws, answers anything but true, or changes its copy: allows nothing more", async () => {
    const params = [user, digest];
    for (const allow of [
      () => {
        throw new Error("no");
      },
      () => "yes" as unknown as boolean,
      async () => false,
    ]) {
      const { log, provider } = await guarded([], { allow });
      await rejectionOf(provider.request({ method: "eth_sign", params }));
      expect(log).to.deep.equal([]);
    }
    const { log, provider } = await guarded([], {
      allow: (request) => {
        (request.params as unknown[])[0] = token;
        return true;
      },
    });
    await provider.request({ method: "eth_sign", params });
    expect(log).to.deep.equal([{ method: "eth_sign", params }]);
  });

  it("the app's rule is never asked about transactions, batches, typed data and digests", async () => {
    const asked: string[] = [];
    const allow = ({ method }: { method: string }) => asked.push(method) > 0;
    const { log, provider } = await guarded([], { allow });
    const call = { from: user, to: token, value: "0x1" };
    const typed = JSON.stringify({ domain: {}, message: {}, primaryType: "A", types: { A: [] } });
    for (const [method, params] of [
      ["eth_sendTransaction", [call]],
      ["wallet_sendCalls", [{ calls: [call], chainId: "0x7a69", from: user, version: "2.0.0" }]],
      ["eth_signTypedData_v4", [user, typed]],
      ["personal_sign", [digest, user]],
      ["personal_sign", [stringToHex("x".repeat(32)), user]],
      ["personal_sign", ["x".repeat(32), user]],
    ] as const) {
      expect(await rejectionOf(provider.request({ method, params })), method).to.include({ code: 4100 });
    }
    expect(asked).to.deep.equal([]);
    expect(log).to.deep.equal([]);
  });

  it("wallet_switchEthereumChain passes for the policy's chains alone", async () => {
    const { log, provider } = await guarded([]);
    const method = "wallet_switchEthereumChain";
    await provider.request({ method, params: [{ chainId: "0x07A6A", more: 1 }] });
    for (const params of [[{ chainId: "0x1" }], [{}], [], undefined]) {
      await rejectionOf(provider.request({ method, params }));
    }
    expect(log).to.deep.equal([{ method, params: [{ chainId: "0x7a6a" }] }]);
  });

  it("wallet_requestPermissions passes for accounts alone", async () => {
    const { log, provider } = await guarded([]);
    const method = "wallet_requestPermissions";
    await provider.request({ method, params: [{ eth_accounts: { caveats: [] } }] });
    for (const params of [[{ eth_accounts: {}, wallet_snap: {} }], [{ "endowment:x": {} }], [{}, {}]]) {
      await rejectionOf(provider.request({ method, params }));
    }
    expect(log).to.deep.equal([{ method, params: [{ eth_accounts: {} }] }]);
  });

  it("personal_sign passes a sign-in of the own domain, by opt-in; another message only by the app's rule", async () => {
    const method = "personal_sign";
    const text = (domain: string, account = user) =>
      `${domain} wants you to sign in with your Ethereum account:\n${account}\n\nURI: https://app.example\nNonce: 12345678`;
    const closed = await guarded([]);
    await rejectionOf(closed.provider.request({ method, params: [stringToHex(text("app.example")), user] }));
    const { log, provider } = await guarded([], { signInDomain: "app.example" });
    const hex = stringToHex(text("app.example"));
    await provider.request({ method, params: [hex, user] });
    await provider.request({ method, params: [text("app.example"), user, "unused"] });
    for (const message of [
      text("evil.example"),
      text("app.example", token),
      "hello",
      `\n${text("app.example")}`,
    ]) {
      await rejectionOf(provider.request({ method, params: [stringToHex(message), user] }));
    }
    expect(log).to.deep.equal([
      { method, params: [hex, user] },
      { method, params: [hex, user] },
    ]);
    expect(closed.log).to.deep.equal([]);
    const free = await guarded([], { allow: () => true });
    await free.provider.request({ method, params: ["hello", user] });
    expect(free.log).to.deep.equal([{ method, params: [stringToHex("hello"), user] }]);
  });
});

describe("guardProvider: eth_signTypedData_v4", () => {
  const method = "eth_signTypedData_v4";
  const signature = `0x${"12".repeat(65)}`;
  let sample: Sample;
  before(async () => {
    sample = await permitSample();
  });
  const answers = { [method]: () => signature };

  it("the typed data of an item, in any form of the same digest, reaches the wallet as the guard's own JSON", async () => {
    const { domain, message, primaryType, types } = typedOf(sample);
    const domainTypes = ["name:string", "version:string", "chainId:uint256", "verifyingContract:address"].map(
      (each) => {
        const [name, type] = each.split(":");
        return { name, type };
      },
    );
    const forms: object[] = [
      { domain, message, primaryType, types },
      { types: { EIP712Domain: domainTypes, ...types }, primaryType, message, domain },
      { domain: { ...domain, chainId: "31337" }, message: { ...message, nonce: 0 }, primaryType, types },
      {
        domain: { ...domain, chainId: "0x7a69" },
        message: Object.fromEntries(Object.entries(message).reverse()),
        primaryType,
        types,
      },
    ];
    for (const form of forms) {
      for (const given of [form, JSON.stringify(form)]) {
        const { log, provider } = await guarded([sample], { answers });
        expect(await provider.request({ method, params: [user.toLowerCase(), given] })).to.equal(signature);
        const [, json] = (log[0]?.params ?? []) as [string, string];
        const forwarded = JSON.parse(json);
        expect(hashTypedData(forwarded)).to.equal(
          hashTypedData({ domain, message, primaryType, types } as never),
        );
        expect(forwarded.types.EIP712Domain).to.deep.equal(domainTypes);
        expect(forwarded.domain.chainId).to.equal(31337);
      }
    }
  });

  it("typed data of another digest or account is refused", async () => {
    const typed = typedOf(sample);
    const changes: object[] = [
      { ...typed, message: { ...typed.message, value: "1500001" } },
      { ...typed, message: { ...typed.message, spender: depository } },
      { ...typed, message: { ...typed.message, deadline: "99999999999" } },
      { ...typed, domain: { ...typed.domain, chainId: 1 } },
      { ...typed, domain: { ...typed.domain, verifyingContract: depository } },
      { ...typed, domain: { ...typed.domain, salt: digest } },
      { ...typed, types: { ...typed.types, EIP712Domain: [{ name: "name", type: "string" }] } },
    ];
    const { log, provider } = await guarded([sample], { answers });
    for (const change of changes) {
      expect(
        await rejectionOf(provider.request({ method, params: [user, JSON.stringify(change)] })),
      ).to.include({ code: 4100 });
    }
    for (const params of [[token, typed], [user, "{"], [user], [typed, user], undefined]) {
      expect(await rejectionOf(provider.request({ method, params }))).to.include({ code: 4100 });
    }
    expect(log).to.deep.equal([]);
  });

  it("an unlimited permit of the service is refused with its difference", async () => {
    const hostile = structuredClone(sample);
    typedOf(hostile).message.value = `${2n ** 256n - 1n}`;
    const { log, provider, refusals } = await guarded([hostile], { answers });
    await rejectionOf(provider.request({ method, params: [user, typedOf(hostile)] }));
    expect(refusals[0]?.differences.map(({ code }) => code)).to.deep.equal(["QUOTE_AMOUNT"]);
    expect(log).to.deep.equal([]);
  });

  it("typed data can be asked for again after any error, as no signature left the wallet", async () => {
    for (const code of [4001, -32603]) {
      const { provider } = await guarded([sample], { answers: { [method]: failOnce(code, signature) } });
      expect(await rejectionOf(provider.request({ method, params: [user, typedOf(sample)] }))).to.include({
        code,
      });
      expect(await provider.request({ method, params: [user, typedOf(sample)] })).to.equal(signature);
    }
  });

  it("steps that the service appends after a permit are proven with their quote; hostile ones are refused", async () => {
    const payment = (await tokenSample("permit")).quote.steps[1] as Sample["quote"]["steps"][number];
    const { guard, log, provider } = await guarded([sample], { answers });
    await provider.request({ method, params: [user, typedOf(sample)] });
    const requestId = String(sample.quote.steps[0]?.requestId);
    // A deposit by an allowance does not use the permit.
    const { differences, isProven } = await guard.append({ requestId, steps: [payment] });
    expect(isProven).to.equal(false);
    expect(differences.map(({ code }) => code)).to.include("QUOTE_PAYMENT");
    const { data, from, to } = (payment.items[0]?.data ?? {}) as { data: Hex; from: Hex; to: Hex };
    await rejectionOf(provider.request({ method: "eth_sendTransaction", params: [{ data, from, to }] }));
    expect(log).to.have.length(1);
    expect(await guard.append({ requestId: digest, steps: [payment] })).to.include({ isProven: false });
  });
});

describe("guardProvider: wallet_sendCalls", () => {
  const method = "wallet_sendCalls";
  const callsOf = ({ quote }: Sample) =>
    quote.steps.map(({ items }) => {
      const { data, to } = (items[0]?.data ?? {}) as { data: Hex; to: Hex };
      return { data, maxFeePerGas: "0xe8d4a51000", to };
    });
  const batch = (sample: Sample, more: object = {}) => ({
    method,
    params: [{ calls: callsOf(sample), chainId: "0x7A69", from: user, version: "2.0.0", ...more }],
  });

  it("a run of open items reaches the wallet as one batch, without capabilities and fees", async () => {
    const sample = await tokenSample("batch", { isReset: true });
    const { log, provider } = await guarded([sample], { answers: { [method]: () => ({ id: digest }) } });
    const capabilities = { dataSuffix: { optional: true, value: "0x1234" } };
    expect(
      await provider.request(batch(sample, { atomicRequired: true, capabilities, id: digest, odd: 1 })),
    ).to.deep.equal({
      id: digest,
    });
    const calls = callsOf(sample).map(({ data, to }) => ({ data, to, value: "0x0" }));
    expect(log).to.deep.equal([
      {
        method,
        params: [
          { atomicRequired: true, calls, chainId: "0x7a69", from: user, id: digest, version: "2.0.0" },
        ],
      },
    ]);
    await rejectionOf(provider.request(batch(sample)));
    expect(log).to.have.length(1);
  });

  it("a batch with a call of its own, in another order, of another chain or sender, or with a needed capability is refused", async () => {
    const sample = await tokenSample("hostile batch");
    const [approval, deposit] = callsOf(sample);
    const { log, provider } = await guarded([sample]);
    for (const more of [
      { calls: [approval, deposit, { to: token, value: "0x1" }] },
      { calls: [deposit, approval] },
      { calls: [deposit] },
      { calls: [] },
      { chainId: "0x7a6a" },
      { chainId: undefined },
      { from: token },
      { from: undefined },
      { capabilities: { paymasterService: { url: "https://pay.example" } } },
    ]) {
      expect(await rejectionOf(provider.request(batch(sample, more))), JSON.stringify(more)).to.include({
        code: 4100,
      });
    }
    expect(log).to.deep.equal([]);
    expect(await provider.request(batch(sample))).to.equal(txHash);
  });
});
