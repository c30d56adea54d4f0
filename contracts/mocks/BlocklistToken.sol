// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title BlocklistToken
/// @notice An ERC-20 token that reverts when the sender or the recipient is on its blocklist, which may
///         change between a deposit and its refund.
contract BlocklistToken is ERC20 {
    /// @notice Whether an account may neither send nor receive.
    mapping(address account => bool isBlocked) public blocked;

    /// @notice Thrown when a blocked account sends or receives.
    /// @param account the account
    error AccountBlocked(address account);

    constructor() ERC20("Blocklist", "BLOCK") {}

    /// @notice Puts an account on the list or takes it off; anyone may.
    /// @param account the account
    /// @param isBlocked whether it is on the list
    function setBlocked(address account, bool isBlocked) external {
        blocked[account] = isBlocked;
    }

    /// @notice Makes new tokens; anyone may.
    /// @param to recipient
    /// @param amount amount
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 value) internal override {
        if (blocked[from]) revert AccountBlocked(from);
        if (blocked[to]) revert AccountBlocked(to);
        super._update(from, to, value);
    }
}
