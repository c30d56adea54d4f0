import { Command } from "commander";
import { faultAddCommand } from "./faultAdd.ts";
import { faultClearCommand } from "./faultClear.ts";
import { faultListCommand } from "./faultList.ts";

/** `waybill fault`: faults of a running emulator. */
export function faultCommand(): Command {
  return new Command("fault")
    .description("add, list and clear the faults of a running emulator")
    .addCommand(faultAddCommand())
    .addCommand(faultListCommand())
    .addCommand(faultClearCommand());
}
