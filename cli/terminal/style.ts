import { styleText } from "node:util";
import { printable } from "../../src/errors/printable.ts";

/** A colour or emphasis. */
export type Tone = Extract<
  Parameters<typeof styleText>[0],
  "bold" | "cyan" | "dim" | "green" | "magenta" | "red" | "yellow"
>;

/** Colours a text for the terminal. The text may be foreign. */
export type Style = (tone: Tone, text: string) => string;

/**
 * Colours for a stream. Node decides by the stream: none without a terminal or with `NO_COLOR`, some with `FORCE_COLOR`.
 *
 * @param isOff Whether `--no-color` was given.
 */
export function styleFor(stream: NodeJS.WriteStream, isOff: boolean): Style {
  return (tone, text) => (isOff ? printable(text) : styleText(tone, printable(text), { stream }));
}
