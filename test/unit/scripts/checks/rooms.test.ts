import { expect } from "chai";
import { checkRooms } from "../../../../scripts/checks/rooms.ts";

const files = ["emulator/store/schema/requests.ts", "emulator/keys/openApiKeys.ts"];

function messages(table: string): string[] {
  const text = `| \`src/\` | the library |\n\n## The emulator's rooms\n\n${table}`;
  return checkRooms({ path: "CONTRIBUTING.md", text }, ["store", "keys"], files).map(
    ({ message }) => message,
  );
}

describe("the check of the emulator's folders in CONTRIBUTING.md", () => {
  it("every folder in the order of its layer, with subfolders that exist: no problem", () => {
    expect(messages("| `store/` | tables: `schema/` |\n| `keys/` | API keys |")).to.deep.equal([]);
  });

  it("another order, and a subfolder that does not exist: reports both", () => {
    expect(messages("| `keys/` | API keys |\n| `store/` | `tables/` |")).to.deep.equal([
      "lists the folders keys, store, not store, keys",
      "lists emulator/store/tables/, which does not exist",
    ]);
  });
});
