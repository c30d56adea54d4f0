// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {SignatureRecord} from "../../records/SignatureRecord.sol";

/// @title Every reason why a managed receiver would reject a payment
/// @notice A deposit reverts with the first reason, and with an error about the signature when the payment differs from
/// the record. The lens lists all reasons and names the field, before a signature or transaction. It is stateless and
/// ownerless, and works for every `IManagedReceiver`: the receiver's own policies make their checks, by `_checkPolicy`
/// of `PolicyChecks`. A rule that overrides only a hook of deposits is enforced, but not listed here. The lens takes the
/// caller of a payment as its depositor. For a relayed payment that is the relayer.
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

    /// @notice A reason: the record is for a payment on another chain.
    /// @param recordChainId Chain id of the record.
    /// @param thisChainId Chain id of this chain.
    error RecordForOtherChain(uint256 recordChainId, uint256 thisChainId);

    /// @notice A reason: the record is bound to another account.
    /// @param recordUser The `originUser` of the record.
    /// @param expectedUser This contract or the caller, by `binding`, left-padded.
    error OriginUserMismatch(bytes32 recordUser, bytes32 expectedUser);

    /// @notice A reason: the record is for a payment in another currency.
    /// @param recordCurrency The `originCurrency` of the record.
    /// @param sentCurrency Currency of the payment, left-padded; zero is the chain's native currency.
    error CurrencyMismatch(bytes32 recordCurrency, bytes32 sentCurrency);

    /// @notice A reason: the record is for another amount.
    /// @param expected The `originAmount` of the record.
    /// @param sent Amount of the payment.
    error AmountMismatch(uint256 expected, uint256 sent);

    /// @notice Lists every reason to reject a payment under a record.
    /// @dev First the errors of the payment and the record, then those of the policies, last base first. Skips what
    /// only the transfer shows: balances, allowances, the token's behaviour, and whether the payee accepts. Reverts
    /// with `NotManagedReceiver`.
    /// @param receiver The managed receiver.
    /// @param payment The payment.
    /// @param record The record that the solver signed.
    /// @param signature The signature as the deposit would carry it: the solver's, then the co-signature.
    /// @return reasons Revert data, one entry for each reason, or two if two policies give it. An entry is a custom error
    /// of this contract's or the receiver's ABI, with the offending value and the limit. Empty if the payment is accepted.
    function validate(
        address receiver,
        Payment calldata payment,
        SignatureRecord.Record calldata record,
        bytes calldata signature
    ) external view returns (bytes[] memory reasons);
}
