import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Keeps the forks' cache of a suite in a folder of its own: a replica has another URL at each start. */
export function keepCacheApart(): void {
  let restore = () => {};
  before("make a cache folder", () => {
    restore = moveCache();
  });
  after("remove the cache folder", () => restore());
}

/** Moves the forks' cache to a new folder. @returns Restores the old one, and removes the new one. */
export function moveCache(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "waybill-fork-"));
  const earlier = process.env["XDG_CACHE_HOME"];
  process.env["XDG_CACHE_HOME"] = folder;
  return () => {
    if (earlier === undefined) delete process.env["XDG_CACHE_HOME"];
    else process.env["XDG_CACHE_HOME"] = earlier;
    rmSync(folder, { force: true, recursive: true });
  };
}
