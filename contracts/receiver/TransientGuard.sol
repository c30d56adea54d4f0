// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {LibTransient} from "solady/src/utils/LibTransient.sol";

/// @title TransientGuard
/// @notice A reentrancy guard in transient storage on every chain.
/// @dev Solady's guard can also use storage on some chains; the compiler keeps that code, and each guarded call pays for it.
abstract contract TransientGuard {
    using LibTransient for LibTransient.TBool;

    uint256 private constant GUARD_SLOT = uint256(keccak256("waybill.receiver.TransientGuard"));

    /// @notice Thrown when a guarded function is entered while a guarded function of this contract runs.
    error Reentrancy();

    modifier nonReentrant() {
        LibTransient.TBool storage guard = LibTransient.tBool(GUARD_SLOT);
        if (guard.get()) revert Reentrancy();
        guard.set(true);
        _;
        guard.set(false);
    }
}
