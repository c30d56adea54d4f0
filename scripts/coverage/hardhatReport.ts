/** Reads what `hardhat test --coverage` leaves behind: lines in `lcov.info`, statements in the table that it prints. */
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

/** The percentage of each file's statements, which is in no file that Hardhat writes. */
export function readStatements(output: string): ReadonlyMap<string, number> {
  const rows = stripVTControlCharacters(output).matchAll(
    /^║\s*(\S+\.sol)\s*│\s*[\d.]+\s*│\s*([\d.]+)\s*│[^\n]*║$/gm,
  );
  return new Map([...rows].map(([, file = "", percentage = ""]) => [file, Number(percentage)]));
}
