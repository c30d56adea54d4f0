import {
  type Abi,
  type Address,
  encodeFunctionData,
  getAddress,
  getCreate2Address,
  type Hex,
  parseEther,
  recoverTransactionAddress,
  toHex,
  zeroHash,
} from "viem";
import type { Rpc } from "../../../emulator/chains/rpc.ts";

/** Signs nothing: every transaction is sent by an impersonated account. */
export const builder: Address = "0x00000000000000000000000000000000b111De40";

/** A call of a contract by an impersonated account. */
type Send = {
  readonly abi: Abi | readonly unknown[];
  readonly address: Address;
  readonly args?: readonly unknown[];
  /** @default {@link builder} */
  readonly from?: Address;
  readonly functionName: string;
  readonly value?: bigint;
};

/** Deploys and calls contracts. */
export type Builder = {
  readonly rpc: Rpc;
  /** Deploys to an address that follows from the builder's nonce. */
  create(code: Hex): Promise<Address>;
  /** Deploys by a factory that takes a salt and the code; the salt is zero. @throws Error for another address than `address`. */
  create2(factory: Address, address: Address, code: Hex): Promise<void>;
  /** Runs a constructor at an address: see {@link createBuilder}. */
  construct(address: Address, code: Hex, from?: Address): Promise<void>;
  /** Sends a transaction that its author signed for every chain. @throws Error if it does not deploy to `address`. */
  presigned(address: Address, raw: Hex): Promise<void>;
  /** Places code without a constructor. */
  place(address: Address, code: Hex): Promise<void>;
  /** Sets the next nonce of a contract, from which the address of its next contract follows. */
  setNonce(address: Address, nonce: number): Promise<void>;
  send(call: Send): Promise<void>;
};

const gas = toHex(30_000_000);
const rich = toHex(parseEther("1000000000"));

/**
 * Opens the builder of a chain.
 *
 * `construct` gives a contract its address on Ethereum without the account and nonce that deployed it there: the creation code
 * is set as the code of that address, and a transaction runs it. Storage, immutables and `address(this)` are then those of a
 * deployment to this address. What the run returns is the deployed code, which replaces the creation code.
 */
export function createBuilder(rpc: Rpc): Builder {
  const funded = new Set<Address>();
  const fund = async (account: Address) => {
    if (funded.has(account)) return;
    await rpc("hardhat_impersonateAccount", [account]);
    await rpc("hardhat_setBalance", [account, rich]);
    funded.add(account);
  };
  const mined = async (hash: unknown) => {
    const answer = await rpc("eth_getTransactionReceipt", [hash]);
    const { contractAddress, status } = answer as { contractAddress: Address | null; status: Hex };
    if (status !== "0x1") throw new Error(`The transaction ${hash} of the build reverted.`);
    return { contractAddress };
  };
  const transact = async (transaction: { from: Address; to?: Address; data?: Hex; value?: bigint }) => {
    await fund(transaction.from);
    const value = toHex(transaction.value ?? 0n);
    const hash = await rpc("eth_sendTransaction", [{ ...transaction, gas, value }]);
    return mined(hash);
  };
  const place = async (address: Address, code: Hex) => {
    await rpc("hardhat_setCode", [address, code]);
  };
  const assertDeployed = async (address: Address) => {
    const code = await rpc("eth_getCode", [address, "latest"]);
    if (code === "0x") throw new Error(`Nothing was deployed to ${address}.`);
  };
  return {
    construct: async (address, code, from = builder) => {
      await fund(from);
      await place(address, code);
      // A contract's nonce begins at one (EIP-161).
      await rpc("hardhat_setNonce", [address, "0x1"]);
      const deployed = await rpc("eth_call", [{ from, gas, to: address }, "latest"]);
      await transact({ from, to: address });
      await place(address, deployed as Hex);
      await assertDeployed(address);
    },
    create: async (code) => {
      const { contractAddress } = await transact({ data: code, from: builder });
      if (contractAddress === null) throw new Error("A deployment made no contract.");
      return getAddress(contractAddress);
    },
    create2: async (factory, address, code) => {
      const planned = getCreate2Address({ bytecode: code, from: factory, salt: zeroHash });
      if (planned !== address)
        throw new Error(`The published code belongs to ${planned}, not to ${address}.`);
      await transact({ data: `${zeroHash}${code.slice(2)}`, from: builder, to: factory });
      await assertDeployed(address);
    },
    place,
    presigned: async (address, raw) => {
      const signer = await recoverTransactionAddress({ serializedTransaction: raw as never });
      await fund(signer);
      await mined(await rpc("eth_sendRawTransaction", [raw]));
      await assertDeployed(address);
    },
    rpc,
    send: async ({ abi, address, args = [], from = builder, functionName, value = 0n }) => {
      const data = encodeFunctionData({ abi: abi as Abi, args, functionName });
      await transact({ data, from, to: address, value });
    },
    setNonce: async (address, nonce) => {
      await rpc("hardhat_setNonce", [address, toHex(nonce)]);
    },
  };
}
