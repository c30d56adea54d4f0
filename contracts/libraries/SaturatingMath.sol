// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Sums and differences that stop at the ends of a word
/// @notice For comparisons whose named error must report a number, where checked arithmetic would panic.
/// @dev Without branches. Solady has both functions in a file with so many deprecation warnings that the compiler stops
/// listing ours.
library SaturatingMath {
    /// @notice The sum of two numbers, at most the largest number.
    /// @param a One number.
    /// @param b The other.
    /// @return sum `a + b`, or the largest number where that does not fit.
    function add(uint256 a, uint256 b) internal pure returns (uint256 sum) {
        assembly ("memory-safe") {
            sum := add(a, b)
            sum := or(sum, sub(0, lt(sum, a)))
        }
    }

    /// @notice The difference of two numbers, at least zero.
    /// @param a The number to subtract from.
    /// @param b The number to subtract.
    /// @return difference `a - b`, or zero where `b` is larger.
    function subtract(uint256 a, uint256 b) internal pure returns (uint256 difference) {
        assembly ("memory-safe") {
            difference := mul(gt(a, b), sub(a, b))
        }
    }
}
