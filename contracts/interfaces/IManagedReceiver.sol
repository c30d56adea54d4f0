// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {SignatureRecord} from "../records/SignatureRecord.sol";
import {SignatureRecordV2} from "../records/SignatureRecordV2.sol";
import {ICurrencyLimits} from "./ICurrencyLimits.sol";
import {IExpiryCoSignature} from "./IExpiryCoSignature.sol";
import {IRecordReceiver} from "./IRecordReceiver.sol";
import {ISolverSet} from "./ISolverSet.sol";

/// @title A receiver that says exactly what is wrong, under policies an owner sets
/// @notice The record is given whole, compared with what is true on chain field by field, and refused by the name of the first
/// field that differs. `IManagedReceiverLens`, a contract of its own, lists everything that is wrong.
///
/// What is signed, and what is policy:
///
/// | check                        | version 1    | version 2                | this receiver                          |
/// |------------------------------|--------------|--------------------------|----------------------------------------|
/// | amount sent                  | signed       | NOT SIGNED               | equals what arrived; version 2: co-signed |
/// | request id valid, not forged | signed       | signed                   | by a solver active now: `ISolverSet`   |
/// | not paid twice               | –            | –                        | consumed ids, set before any outside call |
/// | not expired                  | –            | –                        | co-signed: `IExpiryCoSignature`        |
/// | recipient                    | signed       | signed                   | allow-list: `IRecipientAllowListMapping` |
/// | origin chain                 | signed       | signed                   | `block.chainid`                        |
/// | currency paid in             | signed       | signed                   | accepted, within limits: `ICurrencyLimits` |
/// | destination currency         | –            | signed                   | passed by: nothing to compare it with   |
/// | minimum output, calls        | –            | –                        | not enforced: no record carries them   |
/// | this receiver and no other   | `originUser` | `originUser`             | bound by `binding`                     |
/// | deposits at all              | –            | –                        | pause: `IPausePolicy`                  |
///
/// WARNING: a version 2 record does not sign the amount. Its deposit therefore needs the co-signer's signature over the exact
/// amount, and is refused while there is no co-signer.
///
/// The owner can stop deposits, choose solvers (with a delay), the co-signer, recipients and limits, and take out what is
/// credited to nobody. The owner cannot touch a deposit, which never rests here, nor a credited refund: `IRefundLedger`.
///
/// Assumptions:
/// - A solver's key signs records of these two shapes and nothing else of 224 bytes. One signature fits both shapes, with the
/// words behind `originCurrency` moved: read as version 1, a version 2 record would make a chain id its amount. They are told
/// apart by size: chain ids of the service fit in 64 bits, accounts never do.
/// - `originUser` is the `user` of the quote. With `Binding.Receiver` quotes are requested with `user` = this contract; the
///   service then refunds here, and `IRefundLedger` says whose the refund is. With `Binding.Caller` the `user` of the quote
///   makes the deposit and nobody else can.
/// - With `Binding.Receiver` anybody may pay for a request, and is its depositor; the fill still goes to the signed recipient.
/// - Two receivers on one chain that share a solver and use `Binding.Caller` each consume ids on their own.
interface IManagedReceiver is IRecordReceiver {
    /// @notice What a receiver begins with.
    /// @param owner Who sets the policies.
    /// @param binding Whose address records must name as `originUser`; never changes.
    /// @param activationDelay How long after its announcement a solver starts at the soonest, in seconds; never changes.
    /// @param coSigner Who co-signs deadlines; zero turns that policy off.
    /// @param isRecipientListOpen Whether every recipient is allowed.
    /// @param solvers Whose signatures count from the start.
    /// @param limits Which currencies are accepted from the start.
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
    /// @param recordChainId The chain of the record.
    /// @param thisChainId The chain this is.
    error RecordForOtherChain(uint256 recordChainId, uint256 thisChainId);

    /// @notice Thrown when the record is somebody else's to spend.
    /// @param recordUser The `originUser` of the record.
    /// @param expectedUser This contract or the depositor, as `binding` says, left-padded.
    error OriginUserMismatch(bytes32 recordUser, bytes32 expectedUser);

    /// @notice Thrown when the record is for a payment in another currency.
    /// @param recordCurrency The `originCurrency` of the record.
    /// @param sentCurrency What is sent, left-padded; zero is the chain's native currency.
    error CurrencyMismatch(bytes32 recordCurrency, bytes32 sentCurrency);

    /// @notice Thrown when the record is for another amount.
    /// @param expected The `originAmount` of the record.
    /// @param sent What is sent.
    error AmountMismatch(uint256 expected, uint256 sent);

    /// @notice Pays for a request in the chain's native currency, with a version 1 record.
    /// @dev The requestId is the whole calldata of the call that forwards the money. Reverts with the first reason that
    /// `IManagedReceiverLens.validate` gives, or with `PayeeRejectedNative`.
    /// @param record The record, as `GET /requests/{requestId}/signature` returns it.
    /// @param signature The solver's, in a form of `ISolverSet`.
    /// @param coSignature The integrator's; ignored while there is no co-signer.
    function depositNative(
        SignatureRecord.Record calldata record,
        bytes calldata signature,
        IExpiryCoSignature.CoSignature calldata coSignature
    ) external payable;

    /// @notice Pays for a request in a token, with a version 1 record, straight from the caller to the solver; needs an
    /// allowance for this contract.
    /// @dev The requestId follows the standard calldata of the token's `transferFrom`. Reverts with the first reason that
    /// `IManagedReceiverLens.validate` gives, or with `ArrivedAmountMismatch`, `TokenHasNoCode`, `TokenReadFailed`,
    /// `TokenTransferFailed` or `Reentrancy`.
    /// @param token What is sent.
    /// @param amount How much, in the token's smallest unit.
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
    /// @dev As `depositNative`, but reasons are those of `IManagedReceiverLens.validateV2`.
    /// @param record The record, as `GET /requests/{requestId}/signature/v2` returns it.
    /// @param signature The solver's, in a form of `ISolverSet`.
    /// @param coSignature The integrator's, over the exact amount.
    function depositNativeV2(
        SignatureRecordV2.Record calldata record,
        bytes calldata signature,
        IExpiryCoSignature.CoSignature calldata coSignature
    ) external payable;

    /// @notice Pays for a request in a token, with a version 2 record, which does NOT sign the amount.
    /// @dev As `depositErc20`, but reasons are those of `IManagedReceiverLens.validateV2`.
    /// @param token What is sent.
    /// @param amount How much, in the token's smallest unit; co-signed.
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

    /// @notice Whose address the record must name as `originUser`.
    /// @return The mode chosen at deployment.
    function binding() external view returns (Binding);
}
