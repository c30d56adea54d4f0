// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVm} from "./IVm.sol";

/// @title Test
/// @notice What every Solidity test stands on: cheatcodes, bounded inputs, and assertions that revert with both
/// values.
abstract contract Test {
    /// @notice Thrown when two numbers differ.
    /// @param actual the number found
    /// @param expected the number wanted
    error NumbersDiffer(uint256 actual, uint256 expected);

    /// @notice Thrown when two words differ.
    /// @param actual the word found
    /// @param expected the word wanted
    error WordsDiffer(bytes32 actual, bytes32 expected);

    /// @notice Thrown when two addresses differ.
    /// @param actual the address found
    /// @param expected the address wanted
    error AddressesDiffer(address actual, address expected);

    /// @notice Thrown when two byte strings differ.
    /// @param actual the bytes found
    /// @param expected the bytes wanted
    error BytesDiffer(bytes actual, bytes expected);

    /// @notice Thrown when two truth values differ.
    /// @param actual the value found
    /// @param expected the value wanted
    error BooleansDiffer(bool actual, bool expected);

    /// @notice Thrown when a number exceeds its limit.
    /// @param actual the number found
    /// @param limit the most it may be
    error NumberTooHigh(uint256 actual, uint256 limit);

    /// @notice Thrown when two things that must differ are the same.
    /// @param both the word found twice
    error WordsEqual(bytes32 both);

    /// @dev `address(uint160(uint256(keccak256("hevm cheat code"))))`.
    IVm internal constant VM = IVm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    /// @dev The order of secp256k1; keys lie below it.
    uint256 internal constant CURVE_ORDER =
        0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;

    /// @dev Maps any number onto `min…max`, without rejecting a run.
    function _bound(uint256 number, uint256 min, uint256 max) internal pure returns (uint256) {
        if (number >= min && number <= max) return number;
        uint256 size = max - min;
        return size == type(uint256).max ? number : min + (number % (size + 1));
    }

    function _boundKey(uint256 seed) internal pure returns (uint256) {
        return _bound(seed, 1, CURVE_ORDER - 1);
    }

    /// @dev A separate account for each role; its key is unknown.
    function _account(string memory role) internal pure returns (address) {
        return address(uint160(uint256(keccak256(bytes(role)))));
    }

    function _assertEq(uint256 actual, uint256 expected) internal pure {
        if (actual != expected) revert NumbersDiffer(actual, expected);
    }

    function _assertEq(bytes32 actual, bytes32 expected) internal pure {
        if (actual != expected) revert WordsDiffer(actual, expected);
    }

    function _assertEq(address actual, address expected) internal pure {
        if (actual != expected) revert AddressesDiffer(actual, expected);
    }

    function _assertEq(bytes memory actual, bytes memory expected) internal pure {
        if (keccak256(actual) != keccak256(expected)) revert BytesDiffer(actual, expected);
    }

    function _assertEq(bool actual, bool expected) internal pure {
        if (actual != expected) revert BooleansDiffer(actual, expected);
    }

    function _assertNotEq(bytes32 one, bytes32 other) internal pure {
        if (one == other) revert WordsEqual(one);
    }

    function _assertNotEq(address one, address other) internal pure {
        _assertNotEq(bytes32(uint256(uint160(one))), bytes32(uint256(uint160(other))));
    }

    function _assertLe(uint256 actual, uint256 limit) internal pure {
        if (actual > limit) revert NumberTooHigh(actual, limit);
    }
}
