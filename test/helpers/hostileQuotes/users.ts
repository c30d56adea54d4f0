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
import type { EmulatorFixture, TestChain } from "../emulatorFixture.ts";
import { erc20Data } from "../erc20Data.ts";
import { askNode } from "../localChain.ts";
import type { RouteKind } from "./routes.ts";

/** A signature that a wallet gave. */
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
  readonly wallet: WalletClient;
  readonly signed: Signed[];
  readonly hashes: Hex[];
  /** Allowances that the user has given, by `token:spender` in lower case. */
  readonly allowances: Map<string, bigint>;
};

const tokens = ["USDC", "USDT", "WETH"] as const;
let made = 0;

/** Creates a user of a route. */
export async function makeUser(fixture: EmulatorFixture, { isVeteran = false }: RouteKind): Promise<User> {
  const { alpha, beta, emulator } = fixture;
  const key = privateKeyToAccount(keccak256(toHex(`user ${made++} of the hostile quotes`)));
  const { address } = key;
  for (const chain of [alpha, beta])
    await askNode(chain, "hardhat_setBalance", address, toHex(parseEther("50")));
  for (const symbol of tokens) {
    const amount = symbol === "WETH" ? parseEther("20") : parseUnits("50000", 6);
    const currency = alpha.currency(symbol);
    await emulator.control.balances.set({ account: address, amount, chainId: alpha.info.id, currency });
  }
  const allowances = new Map<string, bigint>();
  if (isVeteran) {
    const { approvalProxy, depository, permit2, v3 } = alpha.info.contracts;
    for (const spender of [approvalProxy, depository, permit2, v3.approvalProxy]) {
      for (const token of tokens.map(alpha.currency)) {
        await sendUnsigned(alpha, address, { data: erc20Data("approve", spender, maxUint256), to: token });
        allowances.set(`${token}:${spender}`.toLowerCase(), maxUint256);
      }
    }
  }
  const [hashes, signed]: [Hex[], Signed[]] = [[], []];
  const request = async ({ method, params = [] }: { method: string; params?: unknown }): Promise<unknown> => {
    const answer = await alpha.reader.request({ method, params } as never);
    if (method === "eth_sendRawTransaction") hashes.push(answer as Hex);
    return answer;
  };
  const { chain } = alpha.wallet(0);
  const transport = custom({ request }, { retryCount: 0 });
  const wallet = createWalletClient({
    account: notingAccount(key, signed),
    chain,
    transport,
  }) as WalletClient;
  return { address, allowances, hashes, signed, wallet };
}

export async function sendUnsigned(
  chain: TestChain,
  from: Address,
  call: { readonly data: Hex; readonly to: Address },
): Promise<void> {
  await askNode(chain, "hardhat_impersonateAccount", from);
  await askNode(chain, "eth_sendTransaction", { ...call, from, gas: "0x2dc6c0" });
  await askNode(chain, "hardhat_stopImpersonatingAccount", from);
}

function notingAccount(key: PrivateKeyAccount, signed: Signed[]): Account {
  return toAccount({
    address: key.address,
    sign: key.sign,
    signMessage: key.signMessage,
    signTransaction: key.signTransaction,
    signTypedData: async (parameters) => {
      const signature = await key.signTypedData(parameters as never);
      const { domain = {}, message, primaryType } = parameters as unknown as Signed["typedData"];
      signed.push({ signature, typedData: { domain, message, primaryType } });
      return signature;
    },
  });
}
