import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import {
  type Addressable,
  type BaseContract,
  type Contract,
  ContractFactory,
  type InterfaceAbi,
} from "ethers";

interface Artifact {
  readonly abi: InterfaceAbi;
  readonly bytecode: string;
}

const require = createRequire(import.meta.url);

/** Uniswap's published artifact of a contract. */
export function uniswapArtifact(path: `v2-core/build/${string}` | `v2-periphery/build/${string}`): Artifact {
  const { abi, bytecode } = JSON.parse(readFileSync(require.resolve(`@uniswap/${path}`), "utf8")) as Artifact;
  return { abi, bytecode: `0x${bytecode}` };
}

/** Deploys factory and router from the published bytecode. */
export async function deployUniswapV2(ethers: HardhatEthers, wrappedNative: Addressable) {
  const [owner] = await ethers.getSigners();
  if (!owner) throw new Error("The local chain has no accounts.");
  const deploy = async (artifact: Artifact, ...args: readonly unknown[]) => {
    const contract = await new ContractFactory(artifact.abi, artifact.bytecode, owner).deploy(...args);
    return (await contract.waitForDeployment()) as Contract;
  };
  const factory = await deploy(uniswapArtifact("v2-core/build/UniswapV2Factory.json"), owner.address);
  const router = await deploy(
    uniswapArtifact("v2-periphery/build/UniswapV2Router02.json"),
    factory,
    wrappedNative,
  );
  return { factory, router };
}

export type UniswapV2 = Awaited<ReturnType<typeof deployUniswapV2>>;

/** Creates a pool; `fund` provides its first liquidity of both tokens. */
export async function makePool(
  ethers: HardhatEthers,
  { factory }: UniswapV2,
  tokens: readonly [BaseContract, BaseContract],
  fund: (pool: string) => Promise<unknown>,
): Promise<Contract> {
  const [owner] = await ethers.getSigners();
  if (!owner) throw new Error("The local chain has no accounts.");
  await factory.getFunction("createPair")(...tokens);
  const address: string = await factory.getFunction("getPair")(...tokens);
  await fund(address);
  const { abi } = uniswapArtifact("v2-core/build/UniswapV2Pair.json");
  const pool = new ethers.Contract(address, abi, owner);
  await pool.getFunction("mint")(owner.address);
  return pool;
}
