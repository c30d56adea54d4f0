/** Parses the results of `hardhat test --coverage`: lines from `lcov.info`, statements from its printed table. */
import { stripVTControlCharacters } from "node:util";

/** Whether each line with code was run, by file. */
export type Lines = ReadonlyMap<string, ReadonlyMap<number, boolean>>;

export function readLcov(text: string): Lines {
  const files = new Map<string, Map<number, boolean>>();
  let lines = new Map<number, boolean>();
  for (const entry of text.split("\n")) {
    const [name, value = ""] = [entry.slice(0, 3), entry.slice(3)];
    if (name === "SF:") {
      lines = new Map();
      files.set(value, lines);
    }
    if (name === "DA:") {
      const [line = 0, count = 0] = value.split(",").map(Number);
      lines.set(line, count > 0);
    }
  }
  return files;
}

/** Statement coverage of each file in percent, which Hardhat only prints. */
export function readStatements(output: string): ReadonlyMap<string, number> {
  const rows = stripVTControlCharacters(output).matchAll(
    /^║\s*(\S+\.sol)\s*│\s*[\d.]+\s*│\s*([\d.]+)\s*│[^\n]*║$/gm,
  );
  return new Map([...rows].map(([, file = "", percentage = ""]) => [file, Number(percentage)]));
}
