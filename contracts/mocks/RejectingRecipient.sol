// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title RejectingRecipient
/// @notice A contract that takes no native currency: every call with or without value reverts by name.
contract RejectingRecipient {
    /// @notice Thrown on every call.
    /// @param value the native value that was refused
    error Rejected(uint256 value);

    receive() external payable {
        revert Rejected(msg.value);
    }

    fallback() external payable {
        revert Rejected(msg.value);
    }
}
