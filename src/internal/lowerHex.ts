/** Converts an address or other hexadecimal text to lower case, for comparison, and keeps its type. */
export function lowerHex<Text extends string>(text: Text): Text {
  return text.toLowerCase() as Text;
}
