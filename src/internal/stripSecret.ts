/** Minimum length for the base64 search: the invariant part of a shorter secret would match unrelated text. */
const leastBase64Length = 8;

/**
 * Replaces every occurrence of a secret in a text: plain, escaped as in JSON (`\/`, `\u0073`, also JSON inside JSON),
 * percent-encoded, and inside base64 or base64url at any alignment.
 *
 * @param secret Printable ASCII. Without it, the text is returned unchanged.
 * @param replacement Must be ASCII for header values.
 */
export function stripSecret(text: string, secret: string | undefined, replacement = "…"): string {
  return secret === undefined || secret === "" ? text : text.replace(patternOf(secret), () => replacement);
}

function patternOf(secret: string): RegExp {
  const forms = [secret, ...(secret.length < leastBase64Length ? [] : base64Forms(secret))];
  return new RegExp(forms.map((form) => [...form].map(characterPattern).join("")).join("|"), "g");
}

/** Bounded repetition: a text of backslashes would otherwise take quadratic time. */
function characterPattern(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(2, "0");
  const anyCase = code.replace(/[a-f]/, (letter) => `[${letter}${letter.toUpperCase()}]`);
  return `(?:\\\\{0,8}(?:\\x${code}|u00${anyCase})|%(?:25){0,4}${anyCase})`;
}

/** The base64 characters that depend only on the secret, for each of the three alignments. */
function base64Forms(secret: string): string[] {
  const cores = [0, 2, 3].map((start, offset) => {
    const wholeCharacters = Math.floor(((offset + secret.length) * 4) / 3);
    return btoa("\0".repeat(offset) + secret).slice(start, wholeCharacters);
  });
  const urlSafe = cores.map((core) => core.replaceAll("+", "-").replaceAll("/", "_"));
  return [...new Set([...cores, ...urlSafe])];
}
