import { delimiter, join } from "node:path";
import { httpRpc } from "../../../emulator/chains/evm/httpRpc.ts";
import { startAnvil } from "../../../emulator/chains/fork/startAnvil.ts";
import type { ReplicaNode } from "../replica/openNode.ts";
import { protocolsFolder } from "../replica/publishedCode.ts";
import { placeReplica, replicaStart } from "../replica/startReplica.ts";

/** Makes the anvil of the protocols' packages the one of `PATH`, which is where it is found outside projects that install it. */
export function useInstalledAnvil(): void {
  const folder = join(protocolsFolder, "node_modules", ".bin");
  const path = process.env["PATH"] ?? "";
  if (!path.split(delimiter).includes(folder)) process.env["PATH"] = `${folder}${delimiter}${path}`;
}

/** Starts anvil with the replica's state: a node of another implementation. */
export async function startAnvilReplica(): Promise<ReplicaNode> {
  useInstalledAnvil();
  const start = Math.floor(replicaStart() / 1_000);
  const flags = ["--port", "0", "--chain-id", "1", "--accounts", "0", "--hardfork", "prague"];
  const { close, rpcUrl } = await startAnvil([
    ...flags,
    "--timestamp",
    String(start),
    "--auto-impersonate",
    "--disable-default-create2-deployer",
  ]);
  const rpc = httpRpc(rpcUrl, 30_000);
  await placeReplica(rpc);
  return { close, rpc, url: rpcUrl };
}
