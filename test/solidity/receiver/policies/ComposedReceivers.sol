// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DepositPolicies} from "../../../../contracts/receiver/DepositPolicies.sol";
import {OrderReceiver} from "../../../../contracts/receiver/OrderReceiver.sol";
import {PinnedReceiver} from "../../../../contracts/receiver/PinnedReceiver.sol";
import {TwoStepOwner} from "../../../../contracts/receiver/policies/TwoStepOwner.sol";
import {AllPolicies} from "./AllPolicies.sol";

/// @title PoliciesThenPinned
/// @dev `ManagedReceiver` lists its policies last.
contract PoliciesThenPinned is AllPolicies, PinnedReceiver {
    constructor(
        address solver_,
        Binding binding_,
        address payee_
    ) TwoStepOwner(msg.sender) PinnedReceiver(solver_, payee_, binding_, payee_) {}

    function _authorize(
        bytes32 id,
        address depositor,
        address currency,
        uint256 amount,
        bytes calldata policyData
    ) internal override(DepositPolicies, AllPolicies) returns (bytes32) {
        return super._authorize(id, depositor, currency, amount, policyData);
    }

    function _authorizeRecipient(
        uint256 chain,
        bytes32 account
    ) internal override(DepositPolicies, AllPolicies) returns (bytes32) {
        return super._authorizeRecipient(chain, account);
    }

    function _policyDataLength() internal pure override(DepositPolicies, AllPolicies) returns (uint256) {
        return super._policyDataLength();
    }
}

/// @title OrdersThenPolicies
contract OrdersThenPolicies is OrderReceiver, AllPolicies {
    constructor(
        address solver_,
        address depository_
    ) TwoStepOwner(msg.sender) OrderReceiver(solver_, depository_, "base", block.chainid, msg.sender) {}

    function _authorize(
        bytes32 id,
        address depositor,
        address currency,
        uint256 amount,
        bytes calldata policyData
    ) internal override(DepositPolicies, AllPolicies) returns (bytes32) {
        return super._authorize(id, depositor, currency, amount, policyData);
    }

    function _authorizeRecipient(
        uint256 chain,
        bytes32 account
    ) internal override(DepositPolicies, AllPolicies) returns (bytes32) {
        return super._authorizeRecipient(chain, account);
    }

    function _policyDataLength() internal pure override(DepositPolicies, AllPolicies) returns (uint256) {
        return super._policyDataLength();
    }
}

/// @title PoliciesThenOrders
contract PoliciesThenOrders is AllPolicies, OrderReceiver {
    constructor(
        address solver_,
        address depository_
    ) TwoStepOwner(msg.sender) OrderReceiver(solver_, depository_, "base", block.chainid, msg.sender) {}

    function _authorize(
        bytes32 id,
        address depositor,
        address currency,
        uint256 amount,
        bytes calldata policyData
    ) internal override(DepositPolicies, AllPolicies) returns (bytes32) {
        return super._authorize(id, depositor, currency, amount, policyData);
    }

    function _authorizeRecipient(
        uint256 chain,
        bytes32 account
    ) internal override(DepositPolicies, AllPolicies) returns (bytes32) {
        return super._authorizeRecipient(chain, account);
    }

    function _policyDataLength() internal pure override(DepositPolicies, AllPolicies) returns (uint256) {
        return super._policyDataLength();
    }
}
