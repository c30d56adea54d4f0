#!/usr/bin/env node
// Imports nothing before the check, in syntax that old versions of Node read: a newer one fails there without a sentence.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 16)) {
  console.error(`waybill needs Node 22.16 or newer; this is Node ${process.versions.node}.`);
  process.exitCode = 1;
} else {
  const { emitWarning } = process;
  // Node calls SQLite experimental; the store's tests run on it.
  process.emitWarning = (warning: Error | string, ...rest: unknown[]) => {
    if (rest[0] !== "ExperimentalWarning") Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  import("./program.ts");
}
