/** Text to compare by. Addresses of other virtual machines keep their letter case. */
export function plain(value: unknown): string {
  const text = String(value);
  return /^0x[0-9a-fA-F]*$/.test(text) ? text.toLowerCase() : text;
}
