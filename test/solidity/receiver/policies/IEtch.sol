// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IEtch
/// @notice The cheatcode that sets code.
interface IEtch {
    /// @notice Sets an account's code.
    /// @param account the account
    /// @param code its code from now on
    function etch(address account, bytes calldata code) external;
}
