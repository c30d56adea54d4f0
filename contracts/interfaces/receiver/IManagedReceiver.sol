// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {SignatureRecord} from "../../records/SignatureRecord.sol";
import {SignatureRecordV2} from "../../records/SignatureRecordV2.sol";
import {ICurrencyLimits} from "./policies/ICurrencyLimits.sol";
import {IExpiryCoSignature} from "./policies/IExpiryCoSignature.sol";
import {IRecordReceiver} from "./IRecordReceiver.sol";
import {ISolverSet} from "./policies/ISolverSet.sol";

/// @title A receiver with policies that names the first field that is wrong
/// @notice The caller passes the whole record. The receiver compares it with the payment field by field, and reverts
/// with the error of the first field that differs. `IManagedReceiverLens` lists every error.
///
/// Signed fields and policies:
///
/// | check                        | version 1    | version 2                | this receiver                          |
/// |------------------------------|--------------|--------------------------|----------------------------------------|
/// | amount sent                  | signed       | NOT SIGNED               | equals what arrived; version 2: co-signed |
/// | request id valid, not forged | signed       | signed                   | by a solver active now: `ISolverSet`   |
/// | not paid twice               | –            | –                        | consumed ids, set before any external call |
/// | not expired                  | –            | –                        | co-signed: `IExpiryCoSignature`        |
/// | recipient                    | signed       | signed                   | allow-list: `IRecipientAllowListMapping` |
/// | origin chain                 | signed       | signed                   | `block.chainid`                        |
/// | currency paid in             | signed       | signed                   | accepted, within limits: `ICurrencyLimits` |
/// | destination currency         | –            | signed                   | not enforced: no value to compare with |
/// | minimum output, calls        | –            | –                        | not enforced: no record carries them   |
/// | this receiver and no other   | `originUser` | `originUser`             | bound by `binding`                     |
/// | deposits at all              | –            | –                        | pause: `IPausePolicy`                  |
///
/// WARNING: a version 2 record does not sign the amount. Its deposit therefore needs the co-signer's signature over the exact
/// amount, and is refused while there is no co-signer.
///
/// The owner can stop deposits, choose solvers (with a delay), the co-signer, recipients and limits, and withdraw
/// uncredited funds. The owner cannot touch a deposit, which leaves in the same transaction, nor a credited refund: see
/// `IRefundLedger`.
///
/// Assumptions:
/// - A solver's key signs records of these two shapes and nothing else of 224 bytes. One signature fits both shapes,
///   with the words after `originCurrency` moved: read as version 1, a version 2 record would make a chain id its
///   amount. Size tells them apart: chain ids of the service fit in 64 bits, accounts never do.
/// - `originUser` is the `user` of the quote. With `Binding.Receiver`, request quotes with `user` = this contract; the
///   service then refunds to this contract, and `IRefundLedger` credits the depositor. With `Binding.Caller`, only the
///   `user` of the quote can make the deposit.
/// - With `Binding.Receiver`, any account may pay for a request and is its depositor; the fill still goes to the signed
///   recipient.
/// - Two receivers on one chain that share a solver and use `Binding.Caller` each count consumed ids separately.
interface IManagedReceiver is IRecordReceiver {
    /// @notice Initial configuration of a receiver.
    /// @param owner Sets the policies.
    /// @param binding Account that records must name as `originUser`; never changes.
    /// @param activationDelay Least time between a solver's announcement and its start, in seconds; never changes.
    /// @param coSigner Signs deadlines; zero turns that policy off.
    /// @param isRecipientListOpen Whether every recipient is allowed.
    /// @param solvers Solvers that are active from deployment.
    /// @param limits Currencies that are accepted from deployment.
    struct Configuration {
        address owner;
        Binding binding;
        uint256 activationDelay;
        address coSigner;
        bool isRecipientListOpen;
        ISolverSet.InitialSolver[] solvers;
        ICurrencyLimits.CurrencyLimit[] limits;
    }

    /// @notice Thrown when the record is for a payment on another chain.
    /// @param recordChainId Chain id of the record.
    /// @param thisChainId Chain id of this chain.
    error RecordForOtherChain(uint256 recordChainId, uint256 thisChainId);

    /// @notice Thrown when the record is bound to another account.
    /// @param recordUser The `originUser` of the record.
    /// @param expectedUser This contract or the caller, by `binding`, left-padded.
    error OriginUserMismatch(bytes32 recordUser, bytes32 expectedUser);

    /// @notice Thrown when the record is for a payment in another currency.
    /// @param recordCurrency The `originCurrency` of the record.
    /// @param sentCurrency Currency of the payment, left-padded; zero is the chain's native currency.
    error CurrencyMismatch(bytes32 recordCurrency, bytes32 sentCurrency);

    /// @notice Thrown when the record is for another amount.
    /// @param expected The `originAmount` of the record.
    /// @param sent Amount of the payment.
    error AmountMismatch(uint256 expected, uint256 sent);

    /// @notice Pays for a request in the chain's native currency, with a version 1 record.
    /// @dev The calldata of the forwarding call is exactly the requestId. Reverts with the first reason that
    /// `IManagedReceiverLens.validate` lists, or with `PayeeRejectedNative`.
    /// @param record The record, as `GET /requests/{requestId}/signature` returns it.
    /// @param signature The solver's, in a form of `ISolverSet`.
    /// @param coSignature The integrator's; ignored while there is no co-signer.
    function depositNative(
        SignatureRecord.Record calldata record,
        bytes calldata signature,
        IExpiryCoSignature.CoSignature calldata coSignature
    ) external payable;

    /// @notice Pays for a request in a token, with a version 1 record. Tokens go directly from the caller to the
    /// solver; needs an allowance for this contract.
    /// @dev The requestId follows the standard calldata of the token's `transferFrom`. Reverts with the first reason that
    /// `IManagedReceiverLens.validate` gives, or with `ArrivedAmountMismatch`, `TokenHasNoCode`, `TokenReadFailed`,
    /// `TokenTransferFailed` or `Reentrancy`.
    /// @param token Token of the payment.
    /// @param amount Amount in the token's smallest unit.
    /// @param record The record, as `GET /requests/{requestId}/signature` returns it.
    /// @param signature The solver's, in a form of `ISolverSet`.
    /// @param coSignature The integrator's; ignored while there is no co-signer.
    function depositErc20(
        address token,
        uint256 amount,
        SignatureRecord.Record calldata record,
        bytes calldata signature,
        IExpiryCoSignature.CoSignature calldata coSignature
    ) external;

    /// @notice Pays for a request in the chain's native currency, with a version 2 record, which does NOT sign the amount.
    /// @dev Same as `depositNative`, with the reasons of `IManagedReceiverLens.validateV2`.
    /// @param record The record, as `GET /requests/{requestId}/signature/v2` returns it.
    /// @param signature The solver's, in a form of `ISolverSet`.
    /// @param coSignature The integrator's, over the exact amount.
    function depositNativeV2(
        SignatureRecordV2.Record calldata record,
        bytes calldata signature,
        IExpiryCoSignature.CoSignature calldata coSignature
    ) external payable;

    /// @notice Pays for a request in a token, with a version 2 record, which does NOT sign the amount.
    /// @dev Same as `depositErc20`, with the reasons of `IManagedReceiverLens.validateV2`.
    /// @param token Token of the payment.
    /// @param amount Amount in the token's smallest unit; co-signed.
    /// @param record The record, as `GET /requests/{requestId}/signature/v2` returns it.
    /// @param signature The solver's, in a form of `ISolverSet`.
    /// @param coSignature The integrator's, over the exact amount.
    function depositErc20V2(
        address token,
        uint256 amount,
        SignatureRecordV2.Record calldata record,
        bytes calldata signature,
        IExpiryCoSignature.CoSignature calldata coSignature
    ) external;

    /// @notice Account that the record must name as `originUser`.
    /// @return The mode chosen at deployment.
    function binding() external view returns (Binding);
}
