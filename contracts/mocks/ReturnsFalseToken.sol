// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title ReturnsFalseToken
/// @notice An ERC-20 token that does nothing and returns false instead of reverting. Each of the three functions can be set
/// to succeed, so that a test finds a caller that checks only some results.
contract ReturnsFalseToken is ERC20 {
    /// @notice Whether `transfer` fails.
    bool public refusesTransfer = true;

    /// @notice Whether `transferFrom` fails.
    bool public refusesTransferFrom = true;

    /// @notice Whether `approve` fails.
    bool public refusesApprove = true;

    constructor() ERC20("Returns False", "FALSE") {}

    /// @notice Sets which functions return false.
    /// @param onTransfer whether `transfer` does
    /// @param onTransferFrom whether `transferFrom` does
    /// @param onApprove whether `approve` does
    function setRefusals(bool onTransfer, bool onTransferFrom, bool onApprove) external {
        refusesTransfer = onTransfer;
        refusesTransferFrom = onTransferFrom;
        refusesApprove = onApprove;
    }

    /// @notice Makes new tokens; anyone may.
    /// @param to recipient
    /// @param amount amount
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @inheritdoc ERC20
    function transfer(address to, uint256 value) public override returns (bool) {
        return refusesTransfer ? false : super.transfer(to, value);
    }

    /// @inheritdoc ERC20
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        return refusesTransferFrom ? false : super.transferFrom(from, to, value);
    }

    /// @inheritdoc ERC20
    function approve(address spender, uint256 value) public override returns (bool) {
        return refusesApprove ? false : super.approve(spender, value);
    }
}
