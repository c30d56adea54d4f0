// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ReentrancyGuardTransient} from "solady/src/utils/ReentrancyGuardTransient.sol";

/// @title TransientGuard
/// @notice A reentrancy guard that is in transient storage on every chain.
abstract contract TransientGuard is ReentrancyGuardTransient {
    /// @dev Solady keeps its guard in storage on chains other than mainnet unless told otherwise; Waybill needs Cancun anyway.
    function _useTransientReentrancyGuardOnlyOnMainnet() internal pure override returns (bool) {
        return false;
    }
}
