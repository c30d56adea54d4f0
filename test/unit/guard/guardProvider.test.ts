import { EventEmitter } from "node:events";
import { expect } from "chai";
import {
  createQuoteGuard,
  guardAnnouncements,
  guardProvider,
  type WalletProvider,
} from "../../../src/guard/index.ts";
import { policy } from "./support/quotes.ts";

const guard = createQuoteGuard({ policy });

/** A wallet as extensions write it: a class with private fields and flags. */
class PrivateWallet {
  readonly #chain: string = "0x7a69";
  readonly #listeners: unknown[] = [];
  readonly isRabby = true;
  readonly providers = [];
  get isMetaMask(): boolean {
    return this.#chain !== "";
  }
  async request({ method }: { method: string }): Promise<string> {
    return `${method} ${this.#chain}`;
  }
  on(_event: string, listener: unknown): number {
    return this.#listeners.push(listener);
  }
  removeListener(): void {
    this.#listeners.pop();
  }
  isConnected(): boolean {
    return true;
  }
  send(): void {}
  sendAsync(): void {}
}

describe("guardProvider: the provider", () => {
  for (const [name, wallet] of [
    ["a class with private fields", new PrivateWallet()],
    ["a frozen object", Object.freeze(new PrivateWallet())],
    [
      "a Proxy that binds its target",
      new Proxy(new PrivateWallet(), {
        get: (target, key) => {
          const value = Reflect.get(target, key, target);
          return typeof value === "function" ? value.bind(target) : value;
        },
      }),
    ],
  ] as const) {
    it(`of ${name}: has request, on, removeListener and flags, and no way around the guard`, async () => {
      const provider = guardProvider(wallet as unknown as WalletProvider, guard);
      expect(Object.keys(provider).sort()).to.deep.equal([
        "isMetaMask",
        "isRabby",
        "on",
        "removeListener",
        "request",
      ]);
      const { request } = provider;
      expect(await request({ method: "eth_chainId" })).to.equal("eth_chainId 0x7a69");
      expect(provider.on("chainChanged", () => {})).to.equal(provider);
      expect(provider.removeListener("chainChanged", () => {})).to.equal(provider);
    });
  }

  it("of a wallet without events: listens without effect, as wagmi calls `on` unasked", () => {
    const provider = guardProvider({ request: async () => null }, guard);
    const { on, removeListener } = provider;
    for (const listen of [on, removeListener]) expect(listen("connect", () => {})).to.equal(provider);
  });

  it("of a wallet that the guard was put before already, or of the guarded provider: is the same", () => {
    const wallet: WalletProvider = { request: async () => null };
    const provider = guardProvider(wallet, guard);
    expect(guardProvider(wallet, guard)).to.equal(provider);
    expect(guardProvider(provider, guard)).to.equal(provider);
  });

  it("an error of the wallet reaches the app as a copy with code, data, message and name", async () => {
    const fields = { code: -32002, data: { more: 1 }, name: "ProviderRpcError" };
    const wallet: WalletProvider = {
      request: () => Promise.reject(Object.assign(new Error("busy"), fields, { wallet })),
    };
    const provider = guardProvider(wallet, guard);
    const error = await provider.request({ method: "eth_requestAccounts" }).catch((each: unknown) => each);
    expect(error)
      .to.be.instanceOf(Error)
      .and.to.deep.include({ ...fields, message: "busy" });
    expect(error).not.to.have.property("wallet");
  });

  it("a listener gets copies and no `this`, and can be removed", () => {
    const wallet = new EventEmitter() as EventEmitter & WalletProvider;
    wallet.request = async () => null;
    const provider = guardProvider(wallet, guard);
    const seen: unknown[] = [];
    function listener(this: unknown, ...values: unknown[]) {
      seen.push(this, ...values);
    }
    const info = { chainId: "0x1" };
    provider.on("connect", listener);
    wallet.emit("connect", info, wallet);
    expect(seen.slice(0, 2)).to.deep.equal([undefined, info]);
    expect(seen[2]).not.to.have.property("request");
    expect(seen[1]).not.to.equal(info);
    provider.removeListener("connect", listener);
    expect(wallet.listenerCount("connect")).to.equal(0);
  });
});

describe("guardAnnouncements", () => {
  const announce = (target: EventTarget, detail: unknown) =>
    target.dispatchEvent(Object.assign(new Event("eip6963:announceProvider"), { detail }));

  it("a wallet announced to a store is the guarded one, under its own uuid, and the same at each announcement", async () => {
    const target = new EventTarget();
    const stop = guardAnnouncements(guard, target);
    const seen: { info: unknown; provider: WalletProvider }[] = [];
    target.addEventListener("eip6963:announceProvider", (event) => seen.push((event as CustomEvent).detail));
    const info = {
      icon: "data:,",
      name: "Wallet",
      rdns: "org.example",
      uuid: "350670db-19fa-4704-a166-e52e178b59d2",
    };
    const wallet = new PrivateWallet();
    for (let times = 0; times < 2; times++) announce(target, { info, provider: wallet });
    announce(target, undefined);
    expect(seen).to.have.length(2);
    expect(seen[0]?.info).to.deep.equal(info);
    expect(seen[0]?.provider).to.equal(seen[1]?.provider).and.not.equal(wallet);
    const error = await seen[0]?.provider
      .request({ method: "eth_sign", params: [] })
      .catch((each: unknown) => each);
    expect(error).to.include({ code: 4100 });
    stop();
    announce(target, { info, provider: wallet });
    expect(seen[2]?.provider).to.equal(wallet);
  });
});
