// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {DepositPolicies} from "./DepositPolicies.sol";

/// @title PolicyChecks
/// @notice Every policy inherits it, so that `ManagedReceiverLens` can ask each policy by itself.
/// @dev Separate from `DepositPolicies`, so that a receiver with one policy need not override `_checkPolicy`.
abstract contract PolicyChecks is DepositPolicies {
    /// @dev One check of one policy, for `ManagedReceiverLens`. A policy makes its check for index 0, and passes every
    /// other index, less one, to `super`. Returns false above the last policy.
    function _checkPolicy(
        uint256 /* index */,
        Attempt calldata /* attempt */
    ) internal view virtual returns (bool) {
        return false;
    }
}
