/** Base64 of shorter secrets is not looked for: its invariant part would match unrelated text. */
const leastBase64Length = 8;

/**
 * Replaces every occurrence of a secret in a text: plain, escaped as in JSON (`\/`, `\u0073`, also JSON inside JSON),
 * percent-encoded, and inside base64 or base64url at any alignment.
 *
 * @param secret Printable ASCII; without one the text stays as it is.
 * @param replacement Header values need one of ASCII.
 *
 * @example
 * stripSecret('{"message":"key sk\\/live is unknown"}', "sk/live"); // '{"message":"key … is unknown"}'
 */
export function stripSecret(text: string, secret: string | undefined, replacement = "…"): string {
  return secret === undefined || secret === "" ? text : text.replace(patternOf(secret), () => replacement);
}

function patternOf(secret: string): RegExp {
  const forms = [secret, ...(secret.length < leastBase64Length ? [] : base64Forms(secret))];
  return new RegExp(forms.map((form) => [...form].map(characterPattern).join("")).join("|"), "g");
}

/** Repetitions are bounded: without a bound, a text of backslashes alone would take quadratic time. */
function characterPattern(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(2, "0");
  const anyCase = code.replace(/[a-f]/, (letter) => `[${letter}${letter.toUpperCase()}]`);
  return `(?:\\\\{0,8}(?:\\x${code}|u00${anyCase})|%(?:25){0,4}${anyCase})`;
}

/** The characters of base64 that depend on the secret alone, for the three places in which it can begin. */
function base64Forms(secret: string): string[] {
  const cores = [0, 2, 3].map((start, offset) => {
    const wholeCharacters = Math.floor(((offset + secret.length) * 4) / 3);
    return btoa("\0".repeat(offset) + secret).slice(start, wholeCharacters);
  });
  const urlSafe = cores.map((core) => core.replaceAll("+", "-").replaceAll("/", "_"));
  return [...new Set([...cores, ...urlSafe])];
}
