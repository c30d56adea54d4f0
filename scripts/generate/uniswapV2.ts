/**
 * Writes `artifacts/UniswapV2.json`: the code of Uniswap v2, as the emulator deploys it on its chains, and its licence
 * (GPL-3.0-or-later) in a file of its own. Its packages are development dependencies of 15 MB; the published package contains
 * only these two files.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Hex, keccak256 } from "viem";
import { root } from "../checks/runTool.ts";

const require = createRequire(import.meta.url);

type Source = {
  readonly name: string;
  readonly repository: { readonly url: string };
  readonly version: string;
};

/**
 * What the emulator needs of the three published contracts.
 *
 * @throws Error when the router looks for pairs with other code than the factory's: it would find none.
 */
export function uniswapCode(codes: { factory: Hex; pair: Hex; router: Hex }) {
  const pairInitHash = keccak256(codes.pair);
  if (!codes.factory.includes(codes.pair.slice(2)) || !codes.router.includes(pairInitHash.slice(2))) {
    throw new Error("The published router and factory of Uniswap v2 do not belong together.");
  }
  return { factory: codes.factory, pairInitHash, router: codes.router };
}

function publishedCode(path: string): Hex {
  const artifact: { bytecode: string } = JSON.parse(readFileSync(require.resolve(path), "utf8"));
  return `0x${artifact.bytecode}`;
}

/** Where the source of the code is: the GPL asks for directions next to it. */
function describeSource(packageName: string): string {
  const path = require.resolve(`${packageName}/package.json`);
  const { name, repository, version }: Source = JSON.parse(readFileSync(path, "utf8"));
  return `npm ${name}@${version}, folder contracts; ${repository.url}`;
}

if (import.meta.main) {
  const artifact = {
    license: "GPL-3.0-or-later",
    licenseFile: "UniswapV2.LICENSE.txt",
    sources: ["@uniswap/v2-core", "@uniswap/v2-periphery"].map(describeSource),
    ...uniswapCode({
      factory: publishedCode("@uniswap/v2-core/build/UniswapV2Factory.json"),
      pair: publishedCode("@uniswap/v2-core/build/UniswapV2Pair.json"),
      router: publishedCode("@uniswap/v2-periphery/build/UniswapV2Router02.json"),
    }),
  };
  const folder = join(root, "artifacts");
  mkdirSync(folder, { recursive: true });
  copyFileSync(require.resolve("@uniswap/v2-core/LICENSE"), join(folder, artifact.licenseFile));
  // Written last: the set-up checks only this file.
  writeFileSync(join(folder, "UniswapV2.json"), `${JSON.stringify(artifact, null, 2)}\n`);
}
