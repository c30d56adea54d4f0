// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title The service's depository, as a receiver of orders calls it
/// @notice Two of its functions. The third, which takes a caller's whole allowance for its amount, is left out on purpose: who
/// orders the transactions could have it credit another amount than was meant.
interface IOrderDepository {
    /// @notice Keeps the native money that is sent along.
    /// @param depositor Who is named in the event; zero for the caller.
    /// @param id The orderId.
    function depositNative(address depositor, bytes32 id) external payable;

    /// @notice Takes tokens from the caller under its allowance.
    /// @param depositor Who is named in the event; zero for the caller.
    /// @param token The token.
    /// @param amount How much, in its smallest unit; the event repeats this, whatever arrived.
    /// @param id The orderId.
    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) external;
}
