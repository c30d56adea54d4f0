/**
 * `npm run test:fork`: the tests below `test/fork`, over the bytecode of real protocols.
 *
 * The protocols' packages have a lockfile of their own: 160 MB that nothing else needs. Most are under the GPL, and none is
 * shipped.
 */
import { join } from "node:path";
import { root } from "../checks/runTool.ts";
import { installApart, runMocha } from "./installApart.ts";

// The peers are development tools of the protocols.
installApart(join(root, "test", "fork", "protocols"), "--legacy-peer-deps");
const named = process.argv.slice(2);
runMocha(named.length === 0 ? ["test/fork/*.test.ts"] : named);
