// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IManagedReceiver} from "../interfaces/receiver/IManagedReceiver.sol";
import {DepositPolicies} from "./DepositPolicies.sol";
import {CurrencyLimits} from "./policies/CurrencyLimits.sol";
import {ExpiryCoSignature} from "./policies/ExpiryCoSignature.sol";
import {PausePolicy} from "./policies/PausePolicy.sol";
import {RecipientAllowListMapping} from "./policies/RecipientAllowListMapping.sol";
import {RefundLedger} from "./policies/RefundLedger.sol";
import {SolverSet} from "./policies/SolverSet.sol";
import {TwoStepOwner} from "./policies/TwoStepOwner.sol";
import {RecordReceiver} from "./RecordReceiver.sol";

/// @title ManagedReceiver
/// @notice The receiver with every policy, whose refunds are credited.
/// @dev The order of the bases is the storage layout: the native limits, pause, co-signer and the list's switch share
/// one slot, so that a deposit reads it cold once.
contract ManagedReceiver is
    IManagedReceiver,
    RecordReceiver,
    CurrencyLimits,
    PausePolicy,
    ExpiryCoSignature,
    RecipientAllowListMapping,
    SolverSet,
    RefundLedger
{
    /// @notice Sets the first policies, which the owner can change.
    /// @param configuration Initial configuration.
    constructor(
        Configuration memory configuration
    )
        RecordReceiver(configuration.binding)
        TwoStepOwner(configuration.owner)
        SolverSet(configuration.activationDelay, configuration.solvers)
    {
        _setCoSigner(configuration.coSigner);
        _setRecipientListOpen(configuration.isRecipientListOpen);
        for (uint256 i; i < configuration.limits.length; ++i) {
            _setCurrencyLimits(configuration.limits[i]);
        }
    }

    /// @inheritdoc IManagedReceiver
    function validatePolicy(uint256 index, Attempt calldata attempt) external view override returns (bool) {
        return _checkPolicy(index, attempt);
    }

    function _authorize(
        bytes32 id,
        address depositor,
        address currency,
        uint256 amount,
        bytes calldata policyData
    ) internal override(DepositPolicies, CurrencyLimits, PausePolicy, ExpiryCoSignature) returns (bytes32) {
        return super._authorize(id, depositor, currency, amount, policyData);
    }

    function _authorizeRecipient(
        uint256 chain,
        bytes32 account
    ) internal override(DepositPolicies, RecipientAllowListMapping) returns (bytes32) {
        return super._authorizeRecipient(chain, account);
    }

    function _checkPolicy(
        uint256 index,
        Attempt calldata attempt
    )
        internal
        view
        override(CurrencyLimits, PausePolicy, ExpiryCoSignature, RecipientAllowListMapping, SolverSet)
        returns (bool)
    {
        return super._checkPolicy(index, attempt);
    }

    function _policyDataLength()
        internal
        pure
        override(DepositPolicies, ExpiryCoSignature)
        returns (uint256)
    {
        return super._policyDataLength();
    }
}
