import { createSolanaRpc, type Signature } from "@solana/kit";
import { expect } from "chai";
import { Hono } from "hono";
import { openSvmChain } from "../../../../../../emulator/chains/svm/openSvmChain.ts";
import { svmTokens } from "../../../../../../emulator/chains/svm/svmCurrencies.ts";
import { type SvmParts, svmParts } from "../../../../../../emulator/chains/svm/svmParts.ts";
import { paymentInstructions, signSvmTransaction } from "../../../../../../emulator/chains/svm/svmPayment.ts";
import { mountRoutes } from "../../../../../../emulator/http/route/Route.ts";
import { svmRpcRoutes } from "../../../../../../emulator/http/routes/svm/svmRpc.ts";
import { openStore } from "../../../../../../emulator/store/openStore.ts";
import type { Store } from "../../../../../../emulator/store/tables.ts";
import { failureOf } from "../../../../../helpers/failureOf.ts";

const usdc = svmTokens[0] as (typeof svmTokens)[0];

/** The chain's own client, whose requests go to the routes without a socket. */
describe("svmRpc", () => {
  let store: Store;
  let svm: SvmParts;
  let app: Hono;
  let time = 1_700_000_000_000;

  const rpc = () => createSolanaRpc("http://127.0.0.1:1/svm");
  /** The client's transport calls the global fetch. */
  const withRoutes = async <Result>(call: (client: ReturnType<typeof rpc>) => Promise<Result>) => {
    const { fetch } = globalThis;
    globalThis.fetch = (async (url: string, init: RequestInit) =>
      app.fetch(new Request(url, init))) as typeof fetch;
    try {
      return await call(rpc());
    } finally {
      globalThis.fetch = fetch;
    }
  };
  const user = () => svm.accounts.users[0]?.signer as SvmParts["accounts"]["solver"]["signer"];
  const other = () => svm.accounts.users[1]?.signer as SvmParts["accounts"]["solver"]["signer"];
  const encoded = async (
    amount: bigint,
    currency: Parameters<typeof paymentInstructions>[0]["currency"] = usdc,
  ) => {
    const parts = { amount, currency, from: user(), memo: "an id", payer: user(), to: other().address };
    const { blockhash } = await svm.ledger.head();
    const instructions = await paymentInstructions(parts, svm.packages);
    const wire = await signSvmTransaction(instructions, { blockhash, payer: user() }, svm.packages);
    return Buffer.from(wire).toString("base64") as never;
  };
  const send = async (amount: bigint, options: { skipPreflight?: boolean } = {}) => {
    const wire = await encoded(amount);
    return withRoutes((client) => client.sendTransaction(wire, { encoding: "base64", ...options }).send());
  };

  before(async () => {
    ({ store } = await openStore(":memory:"));
    svm = svmParts(await openSvmChain({ now: () => time++, random32: () => `0x${"22".repeat(32)}`, store }));
    app = new Hono();
    mountRoutes(app, svmRpcRoutes({ store, svm }));
  });
  after(() => store.destroy());

  it("answers balances of wallets and token accounts, also of ones that do not exist", async () => {
    const { value: lamports } = await withRoutes((client) => client.getBalance(user().address).send());
    expect(lamports).to.equal(10_000_000_000_000n);
    const { value: held } = await withRoutes((client) =>
      client
        .getTokenAccountsByOwner(user().address, { mint: usdc.address as never }, { encoding: "base64" })
        .send(),
    );
    const [account] = held;
    const { value: amount } = await withRoutes((client) =>
      client.getTokenAccountBalance(account?.pubkey as never).send(),
    );
    expect(amount).to.deep.include({ amount: "10000000000", decimals: 6, uiAmountString: "10000" });
    const { value: none } = await withRoutes((client) =>
      client.getBalance(usdc.address.replace("U", "W") as never).send(),
    );
    expect(none).to.equal(0n);
  });

  it("sends a transaction, which then shows in statuses, by its signature and in its payer's list", async () => {
    const signature = await send(25n);
    const { value: statuses } = await withRoutes((client) => client.getSignatureStatuses([signature]).send());
    expect(statuses[0]).to.deep.include({ confirmationStatus: "finalized", err: null });
    const found = await withRoutes((client) =>
      client.getTransaction(signature, { encoding: "base64" }).send(),
    );
    expect(found?.meta?.err).to.equal(null);
    expect(found?.meta?.fee).to.equal(5_000n);
    const amounts = found?.meta?.postTokenBalances?.map(({ owner, uiTokenAmount }) => [
      owner,
      uiTokenAmount.amount,
    ]);
    expect(amounts).to.deep.include([other().address, "10000000025"]);
    const { address } = user();
    const list = await withRoutes((client) => client.getSignaturesForAddress(address, { limit: 1 }).send());
    expect(list.map((each) => each.signature)).to.deep.equal([signature]);
  });

  it("pages through an account's transactions without gap or repetition", async () => {
    const sent: Signature[] = [];
    for (const amount of [101n, 102n, 103n, 104n, 105n]) sent.unshift(await send(amount));
    const { address } = user();
    const first = await withRoutes((client) => client.getSignaturesForAddress(address, { limit: 2 }).send());
    const before = first.at(-1)?.signature as Signature;
    const until = sent.at(-1) as Signature;
    const second = await withRoutes((client) =>
      client.getSignaturesForAddress(address, { before, limit: 10, until }).send(),
    );
    expect([...first, ...second].map(({ signature }) => signature)).to.deep.equal(sent.slice(0, 4));
  });

  it("refuses a failing transaction with the chain's error, and keeps it with its fee without preflight", async () => {
    const tooMuch = 10n ** 15n;
    const error = await failureOf(send(tooMuch));
    expect(String(error)).to.match(/simulation failed/i);
    const signature = await send(tooMuch, { skipPreflight: true });
    const { value: statuses } = await withRoutes((client) => client.getSignatureStatuses([signature]).send());
    expect(statuses[0]?.err).to.deep.equal({ InstructionError: [1n, { Custom: 1n }] });
  });

  it("getMultipleAccounts of more than 10 MiB of data: is refused, and less of the same account answered", async () => {
    const token2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
    const dataOf = (address: string) =>
      svm.ledger.read((machine) => machine.account(address)?.data ?? new Uint8Array());
    // A program's account names the account of its code after a tag of four bytes.
    const program = svm.packages.kit.getAddressDecoder().decode((await dataOf(token2022)).slice(4));
    const { length: size } = await dataOf(program);
    const most = Math.floor((10 * 1024 * 1024) / size);
    expect(most).to.be.lessThan(100);
    const read = (count: number) =>
      withRoutes((client) =>
        client.getMultipleAccounts(Array(count).fill(program), { encoding: "base64" }).send(),
      );
    expect((await read(most)).value).to.have.length(most);
    expect(String(await failureOf(read(most + 1)))).to.contain("10485760 bytes");
  });

  it("answers JSON-RPC errors for unknown methods, wrong parameters and bytes that are no transaction", async () => {
    const call = async (method: string, params: unknown[]) => {
      const body = JSON.stringify({ id: 1, jsonrpc: "2.0", method, params });
      const request = new Request("http://127.0.0.1/svm", { body, method: "POST" });
      return ((await (await app.fetch(request)).json()) as { error: { code: number; message: string } })
        .error;
    };
    expect((await call("getNothing", [])).code).to.equal(-32_601);
    expect((await call("constructor", [])).code).to.equal(-32_601);
    expect((await call("getBalance", ["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"])).code).to.equal(-32_602);
    expect((await call("getSignaturesForAddress", [user().address, { limit: 1_001 }])).code).to.equal(
      -32_602,
    );
    expect((await call("requestAirdrop", ["11111111111111111111111111111111", 1])).code).to.equal(-32_602);
    const garbage = Buffer.alloc(300, 7).toString("base64");
    expect((await call("sendTransaction", [garbage, { encoding: "base64" }])).message).to.contain(
      "cannot be decoded",
    );
    const long = Buffer.alloc(1_233).toString("base64");
    expect((await call("sendTransaction", [long, { encoding: "base64" }])).message).to.contain("1232");
  });
});
