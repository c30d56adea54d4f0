// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title The service's depository, as a receiver of orders calls it
/// @notice Two of its functions. The third, which takes the caller's whole allowance for its amount, is left out: an
/// attacker who orders transactions could change the credited amount.
interface IOrderDepository {
    /// @notice Accepts `msg.value`.
    /// @param depositor Depositor in the event; zero for the caller.
    /// @param id The orderId.
    function depositNative(address depositor, bytes32 id) external payable;

    /// @notice Takes tokens from the caller under its allowance.
    /// @param depositor Depositor in the event; zero for the caller.
    /// @param token The token.
    /// @param amount Amount in the token's smallest unit. The event repeats it, whatever arrived.
    /// @param id The orderId.
    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) external;
}
