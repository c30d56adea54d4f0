// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title A pause that stops deposits
/// @notice The owner stops and restarts deposits without delay. A pause stops deposits only: credited refunds can be
/// withdrawn while paused.
interface IPausePolicy {
    /// @notice Emitted when deposits are stopped or started.
    /// @param isPaused Whether deposits are refused.
    event PauseChanged(bool isPaused);

    /// @notice Thrown when a deposit is made while deposits are stopped.
    error DepositsPaused();

    /// @notice Stops or starts deposits. Only the owner may.
    /// @param isPaused_ Whether deposits are refused.
    function setPaused(bool isPaused_) external;

    /// @notice Whether deposits are refused.
    /// @return True while deposits are stopped.
    function isPaused() external view returns (bool);
}
