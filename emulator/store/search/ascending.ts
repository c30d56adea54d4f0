/** The numbers from 0 on, so many. */
export function ascending(length: number): Int32Array<ArrayBuffer> {
  const numbers = new Int32Array(length);
  for (let i = 0; i < length; i++) numbers[i] = i;
  return numbers;
}
