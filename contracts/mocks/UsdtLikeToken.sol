// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LocalTether} from "../service/currencies/LocalTether.sol";

/// @title UsdtLikeToken
/// @notice A token with the interface of USDT on Ethereum: functions without return values, allowances that change from or
///         to zero only, and a blocklist of senders. As in the original, blocked accounts can receive.
contract UsdtLikeToken is LocalTether {
    /// @notice Whether an account may not send.
    mapping(address account => bool isBlocked) public isBlackListed;

    /// @notice Thrown when a blocked account sends.
    /// @param account the account
    error TetherBlackListed(address account);

    /// @param minter account that mints and keeps the blocklist
    constructor(address minter) LocalTether(minter) {}

    /// @notice Blocks an account. Owner only.
    /// @param account the account
    function addBlackList(address account) external {
        if (msg.sender != owner) revert TetherUnauthorized(msg.sender);
        isBlackListed[account] = true;
    }

    /// @notice Removes an account from the blocklist. Owner only.
    /// @param account the account
    function removeBlackList(address account) external {
        if (msg.sender != owner) revert TetherUnauthorized(msg.sender);
        isBlackListed[account] = false;
    }

    function _move(address from, address to, uint256 value) internal override {
        if (isBlackListed[from]) revert TetherBlackListed(from);
        super._move(from, to, value);
    }
}
