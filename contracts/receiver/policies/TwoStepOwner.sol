// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Ownable} from "solady/src/auth/Ownable.sol";
import {ITwoStepOwner} from "../../interfaces/receiver/policies/ITwoStepOwner.sol";

/// @title TwoStepOwner
/// @notice Solady's ownership without one-step transfer and renunciation.
abstract contract TwoStepOwner is ITwoStepOwner, Ownable {
    /// @notice Sets the first owner.
    /// @param owner_ Sets the policies.
    constructor(address owner_) {
        if (owner_ == address(0)) revert NewOwnerIsZeroAddress();
        if (owner_ == address(this)) revert OwnerCannotAct(owner_);
        _initializeOwner(owner_);
    }

    /// @notice Always reverts: see `ITwoStepOwner`.
    /// @param newOwner Account that must request a handover instead.
    function transferOwnership(address newOwner) public payable override onlyOwner {
        revert OwnershipNeedsHandover(newOwner);
    }

    /// @notice Always reverts: see `ITwoStepOwner`.
    function renounceOwnership() public payable override onlyOwner {
        revert OwnershipIsKept();
    }
}
