// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {RecordWords} from "../../records/RecordWords.sol";
import {SignatureRecord} from "../../records/SignatureRecord.sol";
import {SignatureRecordV2} from "../../records/SignatureRecordV2.sol";
import {IExpiryCoSignature} from "./policies/IExpiryCoSignature.sol";

/// @title Every reason why a managed receiver would reject a payment
/// @notice A deposit reverts with the first reason. The lens lists all of them, before a signature or transaction. It
/// is stateless and ownerless, and works for every `IManagedReceiver`.
///
/// This contract runs the checks of the record itself, on their arguments and the chain only. The receiver runs the
/// policy checks.
interface IManagedReceiverLens {
    /// @notice A payment that has not been sent.
    /// @param depositor Account that would call the receiver.
    /// @param currency The currency that would be sent; zero is the chain's native currency.
    /// @param amount The amount, in the currency's smallest unit.
    struct Payment {
        address depositor;
        address currency;
        uint256 amount;
    }

    /// @notice Thrown when the account does not return a valid `binding`.
    /// @param account The account that would be paid.
    error NotManagedReceiver(address account);

    /// @notice Lists every reason to reject a payment under a version 1 record.
    /// @dev Runs each check of a deposit separately, in the deposit's order. Skips what only the transfer shows:
    /// balances, allowances, the token's behaviour, and whether the payee accepts. Reverts with `NotManagedReceiver`.
    /// @param receiver The managed receiver.
    /// @param payment The payment.
    /// @param record The record.
    /// @param signature The solver's, in a form of `ISolverSet`.
    /// @param coSignature The integrator's.
    /// @return reasons Revert data, one entry for each reason: a custom error of the receiver's ABI with the offending value and
    /// the limit. A deposit reverts with the first. Empty if the payment is accepted.
    function validate(
        address receiver,
        Payment calldata payment,
        SignatureRecord.Record calldata record,
        bytes calldata signature,
        IExpiryCoSignature.CoSignature calldata coSignature
    ) external view returns (bytes[] memory reasons);

    /// @notice Lists every reason to reject a payment under a version 2 record.
    /// @dev Same as `validate`.
    /// @param receiver The managed receiver.
    /// @param payment The payment.
    /// @param record The record.
    /// @param signature The solver's, in a form of `ISolverSet`.
    /// @param coSignature The integrator's, over the exact amount.
    /// @return reasons Same as for `validate`.
    function validateV2(
        address receiver,
        Payment calldata payment,
        SignatureRecordV2.Record calldata record,
        bytes calldata signature,
        IExpiryCoSignature.CoSignature calldata coSignature
    ) external view returns (bytes[] memory reasons);

    /// @notice Reverts with `RecordOfOtherVersion` if the record can only be of the other version.
    /// @param record The record, of either version.
    /// @param isV2 Whether version 2 is expected.
    function checkVersion(RecordWords.Words calldata record, bool isV2) external pure;

    /// @notice Reverts with `RecordForOtherChain` unless the record is for this chain.
    /// @param originChainId The chain of the record.
    function checkOriginChain(uint256 originChainId) external view;

    /// @notice Reverts with `OriginUserMismatch` unless the record names the expected user.
    /// @param originUser The user of the record.
    /// @param expectedUser The receiver or the depositor, by the receiver's `binding`.
    function checkOriginUser(bytes32 originUser, address expectedUser) external pure;

    /// @notice Reverts with `CurrencyMismatch` unless the payment is in the record's currency.
    /// @param originCurrency The currency of the record.
    /// @param sentCurrency The currency of the payment; zero is the chain's native currency.
    function checkCurrency(bytes32 originCurrency, address sentCurrency) external pure;

    /// @notice Reverts with `AmountMismatch` unless the amounts are equal, and with `AmountIsZero` if both are zero.
    /// @param expected The amount of the record.
    /// @param sent The amount of the payment.
    function checkAmount(uint256 expected, uint256 sent) external pure;
}
