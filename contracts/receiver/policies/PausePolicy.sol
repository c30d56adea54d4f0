// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IPausePolicy} from "../../interfaces/receiver/policies/IPausePolicy.sol";
import {PolicyChecks} from "../PolicyChecks.sol";
import {TwoStepOwner} from "./TwoStepOwner.sol";

/// @title PausePolicy
/// @notice Deposits can be stopped.
abstract contract PausePolicy is IPausePolicy, PolicyChecks, TwoStepOwner {
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

    function _authorize(
        bytes32 id,
        address depositor,
        address currency,
        uint256 amount,
        bytes calldata policyData
    ) internal virtual override returns (bytes32) {
        _checkNotPaused();
        return super._authorize(id, depositor, currency, amount, policyData);
    }

    function _checkPolicy(
        uint256 index,
        Attempt calldata attempt
    ) internal view virtual override returns (bool) {
        if (index != 0) return super._checkPolicy(index - 1, attempt);
        _checkNotPaused();
        return true;
    }

    function _checkNotPaused() private view {
        if (_isPaused) revert DepositsPaused();
    }
}
