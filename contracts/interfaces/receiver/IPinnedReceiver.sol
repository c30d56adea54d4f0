// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {IRecordReceiver} from "./IRecordReceiver.sol";
import {IRefundForwarder} from "./IRefundForwarder.sol";

/// @title A receiver that accepts exactly the payment the solver signed for
/// @notice The receiver rebuilds the solver's record from the payment and the chain, and checks the solver's signature
/// over it. A payment that differs in any field recovers another signer and is rejected. The receiver is immutable, has
/// no owner and holds no money. Refunds go to the depositor, see `IRefundForwarder`: the caller, or the owner of a
/// payment by signature.
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
/// Assumptions:
/// - The solver's key signs records of both versions and nothing else of 224 bytes. A version 2 record has an account
///   in the word where a version 1 record has the destination chain id; `RecordOfOtherVersion` rejects it.
/// - `originUser` is the `user` of the quote. With `Binding.Receiver`, request quotes with `user` = this contract and
///   an explicit `refundTo`: a refund sent here reaches the depositor only if it names the request. With
///   `Binding.Caller`, only the `user` of the quote can make the deposit.
/// - With `Binding.Receiver`, any account may pay for a request; the fill still goes to the signed recipient.
/// - Two receivers on one chain that share a solver and use `Binding.Caller` each count consumed ids separately.
/// - The solver keeps what it receives. If its token hook forwards money at once, every deposit of that token fails
///   with `ArrivedAmountMismatch`.
interface IPinnedReceiver is IRecordReceiver, IRefundForwarder {
    /// @notice Thrown when the recovered signer is not the solver: another key signed, or the payment differs from the
    /// signed record in amount, currency, chain, user, recipient or request id.
    /// @param recovered Signer recovered for the payment as made. Arbitrary, unless another key signed this record.
    /// @param solver The required signer.
    error RecordNotSignedBySolver(address recovered, address solver);

    /// @notice Pays for a request in the chain's native currency; `msg.value` is the signed `originAmount` in wei.
    /// @dev The calldata of the forwarding call is exactly the requestId. Reverts with `RecordOfOtherVersion`,
    /// `AmountIsZero`, `RequestAlreadyConsumed`, `RecordNotSignedBySolver`, `PayeeRejectedNative`, or an error of
    /// `SolverSignature`.
    /// @param requestId The service's id of the request.
    /// @param destinationChainId The chain of the fill.
    /// @param destinationUser Recipient of the fill: an EVM address left-padded, or the 32 bytes of an SVM address.
    /// @param signature The solver's, as `GET /requests/{requestId}/signature` returns it.
    function deposit(
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature
    ) external payable;

    /// @notice Pays for a request in a token, directly from the caller to the solver; needs an allowance for this
    /// contract.
    /// @dev The requestId follows the standard calldata of the token's `transferFrom`. Reverts with `AmountIsZero`,
    /// `RequestAlreadyConsumed`, `RecordNotSignedBySolver`, `ArrivedAmountMismatch`, `TokenHasNoCode`,
    /// `TokenTransferFailed`, `Reentrancy`, or an error of `SolverSignature`.
    /// @param token The signed `originCurrency`.
    /// @param amount The signed `originAmount`, in the token's smallest unit.
    /// @param requestId The service's id of the request.
    /// @param destinationChainId The chain of the fill.
    /// @param destinationUser Recipient of the fill: an EVM address left-padded, or the 32 bytes of an SVM address.
    /// @param signature The solver's, as `GET /requests/{requestId}/signature` returns it.
    function depositErc20(
        address token,
        uint256 amount,
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature
    ) external;

    /// @notice The solver, whose signature is required and who receives tokens.
    /// @return The solver's address.
    function solver() external view returns (address);

    /// @notice Recipient of native money: the solver itself, or the service's receiver, which forwards to the solver
    /// and emits an event with the requestId.
    /// @return The payee's address.
    function nativePayee() external view returns (address);

    /// @notice Account that the record must name as `originUser`.
    /// @return The mode chosen at deployment.
    function binding() external view returns (Binding);
}
