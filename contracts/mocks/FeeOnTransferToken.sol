// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title FeeOnTransferToken
/// @notice An ERC-20 token that burns a part of every transfer, so that less arrives than was sent.
contract FeeOnTransferToken is ERC20 {
    uint256 private constant BPS = 10_000;

    /// @notice The part that is burnt, in hundredths of a percent.
    uint256 public immutable feeBps;

    /// @notice Thrown when the fee is more than everything.
    /// @param feeBps the fee
    /// @param limit the most it may be
    error FeeTooHigh(uint256 feeBps, uint256 limit);

    /// @param feeBps_ the part that is burnt, in hundredths of a percent
    constructor(uint256 feeBps_) ERC20("Fee On Transfer", "FEE") {
        if (feeBps_ > BPS) revert FeeTooHigh(feeBps_, BPS);
        feeBps = feeBps_;
    }

    /// @notice Makes new tokens; anyone may. No fee is taken.
    /// @param to recipient
    /// @param amount amount
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 value) internal override {
        if (from == address(0) || to == address(0)) {
            super._update(from, to, value);
            return;
        }
        uint256 fee = (value * feeBps) / BPS;
        super._update(from, address(0), fee);
        super._update(from, to, value - fee);
    }
}
