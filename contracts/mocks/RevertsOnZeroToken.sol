// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title RevertsOnZeroToken
/// @notice An ERC-20 token that reverts on a transfer or an approval of zero, against the standard.
contract RevertsOnZeroToken is ERC20 {
    /// @notice Thrown when zero is moved.
    error ZeroTransfer();

    /// @notice Thrown when an allowance of zero is given.
    error ZeroApproval();

    constructor() ERC20("Reverts On Zero", "NONZERO") {}

    /// @notice Makes new tokens; anyone may.
    /// @param to recipient
    /// @param amount amount
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @inheritdoc ERC20
    function approve(address spender, uint256 value) public override returns (bool) {
        if (value == 0) revert ZeroApproval();
        return super.approve(spender, value);
    }

    function _update(address from, address to, uint256 value) internal override {
        if (value == 0) revert ZeroTransfer();
        super._update(from, to, value);
    }
}
