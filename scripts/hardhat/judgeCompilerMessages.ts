import type { CompilerOutputError } from "hardhat/types/solidity";

/** The folders whose warnings are ours, as Hardhat names sources to the compiler. */
const OWN_SOURCES = "project/";
const OWN_TESTS = "project/test/";

/** Code size and initcode size: neither a test nor code without the optimizer is ever deployed to a chain that limits them. */
const SIZE_WARNINGS: ReadonlySet<string> = new Set(["5574", "3860"]);

/** The compiler's message that it truncates the list of warnings: contracts of coverage exceed its limit. */
const TOO_MANY = /^There are more than \d+ warnings/;

/** The source that a message points at; some, such as those about settings, point at none. */
function sourceOf({ formattedMessage = "" }: CompilerOutputError): string | undefined {
  return /-->\s+([^\s:]+)/.exec(formattedMessage)?.[1];
}

/**
 * Decides what a build makes of the compiler's messages.
 *
 * @param isUndeployed Whether coverage, or the lack of an optimizer, has made the contracts larger than they are deployed.
 * @returns the errors as they were; our warnings as errors, so that the build fails before its result is cached
 * and the next build cannot pass in silence; no warnings about packages.
 */
export function judgeCompilerMessages(
  messages: readonly CompilerOutputError[],
  isUndeployed = false,
): CompilerOutputError[] {
  const measuresSize = (source: string | undefined) => !isUndeployed && !source?.startsWith(OWN_TESTS);
  return messages.flatMap((message): CompilerOutputError[] => {
    if (message.severity === "error") return [message];
    const source = sourceOf(message);
    if (source !== undefined && !source.startsWith(OWN_SOURCES)) return [];
    if (SIZE_WARNINGS.has(message.errorCode ?? "") && !measuresSize(source)) return [];
    if (isUndeployed && TOO_MANY.test(message.message)) return [];
    if (message.severity === "info") return [];
    const words = message.formattedMessage ?? message.message;
    const formattedMessage = words.replace(/^Warning:/, "Warning treated as an error:");
    return [{ ...message, type: "StrictWarning", severity: "error", formattedMessage }];
  });
}
