// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {IRecordReceiver} from "./IRecordReceiver.sol";
import {IRefundForwarder} from "./IRefundForwarder.sol";

/// @title A receiver that accepts exactly the payment the solver signed for
/// @notice One solver, fixed at deployment. The receiver is immutable, has no owner and holds no money. Refunds go to
/// the depositor, see `IRefundForwarder`: the caller, or the owner of a payment by signature.
///
/// Signed and unsigned fields:
///
/// | check                                       | record (version 1) | this receiver                                   |
/// |---------------------------------------------|--------------------|-------------------------------------------------|
/// | amount sent                                 | signed             | `msg.value`, or what arrived at the solver       |
/// | request id valid, not forged                | signed             |                                                  |
/// | not paid twice                              | –                  | consumed ids, set before any external call       |
/// | not expired                                 | –                  | not enforced: the record has no deadline         |
/// | recipient                                   | signed             | no allow-list                                    |
/// | origin chain                                | signed             | `block.chainid`                                  |
/// | destination currency, minimum output, calls | –                  | not enforced: the record does not carry them     |
/// | this receiver and no other                  | `originUser`       | bound by `binding`                               |
///
/// A contract that inherits it together with policies has those policies, see `IDepositPolicies`. The assumptions of
/// `IRecordReceiver` hold.
interface IPinnedReceiver is IRecordReceiver, IRefundForwarder {
    /// @notice Thrown when the recovered signer is not the solver: another key signed, or the payment differs from the
    /// signed record in amount, currency, chain, user, recipient or request id.
    /// @param recovered Signer recovered for the payment as made. Arbitrary, unless another key signed this record.
    /// @param solver The required signer.
    error RecordNotSignedBySolver(address recovered, address solver);

    /// @notice The solver, whose signature is required and who receives tokens.
    /// @return The solver's address.
    function solver() external view returns (address);

    /// @notice Recipient of native money: the solver itself, or the service's receiver, which forwards to the solver
    /// and emits an event with the requestId.
    /// @return The payee's address.
    function nativePayee() external view returns (address);
}
