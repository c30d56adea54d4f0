// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {DigestSigning} from "../../../contracts/testing/DigestSigning.sol";
import {ITestCheats} from "./ITestCheats.sol";

/// @title Test
/// @notice Base of every Solidity test: bounded inputs, and assertions that revert with both values.
abstract contract Test is DigestSigning {
    error NumbersDiffer(uint256 actual, uint256 expected);
    error WordsDiffer(bytes32 actual, bytes32 expected);
    error AddressesDiffer(address actual, address expected);
    error BytesDiffer(bytes actual, bytes expected);
    error BooleansDiffer(bool actual, bool expected);
    error NumberTooHigh(uint256 actual, uint256 limit);
    error WordsEqual(bytes32 both);

    ITestCheats internal constant CHEATS = ITestCheats(address(VM));

    /// @dev The order of secp256k1; keys lie below it.
    uint256 internal constant CURVE_ORDER =
        0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;

    /// @dev Maps any number onto `min…max`, so that no run is rejected.
    function _bound(uint256 number, uint256 min, uint256 max) internal pure returns (uint256) {
        if (number >= min && number <= max) return number;
        uint256 size = max - min;
        return size == type(uint256).max ? number : min + (number % (size + 1));
    }

    function _boundKey(uint256 seed) internal pure returns (uint256) {
        return _bound(seed, 1, CURVE_ORDER - 1);
    }

    /// @dev One account per role; its key is unknown.
    function _account(string memory role) internal pure returns (address) {
        return address(uint160(uint256(keccak256(bytes(role)))));
    }

    /// @dev Sets an account's code, with the empty storage of a delegation. No adversary uses more storage.
    function _become(address account, bytes memory code) internal {
        VM.etch(account, code);
        for (uint256 slot; slot < 8; ++slot) CHEATS.store(account, bytes32(slot), 0);
    }

    /// @dev Address of this contract's next deployment.
    function _nextDeployment() internal view returns (address) {
        return CHEATS.computeCreateAddress(address(this), CHEATS.getNonce(address(this)));
    }

    /// @dev `currency` zero is the native currency.
    function _balanceOf(address currency, address account) internal view returns (uint256) {
        return currency == address(0) ? account.balance : IERC20(currency).balanceOf(account);
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

    /// @dev For a reason whose arguments the test cannot compute.
    function _assertSelector(bytes memory reason, bytes4 expected) internal pure {
        _assertEq(bytes32(bytes4(reason)), bytes32(expected));
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
