// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DepositPolicies} from "../../../../contracts/receiver/DepositPolicies.sol";
import {CurrencyLimits} from "../../../../contracts/receiver/policies/CurrencyLimits.sol";
import {ExpiryCoSignature} from "../../../../contracts/receiver/policies/ExpiryCoSignature.sol";
import {PausePolicy} from "../../../../contracts/receiver/policies/PausePolicy.sol";
import {RecipientAllowListMapping} from "../../../../contracts/receiver/policies/RecipientAllowListMapping.sol";

/// @title AllPolicies
/// @notice The policies without a constructor, joined.
abstract contract AllPolicies is CurrencyLimits, PausePolicy, ExpiryCoSignature, RecipientAllowListMapping {
    function _authorize(
        bytes32 id,
        address depositor,
        address currency,
        uint256 amount,
        bytes calldata policyData
    )
        internal
        virtual
        override(CurrencyLimits, PausePolicy, ExpiryCoSignature, DepositPolicies)
        returns (bytes32)
    {
        return super._authorize(id, depositor, currency, amount, policyData);
    }

    function _authorizeRecipient(
        uint256 chain,
        bytes32 account
    ) internal virtual override(DepositPolicies, RecipientAllowListMapping) returns (bytes32) {
        return super._authorizeRecipient(chain, account);
    }

    function _checkPolicy(
        uint256 index,
        Attempt calldata attempt
    )
        internal
        view
        virtual
        override(CurrencyLimits, PausePolicy, ExpiryCoSignature, RecipientAllowListMapping)
        returns (bool)
    {
        return super._checkPolicy(index, attempt);
    }

    function _policyDataLength()
        internal
        pure
        virtual
        override(DepositPolicies, ExpiryCoSignature)
        returns (uint256)
    {
        return super._policyDataLength();
    }
}
