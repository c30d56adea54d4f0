// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DepositPolicies} from "../../../../contracts/receiver/DepositPolicies.sol";
import {CurrencyLimits} from "../../../../contracts/receiver/policies/CurrencyLimits.sol";
import {ExpiryCoSignature} from "../../../../contracts/receiver/policies/ExpiryCoSignature.sol";
import {PausePolicy} from "../../../../contracts/receiver/policies/PausePolicy.sol";
import {RecipientAllowListMapping} from "../../../../contracts/receiver/policies/RecipientAllowListMapping.sol";
import {TwoStepOwner} from "../../../../contracts/receiver/policies/TwoStepOwner.sol";

/// @title PolicyDesk
/// @notice The policies without a constructor, without a receiver. Each check is asked as the lens asks it, last base
/// first. `PolicyMatrixTest` shows that deposits pass the same checks.
contract PolicyDesk is CurrencyLimits, PausePolicy, ExpiryCoSignature, RecipientAllowListMapping {
    /// @notice The deadline and the co-signer's signature over it.
    struct CoSignature {
        uint256 deadline;
        bytes32 r;
        bytes32 vs;
    }

    constructor(address owner_) TwoStepOwner(owner_) {}

    function checkRecipient(uint256 chainId, bytes32 account) external view {
        Attempt memory attempt;
        (attempt.destinationChainId, attempt.destinationUser) = (chainId, account);
        this.checkPolicy(0, attempt);
    }

    function checkExpiry(bytes32 requestId, CoSignature calldata coSignature) external view {
        Attempt memory attempt;
        (attempt.requestId, attempt.signature) = (requestId, abi.encode(coSignature));
        this.checkPolicy(1, attempt);
    }

    function checkNotPaused() external view {
        Attempt memory attempt;
        this.checkPolicy(2, attempt);
    }

    function checkLimits(address currency, uint256 amount) external view {
        Attempt memory attempt;
        (attempt.currency, attempt.amount) = (currency, amount);
        this.checkPolicy(3, attempt);
    }

    function checkPolicy(uint256 index, Attempt calldata attempt) external view returns (bool) {
        return _checkPolicy(index, attempt);
    }

    function _authorize(
        bytes32 id,
        address depositor,
        address currency,
        uint256 amount,
        bytes calldata policyData
    ) internal override(CurrencyLimits, PausePolicy, ExpiryCoSignature, DepositPolicies) returns (bytes32) {
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
        override(CurrencyLimits, PausePolicy, ExpiryCoSignature, RecipientAllowListMapping)
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

    function _checkSolver(bytes32, bytes calldata) internal view override returns (address, address) {
        return (address(this), address(this));
    }
}
