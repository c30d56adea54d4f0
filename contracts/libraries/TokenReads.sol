// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Reading tokens without guessing
/// @notice A read that fails is an error here, never zero: whoever sets the gas limit could otherwise make a costly
/// `balanceOf` fail, and a sweep would be skipped in silence.
library TokenReads {
    /// @notice Thrown when the token is an account without code, which would otherwise accept anything in silence.
    /// @param token The address that was taken for a token.
    error TokenHasNoCode(address token);

    /// @notice Thrown when the token does not answer a read with a word.
    /// @param token The token that did not.
    error TokenReadFailed(address token);

    /// @notice What `account` holds.
    /// @param token The token.
    /// @param account Whose balance.
    /// @return In the token's smallest unit.
    function balanceOf(address token, address account) internal view returns (uint256) {
        bool success;
        uint256 amount;
        assembly ("memory-safe") {
            mstore(0x14, account)
            mstore(0x00, shl(96, 0x70a08231)) // balanceOf(address), at 0x10 with the account behind it
            success := staticcall(gas(), token, 0x10, 0x24, 0x20, 0x20)
            success := and(success, gt(returndatasize(), 0x1f))
            amount := mload(0x20)
        }
        if (!success) _fail(token);
        return amount;
    }

    /// @notice What `spender` may still take of `owner`'s token.
    /// @param token The token.
    /// @param owner Who approved.
    /// @param spender Who was approved.
    /// @return In the token's smallest unit.
    function allowance(address token, address owner, address spender) internal view returns (uint256) {
        bool success;
        uint256 amount;
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, shl(224, 0xdd62ed3e)) // allowance(address,address)
            mstore(add(data, 0x04), owner)
            mstore(add(data, 0x24), spender)
            success := staticcall(gas(), token, data, 0x44, 0x00, 0x20)
            success := and(success, gt(returndatasize(), 0x1f))
            amount := mload(0x00)
        }
        if (!success) _fail(token);
        return amount;
    }

    function _fail(address token) private view {
        if (token.code.length == 0) revert TokenHasNoCode(token);
        revert TokenReadFailed(token);
    }
}
