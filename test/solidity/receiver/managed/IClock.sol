// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IClock
/// @notice The cheatcode that sets the clock.
interface IClock {
    /// @notice Sets the time of the block.
    /// @param timestamp the second it is from now on
    function warp(uint256 timestamp) external;
}
