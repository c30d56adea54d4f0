import { stripVTControlCharacters, styleText } from "node:util";

/** A colour or emphasis. */
export type Tone = Extract<
  Parameters<typeof styleText>[0],
  "bold" | "cyan" | "dim" | "green" | "magenta" | "red" | "yellow"
>;

/** Colours a text for the terminal. */
export type Style = (tone: Tone, text: string) => string;

/**
 * Colours for a stream. Node decides by the stream: none without a terminal or with `NO_COLOR`, some with `FORCE_COLOR`.
 *
 * @param isOff Whether `--no-color` was given.
 */
export function styleFor(stream: NodeJS.WriteStream, isOff: boolean): Style {
  return (tone, text) => (isOff ? text : styleText(tone, text, { stream }));
}

/** Removes control characters, which a service or a chain could send to change the terminal. Colours and lines stay. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}(?:\[\d{1,3}m)?|\p{Bidi_Control}/gu, (found) => {
    if (found.startsWith("\u001b[") || found === "\n" || found === "\t") return found;
    return found.slice(1);
  });
}

/** Makes text of a service or chain one line without control characters and colours: it could imitate a line of the command. */
export function oneLine(text: string): string {
  return stripVTControlCharacters(text).replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, "");
}
