// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {DepositPolicies} from "waybill/contracts/receiver/DepositPolicies.sol";
import {PinnedReceiver} from "waybill/contracts/receiver/PinnedReceiver.sol";
import {RecipientAllowListMapping} from "waybill/contracts/receiver/policies/RecipientAllowListMapping.sol";
import {TwoStepOwner} from "waybill/contracts/receiver/policies/TwoStepOwner.sol";

/// @title Shop
/// @notice Accepts payments to the recipients that its owner lists. Inheriting the policy enforces it.
contract Shop is PinnedReceiver, RecipientAllowListMapping {
    constructor(
        address owner,
        address solver
    ) PinnedReceiver(solver, solver, Binding.Receiver, owner) TwoStepOwner(owner) {}

    // The compiler demands this override. It adds nothing, and a deposit reverts if it leaves out `super`.
    function _authorizeRecipient(
        uint256 chain,
        bytes32 account
    ) internal override(DepositPolicies, RecipientAllowListMapping) returns (bytes32) {
        return super._authorizeRecipient(chain, account);
    }
}
