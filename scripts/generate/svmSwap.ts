/**
 * Compiles `swap.c`, the swap program of the local SVM chain, into `swapProgram.ts`. Run by hand after a change of the source,
 * with `clang-19` and `sbpf-linker` 0.2.6 (crates.io, with the toolchain whose LLVM it loads) on the path: neither is a package of
 * npm, so the compiled program is kept with its source, and names its hash. The same tools give the same bytes.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../checks/runTool.ts";

const folder = join(root, "emulator", "chains", "svm", "swap");

/** Identifies the source of a compiled program. */
export function hashOfSource(): string {
  return createHash("sha256")
    .update(readFileSync(join(folder, "swap.c")))
    .digest("hex");
}

function compile(): Buffer {
  const scratch = mkdtempSync(join(tmpdir(), "waybill-swap-"));
  const [code, program] = [join(scratch, "swap.bc"), join(scratch, "swap.so")];
  try {
    const target = ["-target", "bpfel", "-mcpu=v1", "-O2", "-ffreestanding", "-emit-llvm"];
    const warnings = ["-Wall", "-Wextra", "-Werror"];
    execFileSync("clang-19", [...target, ...warnings, "-c", join(folder, "swap.c"), "-o", code]);
    // Stronger optimization joins the multiplication into one of 128 bits, which the machine does not have.
    const options = ["--cpu", "v1", "-O", "1", "--export", "entrypoint", "--llvm-args=--bpf-stack-size=4096"];
    execFileSync("sbpf-linker", [code, ...options, "-o", program], { cwd: scratch });
    return readFileSync(program);
  } finally {
    rmSync(scratch, { force: true, recursive: true });
  }
}

if (import.meta.main) {
  const lines =
    compile()
      .toString("base64")
      .match(/.{1,96}/g) ?? [];
  writeFileSync(
    join(folder, "swapProgram.ts"),
    `/** Address of the swap program. */
export const swapProgramAddress = "Swap111111111111111111111111111111111111111";

/** SHA-256 of \`swap.c\`, from which \`scripts/generate/svmSwap.ts\` compiled the program. */
export const swapSourceHash = "${hashOfSource()}";

/** The compiled program, an ELF file in base64. */
export const swapProgram = [
${lines.map((line) => `  "${line}",`).join("\n")}
].join("");
`,
  );
}
