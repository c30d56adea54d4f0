/**
 * Characters that change or hide other text: controls, direction marks, zero-width and other invisible ones, separators
 * of lines and paragraphs, half surrogate pairs.
 */
export const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/**
 * Makes foreign text safe to show in one line: of a service, chain, node or wallet. Ends of lines and tabs become spaces;
 * each run of other unprintable characters becomes `�`, so that a look-alike shows. A cut is marked with the number of
 * characters left out.
 *
 * @param longest Maximum length, with the mark. Default: 2,000 characters.
 */
export function printable(text: string, longest = 2_000): string {
  const mark = (kept: number) => `… (${text.length - kept} more characters)`;
  const kept = text.length <= longest ? text.length : Math.max(0, longest - mark(0).length);
  const shown = text
    .slice(0, kept)
    .replace(/[\t\n\r\u2028\u2029]+/g, " ")
    .replace(unprintable, "\ufffd")
    .replace(/\ufffd+/g, "\ufffd");
  return kept === text.length ? shown : shown + mark(kept);
}
