// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SelfDestructingTarget} from "./SelfDestructingTarget.sol";

/// @title BriefTargets
/// @notice Makes self-destructing targets at addresses that are known before: one that is made and called in the same
///         transaction is gone when that is over.
contract BriefTargets {
    /// @notice Makes a target that holds what is sent.
    /// @param salt decides the address, together with this contract's own
    function make(bytes32 salt) external payable {
        new SelfDestructingTarget{salt: salt, value: msg.value}();
    }
}
