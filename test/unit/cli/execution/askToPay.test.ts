import { PassThrough } from "node:stream";
import { expect } from "chai";
import { askToPay, type Conversation, isInteractive } from "../../../../cli/execution/askToPay.ts";
import { failureOf } from "../../../helpers/failureOf.ts";

type Talk = Conversation & { readonly input: PassThrough; readonly output: PassThrough };

function talk(isTTY = true): Talk {
  return {
    input: Object.assign(new PassThrough(), { isTTY }),
    output: Object.assign(new PassThrough(), { isTTY }),
  };
}

async function answer(text: string | undefined): Promise<{ error: unknown; shown: string }> {
  const conversation = talk();
  const asked = failureOf(askToPay("Pay 1 ETH?", new AbortController().signal, conversation));
  if (text === undefined) conversation.input.end();
  else conversation.input.write(`${text}\n`);
  const error = await asked;
  return { error, shown: String(conversation.output.read()) };
}

describe("askToPay", () => {
  for (const yes of ["y", "Y", "yes", " YES "]) {
    it(`"${yes}": confirms`, async () => {
      const { error, shown } = await answer(yes);
      expect(error).to.equal(undefined);
      expect(shown).to.include("Pay 1 ETH? [y/N]");
    });
  }

  for (const no of ["", "n", "yess", "ok", "1", undefined]) {
    it(`${no === undefined ? "the end of the input" : `"${no}"`}: refuses with exit code 2`, async () => {
      const { error } = await answer(no);
      expect(error).to.include({ exitCode: 2, shortMessage: "Not confirmed: nothing was signed or paid." });
    });
  }

  it("Ctrl-C: ends with the reason of the signal", async () => {
    const controller = new AbortController();
    const asked = failureOf(askToPay("Pay?", controller.signal, talk()));
    const reason = new Error("stopped");
    controller.abort(reason);
    expect(await asked).to.equal(reason);
  });

  it("Ctrl-C as a key of the terminal: ends with exit code 130 on a new line", async () => {
    const { input, output } = talk();
    let shown = "";
    output.on("data", (chunk: Buffer) => {
      shown += chunk.toString();
    });
    const asked = failureOf(askToPay("Pay?", new AbortController().signal, { input, output }));
    input.write("\u0003");
    expect(await asked).to.include({ code: "INTERRUPTED", exitCode: 130 });
    expect(shown).to.match(/\n$/);
  });

  it("input and output of a terminal: are interactive; a pipe at either end is not", () => {
    expect(isInteractive(talk())).to.equal(true);
    expect(isInteractive({ ...talk(), input: talk(false).input })).to.equal(false);
    expect(isInteractive({ ...talk(), output: talk(false).output })).to.equal(false);
  });
});
