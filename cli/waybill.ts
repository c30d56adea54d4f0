#!/usr/bin/env node
// Checks the Node version before any import, in syntax that old versions parse. Newer syntax would fail without a message.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 16)) {
  console.error(`waybill needs Node 22.16 or newer; this is Node ${process.versions.node}.`);
  process.exitCode = 1;
} else {
  import("./program.ts");
}
