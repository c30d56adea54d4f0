/** Removes control characters, which a service or a chain could send to change the terminal. Colours and lines stay. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}(?:\[\d{1,3}m)?|\p{Bidi_Control}/gu, (found) => {
    if (found.startsWith("\u001b[") || found === "\n" || found === "\t") return found;
    return found.slice(1);
  });
}
