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

/** Makes text of a service or chain one line without control characters and colours: it could imitate a line of the command. */
export function oneLine(text: string): string {
  return stripVTControlCharacters(text).replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, "");
}
