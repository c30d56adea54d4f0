/** More than any response of the service needs. Recursion overflows the stack at a few thousand levels. */
const deepest = 100;

/** Whether JSON is nested so deeply that cloning, comparing or serialising its value could overflow the stack. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  let isText = false;
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (isText && character === "\\") index += 1;
    else if (character === '"') isText = !isText;
    else if (isText) continue;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}
