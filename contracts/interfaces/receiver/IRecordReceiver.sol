// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Common interface of receivers of the solver's signed records
/// @notice Binding, events and errors that all receivers of records share.
interface IRecordReceiver {
    /// @notice Account that the record must name as `originUser`.
    enum Binding {
        /// This contract: the record can be spent at no other receiver.
        Receiver,
        /// The caller: no other account can spend its record.
        Caller
    }

    /// @notice Emitted when native money is accepted, before it is forwarded.
    /// @param requestId The paid request.
    /// @param depositor Account that paid.
    /// @param amount Wei.
    event NativeDeposited(bytes32 indexed requestId, address indexed depositor, uint256 amount);

    /// @notice Emitted when a token payment is accepted, immediately before the tokens move.
    /// @dev Token and amount are those of the record signed under this id; for a version 2 record, which signs no
    /// amount, the amount of the call. The event omits them: the solver's balance grew by exactly that amount, or the
    /// call reverted. Do not infer them from nearby `Transfer` events: a token's interest or hooks can emit others
    /// first. `NativeDeposited` carries its amount, because native money leaves no other log.
    /// @param requestId The paid request.
    /// @param depositor Account that paid.
    event Erc20Deposited(bytes32 indexed requestId, address indexed depositor);

    /// @notice Thrown when a required address is zero.
    error AddressIsZero();

    /// @notice Thrown when the amount is zero.
    error AmountIsZero();

    /// @notice Thrown when the request was paid before.
    /// @param requestId The request.
    error RequestAlreadyConsumed(bytes32 requestId);

    /// @notice Thrown when a signature over one version's record is used for the other version, which has the same
    /// length. The word that holds a chain id in version 1 holds an account in version 2: it is too high for a chain
    /// id, or too low for an account. Read as the other version, the record would have an amount that the solver did
    /// not sign.
    /// @param word The `destinationChainId` of version 1, or the `destinationUser` of version 2.
    /// @param limit The highest chain id.
    error RecordOfOtherVersion(uint256 word, uint256 limit);

    /// @notice Thrown when the recipient of native money reverts.
    /// @param payee The recipient.
    /// @param amount Wei.
    /// @param reason Its revert data, cut to 1,024 bytes.
    error PayeeRejectedNative(address payee, uint256 amount, bytes reason);

    /// @notice Thrown when the arrived amount differs from the payment, e.g. because the token takes a fee.
    /// @param token Token of the payment.
    /// @param expected Amount of the payment.
    /// @param arrived The growth of the recipient's balance. The recipient is the solver, the depository, or the
    /// depositor of a refund; this contract where the tokens pass through it.
    error ArrivedAmountMismatch(address token, uint256 expected, uint256 arrived);

    /// @notice Thrown when a payment changes this receiver's balance of the token, e.g. because the token charges its
    /// sender on top of the amount.
    /// @param token Token of the payment.
    /// @param balance The balance after the payment.
    /// @param expected The balance before it.
    error TokenBalanceChanged(address token, uint256 balance, uint256 expected);
}
