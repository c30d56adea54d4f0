#!/usr/bin/env node
// The compiler of npm, as forge calls a native one: standard JSON on stdin and stdout. Nothing is downloaded.
import { readFileSync } from "node:fs";
import solc from "solc";

const isCompiling = process.argv.includes("--standard-json");
console.log(isCompiling ? solc.compile(readFileSync(0, "utf8")) : `Version: ${solc.version()}`);
