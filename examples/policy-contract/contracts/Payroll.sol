// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {DepositPolicies} from "waybill/contracts/receiver/DepositPolicies.sol";
import {PinnedReceiver} from "waybill/contracts/receiver/PinnedReceiver.sol";
import {RecipientAllowListMapping} from "waybill/contracts/receiver/policies/RecipientAllowListMapping.sol";
import {TwoStepOwner} from "waybill/contracts/receiver/policies/TwoStepOwner.sol";

/// @title Payroll
/// @notice Accepts payments to listed recipients on other chains. The policy holds the list, which the owner sets. Quote with
/// `user` = the caller.
contract Payroll is PinnedReceiver, RecipientAllowListMapping {
    /// @param owner_ Sets the list.
    /// @param solver_ The solver, from your own list.
    /// @param payee_ The service's receiver for that solver, from your own list.
    constructor(
        address owner_,
        address solver_,
        address payee_
    ) PinnedReceiver(solver_, payee_, Binding.Caller, address(0)) TwoStepOwner(owner_) {}

    // The compiler demands this override. It adds nothing, and a deposit reverts if it leaves out `super`.
    function _authorizeRecipient(
        uint256 chain,
        bytes32 account
    ) internal override(DepositPolicies, RecipientAllowListMapping) returns (bytes32) {
        return super._authorizeRecipient(chain, account);
    }
}
