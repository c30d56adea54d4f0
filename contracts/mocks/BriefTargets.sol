// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SelfDestructingTarget} from "./SelfDestructingTarget.sol";

/// @title BriefTargets
/// @notice Creates self-destructing targets at predictable addresses. A target that is created and called in one transaction
/// has no code afterwards.
contract BriefTargets {
    /// @notice Deploys a target that keeps the sent value.
    /// @param salt decides the address, together with this contract's own
    function make(bytes32 salt) external payable {
        new SelfDestructingTarget{salt: salt, value: msg.value}();
    }
}
