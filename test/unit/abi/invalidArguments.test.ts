import { readFileSync } from "node:fs";
import type { Hex } from "viem";
import { pinnedReceiverAbi, receiverAddress } from "../../../src/abi/index.ts";
import { describeInvalidArguments } from "../../helpers/invalidArguments.ts";

const artifact = new URL(
  "../../../artifacts/contracts/receiver/PinnedReceiver.sol/PinnedReceiver.json",
  import.meta.url,
);
const { bytecode }: { bytecode: Hex } = JSON.parse(readFileSync(artifact, "utf8"));
const solver = `0x${"11".repeat(20)}` as const;

describeInvalidArguments({
  receiverAddress: [{ abi: pinnedReceiverAbi, args: [solver, solver, 0], bytecode }, receiverAddress],
});
