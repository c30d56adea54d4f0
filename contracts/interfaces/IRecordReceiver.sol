// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title What receivers of the solver's signed records have in common
/// @notice Whose record it has to be, what is logged, and the refusals that do not depend on how a receiver is set up.
interface IRecordReceiver {
    /// @notice Whose address the record must name as `originUser`.
    enum Binding {
        /// This contract: the record can be spent at no other receiver.
        Receiver,
        /// The account that calls: nobody can spend another user's record.
        Caller
    }

    /// @notice Emitted when native money was accepted, before it is passed on.
    /// @param requestId The request that is paid for.
    /// @param depositor Who paid.
    /// @param amount Wei.
    event NativeDeposited(bytes32 indexed requestId, address indexed depositor, uint256 amount);

    /// @notice Emitted when a token payment was accepted, immediately before the tokens move.
    /// @dev Token and amount are those of the record that the solver signed under this id; of a version 2 record, which signs no
    /// amount, those of the call. They are not logged again: the solver's balance grew by exactly that, or the call reverted. Do not
    /// infer them from nearby `Transfer` events, which a token's interest or hooks can precede. `NativeDeposited` carries its
    /// amount, because native money leaves no other log.
    /// @param requestId The request that is paid for.
    /// @param depositor Who paid.
    event Erc20Deposited(bytes32 indexed requestId, address indexed depositor);

    /// @notice Thrown when an address that is needed for good is zero.
    error AddressIsZero();

    /// @notice Thrown when nothing is paid.
    error AmountIsZero();

    /// @notice Thrown when the request has been paid before.
    /// @param requestId The request in question.
    error RequestAlreadyConsumed(bytes32 requestId);

    /// @notice Thrown when a signature over a record of one version is used for the other, which has the same length: the word
    /// where version 1 has a chain id and version 2 an account is too high for the one, or too low for the other. Read as the
    /// other version, a record would have an amount that nobody signed.
    /// @param word The `destinationChainId` of version 1, or the `destinationUser` of version 2.
    /// @param limit The highest chain id.
    error RecordOfOtherVersion(uint256 word, uint256 limit);

    /// @notice Thrown when who should get the native money does not take it.
    /// @param payee Where it was sent.
    /// @param amount Wei.
    /// @param reason Its revert data, cut to 1,024 bytes.
    error PayeeRejectedNative(address payee, uint256 amount, bytes reason);

    /// @notice Thrown when what arrived is not what is paid, as with a token that takes a fee.
    /// @param token The token paid in.
    /// @param expected The amount that is paid.
    /// @param arrived The growth of the recipient's balance. The recipient is the solver, the depository or, of a refund, the
    /// depositor; this contract where the tokens come here first.
    error ArrivedAmountMismatch(address token, uint256 expected, uint256 arrived);

    /// @notice Thrown when a payment would change what this receiver holds of the token, as with a token that charges its
    /// sender on top of the amount.
    /// @param token The token paid in.
    /// @param balance The balance after the payment.
    /// @param expected The balance before it.
    error TokenBalanceChanged(address token, uint256 balance, uint256 expected);
}
