/** Rule: CONTRIBUTING.md lists the emulator's folders in the order of their layers, and only subfolders that exist. */
import type { Problem, SourceFile } from "./Problem.ts";

/** The page with the table. */
export const ROOMS_PAGE = "CONTRIBUTING.md";

const HEADING = "## The emulator's rooms";
const ROW = /^\| `(\w+)\/` \| (.*) \|$/gm;

/**
 * @param page The page with the table.
 * @param folders The emulator's folders, from low to high.
 * @param files Every file of the repository.
 */
export function checkRooms(
  page: SourceFile,
  folders: readonly string[],
  files: readonly string[],
): Problem[] {
  const rows = [...page.text.slice(page.text.indexOf(HEADING)).matchAll(ROW)].map(
    ([, room = "", contents = ""]) => ({ room, contents }),
  );
  const listed = rows.map(({ room }) => room).join(", ");
  const missing = rows.flatMap(({ room, contents }) =>
    [...contents.matchAll(/`(\w+)\/`/g)]
      .map(([, folder]) => `emulator/${room}/${folder}/`)
      .filter((folder) => !files.some((file) => file.startsWith(folder)))
      .map((folder) => `lists ${folder}, which does not exist`),
  );
  const order =
    listed === folders.join(", ") ? [] : [`lists the folders ${listed}, not ${folders.join(", ")}`];
  return [...order, ...missing].map((message) => ({ file: page.path, message }));
}
