import { PassThrough } from "node:stream";
import { expect } from "chai";
import { type Conversation, confirm } from "../../../../cli/terminal/confirm.ts";
import { failureOf } from "../../../helpers/failureOf.ts";

type Talk = Conversation & { readonly input: PassThrough; readonly output: PassThrough };

function talk(isTTY = true): Talk {
  return {
    input: Object.assign(new PassThrough(), { isTTY }),
    output: Object.assign(new PassThrough(), { isTTY }),
  };
}

const asked = (conversation: Talk, { signal } = new AbortController()) =>
  confirm({ question: "Pay 1 ETH?", signal, undone: "nothing was paid" }, conversation);

async function answer(text: string | undefined): Promise<{ isConfirmed: boolean; shown: string }> {
  const conversation = talk();
  const answered = asked(conversation);
  if (text === undefined) conversation.input.end();
  else conversation.input.write(`${text}\n`);
  return { isConfirmed: await answered, shown: String(conversation.output.read()) };
}

describe("confirm", () => {
  for (const yes of ["y", "Y", "yes", " YES "]) {
    it(`"${yes}": confirms`, async () => {
      const { isConfirmed, shown } = await answer(yes);
      expect(isConfirmed).to.equal(true);
      expect(shown).to.include("Pay 1 ETH? [y/N]");
    });
  }

  for (const no of ["", "n", "yess", "ok", "1", undefined]) {
    it(`${no === undefined ? "the end of the input" : `"${no}"`}: refuses`, async () => {
      expect((await answer(no)).isConfirmed).to.equal(false);
    });
  }

  it("Ctrl-C as a key of the terminal: ends with exit code 130 on a new line", async () => {
    const conversation = talk();
    let shown = "";
    conversation.output.on("data", (chunk: Buffer) => {
      shown += chunk.toString();
    });
    const failure = failureOf(asked(conversation));
    conversation.input.write("\u0003");
    expect(await failure).to.include({
      code: "INTERRUPTED",
      exitCode: 130,
      shortMessage: "Interrupted: nothing was paid.",
    });
    expect(shown).to.match(/\n$/);
  });
});
