import { delimiter, join } from "node:path";
import { protocolsFolder } from "../replica/publishedCode.ts";

/** Makes the anvil of the protocols' packages the one of `PATH`, which is where it is found outside projects that install it. */
export function useInstalledAnvil(): void {
  const folder = join(protocolsFolder, "node_modules", ".bin");
  const path = process.env["PATH"] ?? "";
  if (!path.split(delimiter).includes(folder)) process.env["PATH"] = `${folder}${delimiter}${path}`;
}
