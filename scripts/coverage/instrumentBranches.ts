/**
 * Makes every branch report which of its sides was taken, through the same library that Hardhat's statement coverage
 * reports through. A condition becomes a call that passes its value on, so that nothing else about the code changes.
 */
import { createHash } from "node:crypto";
import type { SourceFile } from "../checks/Problem.ts";
import { type Branch, branchKey, findBranches } from "./findBranches.ts";
import { findTests } from "./findTests.ts";

/** The source with the helpers, beside the contracts in the compiler's input. */
export const HITS_SOURCE = "WaybillBranchHits.sol";

const HITS_LIBRARY = "WaybillBranchHits";

/** Sources whose branches have names, as Hardhat names them to the compiler. */
export const COVERED = /(?:^|\/)contracts\/(?:records|receiver|proxy|libraries)\/.+\.sol$/;

/** Sources of the Solidity tests. */
export const TESTS = /(?:^|\/)test\/solidity\/.+\.sol$/;

/** Tag of a side of a branch. */
export function sideTag(branch: Branch, side: string): string {
  return createHash("sha256")
    .update(`${branchKey(branch)} is ${side}`)
    .digest("hex");
}

/** Tag of a Solidity test. */
export function testTag(name: string): string {
  return createHash("sha256").update(`test ${name}`).digest("hex");
}

/** Preserves memory and return data. */
const ASSEMBLY_HITS = `
    function waybillHit(tag) {
        let kept := mload(0x00)
        mstore(0x00, tag)
        pop(staticcall(gas(), 0xc0bEc0BEc0BeC0bEC0beC0bEC0bEC0beC0beC0BE, 0x00, 0x20, 0x00, 0x00))
        mstore(0x00, kept)
    }
    function waybillCondition(value, whenTrue, whenFalse) -> same {
        same := value
        switch value case 0 { waybillHit(whenFalse) } default { waybillHit(whenTrue) }
    }
`;

/** @param coverageSource The name under which the input has Hardhat's own library. */
export function hitsLibrary(coverageSource: string): string {
  return `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import {__NomicFoundationCoverage} from "${coverageSource}";
library ${HITS_LIBRARY} {
    function test(uint256 tag) internal pure { __NomicFoundationCoverage.sendHit(tag); }
    function condition(bool value, uint256 whenTrue, uint256 whenFalse) internal pure returns (bool) {
        __NomicFoundationCoverage.sendHit(value ? whenTrue : whenFalse);
        return value;
    }
    function loop(bool goesOn, uint256 round, uint256 none, uint256 one, uint256 many)
        internal pure returns (bool)
    {
        if (goesOn && round == 1) __NomicFoundationCoverage.sendHit(many);
        if (!goesOn && round < 2) __NomicFoundationCoverage.sendHit(round == 0 ? none : one);
        return goesOn;
    }
}
`;
}

/** Replacement text for the source between two positions. */
type Edit = { readonly start: number; readonly end: number; readonly text: string };

/** Makes every branch of one source report its sides. */
export function instrumentBranches(file: SourceFile): string {
  const branches = findBranches([file]);
  if (branches.length === 0) return file.text;
  const edits = [...new Map(branches.flatMap(editsOf).map((edit) => [JSON.stringify(edit), edit])).values()];
  return `${applyEdits(file.text, edits)}\nimport {${HITS_LIBRARY}} from "${HITS_SOURCE}";\n`;
}

/** Adds a report at the start of each test function, to attribute the following reports. */
export function instrumentTests(file: SourceFile): string {
  const edits = findTests(file).map(({ name, start }) => ({
    start,
    end: start,
    text: ` ${HITS_LIBRARY}.test(0x${testTag(name)}); `,
  }));
  if (edits.length === 0) return file.text;
  return `${applyEdits(file.text, edits)}\nimport {${HITS_LIBRARY}} from "${HITS_SOURCE}";\n`;
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((one, other) => other.start - one.start)
    .reduce((source, edit) => source.slice(0, edit.start) + edit.text + source.slice(edit.end), text);
}

function editsOf(branch: Branch): Edit[] {
  const { start, end, assembly, sides, counter } = branch;
  const tags = sides.map((side) => `0x${sideTag(branch, side)}`);
  const list = tags.join(", ");
  if (assembly === undefined) {
    const call = counter === undefined ? `${HITS_LIBRARY}.condition(` : `${HITS_LIBRARY}.loop(`;
    const round = counter === undefined ? "" : `, ${counter}`;
    return [insertion(start, call), insertion(end, `${round}, ${list})`)];
  }
  const shared = [
    insertion(assembly.block, ASSEMBLY_HITS),
    ...(assembly.pure === undefined ? [] : [{ ...assembly.pure, text: "view" }]),
  ];
  if (assembly.cases.length > 0) {
    return [
      ...shared,
      ...assembly.cases.map((place, index) => insertion(place, ` waybillHit(${tags[index]}) `)),
    ];
  }
  return [...shared, insertion(start, "waybillCondition("), insertion(end, `, ${list})`)];
}

function insertion(place: number, text: string): Edit {
  return { start: place, end: place, text };
}
