// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title PayingTarget
/// @notice An honest target: spends part of its allowance, then pays a recipient whose code runs.
contract PayingTarget {
    /// @notice Thrown when the payee reverts.
    /// @param payee the payee
    error PayeeFailed(address payee);

    /// @notice Takes tokens from the caller and calls a payee.
    /// @param balance the caller's balance; unused
    /// @param token the token
    /// @param taken amount to take
    /// @param payee account to call with the received value
    function takeAndPay(uint256 balance, address token, uint256 taken, address payee) external payable {
        balance;
        if (taken != 0) IERC20(token).transferFrom(msg.sender, address(this), taken);
        (bool success, ) = payee.call{value: msg.value}("");
        if (!success) revert PayeeFailed(payee);
    }
}
