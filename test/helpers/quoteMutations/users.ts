import { BrowserProvider, TypedDataEncoder, Wallet } from "ethers";
import {
  type Account,
  type Address,
  createWalletClient,
  custom,
  type Hex,
  keccak256,
  maxUint256,
  parseEther,
  parseUnits,
  toHex,
  type WalletClient,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount, toAccount } from "viem/accounts";
import type { EthersSigner } from "../../../src/execute/index.ts";
import { deployBatchWallet } from "../batchWallet.ts";
import type { EmulatorFixture, TestChain } from "../emulatorFixture.ts";
import { erc20Data } from "../erc20Data.ts";
import type { RouteKind } from "./routeKinds.ts";

/** Signatures that a wallet gave. */
export type Signed = {
  readonly typedData: {
    readonly domain: Record<string, unknown>;
    readonly message: Record<string, unknown>;
    readonly primaryType: string;
  };
  readonly signature: Hex;
};

/** A user with more money than any request needs, whose wallet records all signatures and transactions. */
export type User = {
  readonly address: Address;
  /** Accounts that hold the user's money: the bundler pays a batch wallet's gas and value. */
  readonly payers: readonly Address[];
  readonly wallet: EthersSigner | WalletClient;
  readonly signed: Signed[];
  readonly hashes: Hex[];
  /** Allowances that the user has given, by `token:spender` in lower case. */
  readonly allowances: Map<string, bigint>;
};

const tokens = ["USDC", "USDT", "WETH"] as const;
let made = 0;

/** Creates a user with the route's kind of wallet. */
export async function makeUser(fixture: EmulatorFixture, kind: RouteKind): Promise<User> {
  const key = keccak256(toHex(`user ${made++} of the quote mutations`));
  await setNative(fixture, privateKeyToAccount(key).address);
  const notes = { hashes: [] as Hex[], signed: [] as Signed[] };
  const { address, payers, wallet } = await walletOf(fixture, key, kind.wallet ?? "viem", notes);
  if (kind.wallet === "batch") await setNative(fixture, address);
  for (const symbol of tokens) await setToken(fixture, symbol, address);
  const allowances = new Map<string, bigint>();
  if (kind.isVeteran === true) {
    for (const [token, spender] of veteranAllowances(fixture.alpha)) {
      await approveAs(fixture.alpha, address, token, spender);
      allowances.set(`${token}:${spender}`.toLowerCase(), maxUint256);
    }
  }
  return { ...notes, address, allowances, payers, wallet };
}

async function setNative({ alpha, beta }: EmulatorFixture, address: Address): Promise<void> {
  for (const { reader } of [alpha, beta]) {
    await reader.request({
      method: "hardhat_setBalance",
      params: [address, toHex(parseEther("50"))],
    } as never);
  }
}

async function setToken(
  { alpha, emulator }: EmulatorFixture,
  symbol: (typeof tokens)[number],
  account: Address,
): Promise<void> {
  const amount = symbol === "WETH" ? parseEther("20") : parseUnits("50000", 6);
  await emulator.control.balances.set({
    account,
    amount,
    chainId: alpha.info.id,
    currency: alpha.currency(symbol),
  });
}

function veteranAllowances({ currency, info }: TestChain): (readonly [Address, Address])[] {
  const { approvalProxy, depository, permit2, v3 } = info.contracts;
  const spenders = [approvalProxy, depository, permit2, v3.approvalProxy];
  return tokens.flatMap((symbol) => spenders.map((spender) => [currency(symbol), spender] as const));
}

/** An earlier allowance, which needs no signature of the user. */
async function approveAs({ reader }: TestChain, from: Address, to: Address, spender: Address): Promise<void> {
  const data = erc20Data("approve", spender, maxUint256);
  await impersonate(reader, from, { data, to });
}

/** Sends a transaction as any account. */
export async function impersonate(
  reader: TestChain["reader"],
  from: Address,
  call: { data: Hex; to: Address },
): Promise<Hex> {
  const request = reader.request as (call: { method: string; params: unknown[] }) => Promise<unknown>;
  await request({ method: "hardhat_impersonateAccount", params: [from] });
  const params = [{ ...call, from, gas: "0x2dc6c0" }];
  const hash = (await request({ method: "eth_sendTransaction", params })) as Hex;
  await request({ method: "hardhat_stopImpersonatingAccount", params: [from] });
  return hash;
}

type Notes = { readonly hashes: Hex[]; readonly signed: Signed[] };

async function walletOf(
  { alpha }: EmulatorFixture,
  key: Hex,
  wanted: "batch" | "ethers" | "viem",
  notes: Notes,
): Promise<{ address: Address; payers: Address[]; wallet: EthersSigner | WalletClient }> {
  const { chain } = alpha.wallet(0);
  const purse = privateKeyToAccount(key);
  const transport = custom({ request: notingRequest(alpha, notes) }, { retryCount: 0 });
  if (wanted === "batch") {
    const bundler = createWalletClient({ account: purse, chain, transport });
    const batch = await deployBatchWallet(bundler as never, alpha.reader);
    const wallet = createWalletClient({ account: batch.address, chain, transport: custom(batch) });
    return { address: batch.address, payers: [batch.address, purse.address], wallet: wallet as WalletClient };
  }
  const { address } = purse;
  if (wanted === "viem") {
    const wallet = createWalletClient({ account: notingAccount(purse, notes), chain, transport });
    return { address, payers: [address], wallet: wallet as WalletClient };
  }
  const provider = new BrowserProvider({ request: notingRequest(alpha, notes) }, alpha.info.id, {
    cacheTimeout: -1,
    staticNetwork: true,
  } as never);
  const signer = new Wallet(key, provider);
  const signTypedData = signer.signTypedData.bind(signer);
  signer.signTypedData = async (domain, types, message) => {
    const signature = (await signTypedData(domain, types, message)) as Hex;
    const primaryType = TypedDataEncoder.getPrimaryType(types);
    notes.signed.push({ signature, typedData: { domain: { ...domain }, message, primaryType } });
    return signature;
  };
  return { address, payers: [address], wallet: signer as unknown as EthersSigner };
}

function notingRequest({ reader }: TestChain, { hashes }: Notes) {
  return async ({ method, params = [] }: { method: string; params?: unknown }): Promise<unknown> => {
    const answer = await reader.request({ method, params } as never);
    if (method === "eth_sendRawTransaction") hashes.push(answer as Hex);
    return answer;
  };
}

function notingAccount(purse: PrivateKeyAccount, { signed }: Notes): Account {
  return toAccount({
    address: purse.address,
    sign: purse.sign,
    signMessage: purse.signMessage,
    signTransaction: purse.signTransaction,
    signTypedData: async (parameters) => {
      const signature = await purse.signTypedData(parameters as never);
      const { domain = {}, message, primaryType } = parameters as unknown as Signed["typedData"];
      signed.push({ signature, typedData: { domain, message, primaryType } });
      return signature;
    },
  });
}
