import { expect } from "chai";
import {
  type Abi,
  type Address,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  http,
  parseAbi,
  parseEther,
  type TransactionReceipt,
  toHex,
} from "viem";
import { mainnet as ethereum } from "viem/chains";
import { deriveAccounts } from "../../../emulator/chains/accounts.ts";
import { mainnet } from "../replica/addresses.ts";
import { builder } from "../replica/createBuilder.ts";
import type { ReplicaNode } from "../replica/openNode.ts";
import { startReplica } from "../replica/startReplica.ts";

const mintAbi = parseAbi(["function mint(address to, uint256 amount)"]);

/** The replica with a funded user and clients. */
export type OpenReplica = ReplicaNode & {
  readonly reader: ReturnType<typeof readerOf>;
  readonly wallet: ReturnType<typeof walletOf>;
  readonly user: Address;
  /** Mints USDC or USDT. */
  mint(token: Address, to: Address, amount: bigint): Promise<void>;
  /** Approves a spender for an amount of the user's tokens. */
  approve(token: Address, spender: Address, amount: bigint): Promise<void>;
  /** Sends a call as an account without its key. */
  sendAs(from: Address, call: { to: Address; data: `0x${string}` }): Promise<void>;
  balanceOf(token: Address, account: Address): Promise<bigint>;
  /** Sends the user's call, which must succeed. */
  send(call: UserCall): Promise<TransactionReceipt>;
  /** Growth of an account's tokens during `act`; the user's by default. */
  gains(token: Address, act: () => Promise<unknown>, account?: Address): Promise<bigint>;
};

type UserCall = {
  readonly abi: Abi | readonly unknown[];
  readonly address: Address;
  readonly args: readonly unknown[];
  readonly functionName: string;
  readonly value?: bigint;
};

function readerOf(url: string) {
  return createPublicClient({ cacheTime: 0, chain: ethereum, pollingInterval: 20, transport: http(url) });
}

function walletOf(url: string) {
  const [user] = deriveAccounts().users;
  if (user === undefined) throw new Error("there is no user");
  return createWalletClient({ account: user.account, chain: ethereum, transport: http(url) });
}

/** Starts the replica, and gives a user 1,000 ether. */
export async function openReplica(): Promise<OpenReplica> {
  const node = await startReplica();
  const reader = readerOf(node.url);
  const wallet = walletOf(node.url);
  const user = wallet.account.address;
  await node.rpc("hardhat_setBalance", [user, toHex(parseEther("1000"))]);
  const sendAs: OpenReplica["sendAs"] = async (from, call) => {
    await node.rpc("hardhat_setBalance", [from, toHex(parseEther("1"))]);
    await node.rpc("hardhat_impersonateAccount", [from]);
    await node.rpc("eth_sendTransaction", [{ from, ...call }]);
  };
  const balanceOf: OpenReplica["balanceOf"] = (address, account) =>
    reader.readContract({ abi: erc20Abi, address, args: [account], functionName: "balanceOf" });
  return {
    ...node,
    approve: async (address, spender, amount) => {
      // USDT's function returns nothing: the call is encoded without reading an answer.
      const data = encodeFunctionData({ abi: erc20Abi, args: [spender, amount], functionName: "approve" });
      await reader.waitForTransactionReceipt({ hash: await wallet.sendTransaction({ data, to: address }) });
    },
    balanceOf,
    gains: async (token, act, account = user) => {
      const before = await balanceOf(token, account);
      await act();
      return (await balanceOf(token, account)) - before;
    },
    mint: (token, to, amount) =>
      sendAs(builder, {
        data: encodeFunctionData({ abi: mintAbi, args: [to, amount], functionName: "mint" }),
        to: token,
      }),
    reader,
    send: async (call) => {
      const hash = await wallet.writeContract({ value: 0n, ...call } as never);
      const receipt = await reader.waitForTransactionReceipt({ hash });
      expect(receipt.status).to.equal("success");
      return receipt;
    },
    sendAs,
    user,
    wallet,
  };
}

export const { usdc, weth } = mainnet;
