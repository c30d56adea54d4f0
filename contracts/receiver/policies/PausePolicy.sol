// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IPausePolicy} from "../../interfaces/receiver/policies/IPausePolicy.sol";
import {TwoStepOwner} from "./TwoStepOwner.sol";

/// @title PausePolicy
/// @notice Deposits can be stopped.
abstract contract PausePolicy is IPausePolicy, TwoStepOwner {
    bool private _isPaused;

    /// @inheritdoc IPausePolicy
    function setPaused(bool isPaused_) external override onlyOwner {
        _isPaused = isPaused_;
        emit PauseChanged(isPaused_);
    }

    /// @inheritdoc IPausePolicy
    function isPaused() external view override returns (bool) {
        return _isPaused;
    }

    /// @inheritdoc IPausePolicy
    function checkNotPaused() public view override {
        if (_isPaused) revert DepositsPaused();
    }
}
