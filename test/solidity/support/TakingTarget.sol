// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title TakingTarget
/// @notice A target that takes a part of what it is told is there, gives something for it, and notes what it saw.
contract TakingTarget {
    /// @notice The amount that stood in the calldata.
    uint256 public sawAmount;

    /// @notice What it could have taken.
    uint256 public sawAllowance;

    /// @notice The native value that came along.
    uint256 public sawValue;

    /// @notice Thrown on demand.
    /// @param code what the caller asked to see
    error TargetRefused(uint256 code);

    /// @notice Thrown when the caller does not take native currency.
    /// @param value how much it was
    error NotTakenBack(uint256 value);

    receive() external payable {}

    /// @notice Takes a part of a token and sends back a part of the native value.
    /// @param token the token
    /// @param amount how much is said to be there
    /// @param parts how many 65,535ths of both to keep
    function take(address token, uint256 amount, uint16 parts) external payable {
        _note(token, amount);
        IERC20(token).transferFrom(msg.sender, address(this), kept(amount, parts));
        _sendBack(msg.value - kept(msg.value, parts));
    }

    /// @notice Takes all of a token and pays another out of its own stock.
    /// @param tokenIn the token it takes
    /// @param amount how much is said to be there
    /// @param tokenOut the token it pays
    /// @param out how much of it
    function swap(address tokenIn, uint256 amount, address tokenOut, uint256 out) external {
        _note(tokenIn, amount);
        IERC20(tokenIn).transferFrom(msg.sender, address(this), amount);
        IERC20(tokenOut).transfer(msg.sender, out);
    }

    /// @notice Takes a token and pays native currency.
    /// @param token the token it takes
    /// @param amount how much is said to be there
    /// @param value how much it pays
    function cashOut(address token, uint256 amount, uint256 value) external {
        IERC20(token).transferFrom(msg.sender, address(this), amount);
        _sendBack(value);
    }

    /// @notice Notes two amounts that stood in the calldata.
    /// @param one the first
    /// @param other the second
    function note(uint256 one, uint256 other) external payable {
        sawAmount = one;
        sawAllowance = other;
        sawValue = msg.value;
    }

    /// @notice Reverts.
    /// @param code what to revert with
    function refuse(uint256 code) external payable {
        revert TargetRefused(code);
    }

    /// @notice What it keeps of an amount.
    /// @param amount the amount
    /// @param parts how many 65,535ths
    /// @return part what it keeps
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
