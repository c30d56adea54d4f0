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

    /// @notice Emitted when a token payment was accepted, before it is moved.
    /// @param requestId The request that is paid for.
    /// @param depositor Who paid.
    /// @param token The token paid in.
    /// @param amount In the token's smallest unit; exactly this arrived.
    event Erc20Deposited(
        bytes32 indexed requestId,
        address indexed depositor,
        address indexed token,
        uint256 amount
    );

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
    /// @param arrived The growth of the balance of the solver, or of this contract where a signed pull comes here first.
    error ArrivedAmountMismatch(address token, uint256 expected, uint256 arrived);
}
