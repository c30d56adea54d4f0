// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title TakingTarget
/// @notice A target that takes a part of the amount in its calldata, pays for it, and records its calldata's amounts.
contract TakingTarget {
    uint256 public sawAmount;
    uint256 public sawAllowance;
    uint256 public sawValue;

    error TargetRefused(uint256 code);
    error NotTakenBack(uint256 value);

    receive() external payable {}

    /// @notice Takes a part of a token and keeps the same part of the native value, in 65,535ths.
    function take(address token, uint256 amount, uint16 parts) external payable {
        _note(token, amount);
        IERC20(token).transferFrom(msg.sender, address(this), kept(amount, parts));
        _sendBack(msg.value - kept(msg.value, parts));
    }

    /// @notice Takes all of a token and pays another from its stock.
    function swap(address tokenIn, uint256 amount, address tokenOut, uint256 out) external {
        _note(tokenIn, amount);
        IERC20(tokenIn).transferFrom(msg.sender, address(this), amount);
        IERC20(tokenOut).transfer(msg.sender, out);
    }

    /// @notice Takes a token and pays native currency.
    function cashOut(address token, uint256 amount, uint256 value) external {
        IERC20(token).transferFrom(msg.sender, address(this), amount);
        _sendBack(value);
    }

    /// @notice Records two amounts of the calldata.
    function note(uint256 one, uint256 other) external payable {
        sawAmount = one;
        sawAllowance = other;
        sawValue = msg.value;
    }

    function refuse(uint256 code) external payable {
        revert TargetRefused(code);
    }

    /// @notice The part of an amount that `take` keeps.
    function kept(uint256 amount, uint16 parts) public pure returns (uint256 part) {
        return (amount * parts) / type(uint16).max;
    }

    function _note(address token, uint256 amount) private {
        sawAmount = amount;
        sawAllowance = IERC20(token).allowance(msg.sender, address(this));
        sawValue = msg.value;
    }

    function _sendBack(uint256 value) private {
        if (value == 0) return;
        (bool success, ) = msg.sender.call{value: value}("");
        if (!success) revert NotTakenBack(value);
    }
}
