// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {RecordWords} from "../records/RecordWords.sol";
import {SignatureRecord} from "../records/SignatureRecord.sol";
import {SignatureRecordV2} from "../records/SignatureRecordV2.sol";
import {IExpiryCoSignature} from "./IExpiryCoSignature.sol";

/// @title Every reason why a managed receiver would refuse a payment
/// @notice A deposit reverts with the first reason. The lens lists all of them, before anything is signed or sent. It is
/// stateless and ownerless, and works for every `IManagedReceiver`.
///
/// The checks of the record itself are functions of this contract, and compare only their arguments and the chain. The checks of
/// policies are functions of the receiver.
interface IManagedReceiverLens {
    /// @notice A payment that has not been sent.
    /// @param depositor The account that would call the receiver.
    /// @param currency The currency that would be sent; zero is the chain's native currency.
    /// @param amount The amount, in the currency's smallest unit.
    struct Payment {
        address depositor;
        address currency;
        uint256 amount;
    }

    /// @notice Thrown when the account does not answer as a receiver of records does.
    /// @param account The account in question.
    error NotManagedReceiver(address account);

    /// @notice Lists everything that is wrong with a payment under a version 1 record.
    /// @dev Runs the checks of a deposit apart, in the deposit's order. Does not check what only the transfer shows: balances,
    /// allowances, the token's behaviour, and whether the payee accepts. Reverts with `NotManagedReceiver`.
    /// @param receiver The managed receiver that would be paid at.
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

    /// @notice Lists everything that is wrong with a payment under a version 2 record.
    /// @dev As `validate`.
    /// @param receiver The managed receiver that would be paid at.
    /// @param payment The payment.
    /// @param record The record.
    /// @param signature The solver's, in a form of `ISolverSet`.
    /// @param coSignature The integrator's, over the exact amount.
    /// @return reasons As of `validate`.
    function validateV2(
        address receiver,
        Payment calldata payment,
        SignatureRecordV2.Record calldata record,
        bytes calldata signature,
        IExpiryCoSignature.CoSignature calldata coSignature
    ) external view returns (bytes[] memory reasons);

    /// @notice Reverts with `RecordOfOtherVersion` if the record can only be of the other version.
    /// @param record The record, of either version.
    /// @param isV2 Whether it is to be of version 2.
    function checkVersion(RecordWords.Words calldata record, bool isV2) external pure;

    /// @notice Reverts with `RecordForOtherChain` unless the record is for this chain.
    /// @param originChainId The chain of the record.
    function checkOriginChain(uint256 originChainId) external view;

    /// @notice Reverts with `OriginUserMismatch` unless the record names the expected user.
    /// @param originUser The user of the record.
    /// @param expectedUser The receiver or the depositor, as the receiver's `binding` says.
    function checkOriginUser(bytes32 originUser, address expectedUser) external pure;

    /// @notice Reverts with `CurrencyMismatch` unless what is sent is the currency of the record.
    /// @param originCurrency The currency of the record.
    /// @param sentCurrency The currency that would be sent; zero is the chain's native currency.
    function checkCurrency(bytes32 originCurrency, address sentCurrency) external pure;

    /// @notice Reverts with `AmountMismatch` unless what is sent is the amount expected, and with `AmountIsZero` if both are
    /// zero.
    /// @param expected The amount of the record.
    /// @param sent The amount that would be sent.
    function checkAmount(uint256 expected, uint256 sent) external pure;
}
