import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmulatorFixture } from "../emulatorFixture.ts";

/** A folder for the files of a suite, removed at its end. */
export type CommandFolder = {
  /** As `waybill emulator --out` writes it. */
  readonly emulatorFile: string;
  readonly folder: string;
  /** Saves a value as JSON, and returns the file's path. */
  save(name: string, value: unknown): string;
};

/** Registers the hooks of the folder. Call it in a `describe`, after `useEmulator`. */
export function useCommandFolder(fixture: Pick<EmulatorFixture, "emulator">): CommandFolder {
  const folder = mkdtempSync(join(tmpdir(), "waybill-command-"));
  const save = (name: string, value: unknown) => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(value));
    return file;
  };
  before(() => save("emulator.json", fixture.emulator.info));
  after(() => rmSync(folder, { force: true, recursive: true }));
  return { emulatorFile: join(folder, "emulator.json"), folder, save };
}
