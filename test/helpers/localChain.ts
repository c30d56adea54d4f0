import type { Address, Hex } from "viem";
import { readArtifact } from "../../emulator/chains/setup/placeContracts.ts";
import type { TestChain } from "./emulatorFixture.ts";

/** Calls a method of a chain's node that viem does not have. */
export const askNode = ({ reader }: Pick<TestChain, "reader">, method: string, ...params: unknown[]) =>
  reader.request({ method, params } as never);

/** Replaces an account's code. */
export const setCode = (chain: TestChain, address: Address, code: Hex) =>
  askNode(chain, "hardhat_setCode", address, code);

/** Mines a block. */
export const mine = (chain: TestChain) => askNode(chain, "evm_mine");

/** Switches between a block for each transaction and blocks by `mine` alone. */
const automine = (chain: TestChain, isOn: boolean) => askNode(chain, "evm_setAutomine", isOn);

/** Runs `act` while a chain mines by `mine` alone. */
export async function withoutAutomine<Result>(chain: TestChain, act: () => Promise<Result>): Promise<Result> {
  await automine(chain, false);
  try {
    return await act();
  } finally {
    await automine(chain, true);
  }
}

/** Deploys a compiled contract from one of the chain's accounts. */
export async function deploy(
  { reader, wallet }: TestChain,
  path: string,
  args: readonly unknown[] = [],
  index = 9,
): Promise<Address> {
  const { abi, bytecode } = readArtifact(path);
  const hash = await wallet(index).deployContract({ abi, args, bytecode });
  const { contractAddress } = await reader.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error(`${path} was not deployed`);
  return contractAddress;
}

/** Growth of an account's balance during `act`, in smallest units. */
export async function gained(
  { balanceOf }: TestChain,
  currency: Address,
  account: Address,
  act: () => Promise<unknown>,
): Promise<bigint> {
  const before = await balanceOf(currency, account);
  await act();
  return (await balanceOf(currency, account)) - before;
}
