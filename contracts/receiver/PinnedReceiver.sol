// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IPinnedReceiver} from "../interfaces/receiver/IPinnedReceiver.sol";
import {SolverSignature} from "../records/SolverSignature.sol";
import {RecordReceiver} from "./RecordReceiver.sol";
import {RefundForwarder} from "./RefundForwarder.sol";

/// @title PinnedReceiver
/// @notice The gas-minimal validating receiver: immutable, ownerless, one solver.
/// @dev Inherit it with policies to restrict its deposits.
contract PinnedReceiver is IPinnedReceiver, RecordReceiver, RefundForwarder {
    /// @inheritdoc IPinnedReceiver
    address public immutable override solver;

    /// @inheritdoc IPinnedReceiver
    address public immutable override nativePayee;

    /// @notice Fixes every setting: nothing can be changed later.
    /// @param solver_ The required signer, which also receives token payments.
    /// @param nativePayee_ Recipient of native money: `solver_`, or the service's receiver for that solver.
    /// @param binding_ Account that records must name as `originUser`.
    /// @param refundPayee_ Recipient of money that names no request; zero only with `Binding.Caller`.
    constructor(
        address solver_,
        address nativePayee_,
        Binding binding_,
        address refundPayee_
    ) RecordReceiver(binding_) RefundForwarder(refundPayee_, binding_ == Binding.Caller) {
        if (solver_ == address(0) || nativePayee_ == address(0)) revert AddressIsZero();
        // A deposit to this contract would reach `fallback` as a refund: consumed, and returned to the depositor.
        if (nativePayee_ == address(this)) revert RecipientCannotHold(nativePayee_);
        solver = solver_;
        nativePayee = nativePayee_;
    }

    function _checkSolver(
        bytes32 digest,
        bytes calldata signature
    ) internal view override returns (address, address) {
        address recovered = SolverSignature.recover(digest, signature);
        if (recovered != solver) revert RecordNotSignedBySolver(recovered, solver);
        return (solver, nativePayee);
    }
}
