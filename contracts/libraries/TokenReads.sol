// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Token reads that never default
/// @notice A failed read reverts instead of returning zero. Otherwise the caller, who sets the gas limit, could make an
/// expensive `balanceOf` fail and skip a sweep silently.
library TokenReads {
    /// @notice Thrown when the token has no code: every call of it would succeed.
    /// @param token The address without code.
    error TokenHasNoCode(address token);

    /// @notice Thrown when the token does not return a word.
    /// @param token The token.
    error TokenReadFailed(address token);

    /// @notice Balance of `account`.
    /// @param token The token.
    /// @param account Holder of the balance.
    /// @return In the token's smallest unit.
    function balanceOf(address token, address account) internal view returns (uint256) {
        bool success;
        uint256 amount;
        assembly ("memory-safe") {
            mstore(0x14, account)
            mstore(0x00, shl(96, 0x70a08231)) // balanceOf(address), at 0x10, followed by the account
            success := staticcall(gas(), token, 0x10, 0x24, 0x20, 0x20)
            success := and(success, gt(returndatasize(), 0x1f))
            amount := mload(0x20)
        }
        if (!success) _fail(token);
        return amount;
    }

    /// @notice Remaining allowance of `spender` over `owner`'s tokens.
    /// @param token The token.
    /// @param owner Owner of the tokens.
    /// @param spender The approved spender.
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
