// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {TransferWithId} from "waybill/contracts/libraries/TransferWithId.sol";
import {RecipientAllowListMapping} from "waybill/contracts/receiver/policies/RecipientAllowListMapping.sol";
import {TwoStepOwner} from "waybill/contracts/receiver/policies/TwoStepOwner.sol";
import {SignatureRecord} from "waybill/contracts/records/SignatureRecord.sol";

/// @title Payroll
/// @notice Accepts native payments to listed recipients on other chains. The policy holds the list, which the owner sets.
contract Payroll is RecipientAllowListMapping {
    using SignatureRecord for SignatureRecord.Record;
    using SignatureRecord for address;

    address public immutable solver;
    address public immutable payee;
    mapping(bytes32 requestId => bool) public isPaid;

    error NotSignedBySolver(address recovered, address solver);
    error AlreadyPaid(bytes32 requestId);
    error ChainIdTooLarge(uint256 chainId);

    event Paid(bytes32 indexed requestId, uint256 indexed chainId, bytes32 indexed recipient, uint256 amount);

    /// @param owner_ Sets the list.
    /// @param solver_ The solver, from your own list.
    /// @param payee_ The service's receiver for that solver, from your own list.
    constructor(address owner_, address solver_, address payee_) TwoStepOwner(owner_) {
        solver = solver_;
        payee = payee_;
    }

    /// @notice Pays a recipient. Quote with `user` = the caller.
    function pay(
        bytes32 requestId,
        uint256 chainId,
        bytes32 recipient,
        bytes calldata signature
    ) external payable {
        // The policy: reverts with `RecipientNotAllowed`.
        checkRecipient(chainId, recipient);
        // Records of version 2 have an account in the place of the chain id.
        if (chainId > SignatureRecord.MAX_CHAIN_ID) revert ChainIdTooLarge(chainId);
        if (isPaid[requestId]) revert AlreadyPaid(requestId);
        isPaid[requestId] = true;

        address recovered = SignatureRecord
            .Record({
                requestId: requestId,
                originChainId: block.chainid,
                originUser: msg.sender.word(),
                originCurrency: address(0).word(),
                originAmount: msg.value,
                destinationChainId: chainId,
                destinationUser: recipient
            })
            .recover(signature);
        if (recovered != solver) revert NotSignedBySolver(recovered, solver);

        emit Paid(requestId, chainId, recipient, msg.value);
        // Last, after all effects.
        TransferWithId.payNativeWithId(payee, msg.value, requestId);
    }
}
