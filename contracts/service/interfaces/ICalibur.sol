// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title ICalibur
/// @notice Batch executor that accounts delegate to with EIP-7702: any caller can submit a batch of calls that the account
/// signed.
/// @dev Assumptions for callers:
/// - The functions are called on the account, which has the executor's code and its own storage.
/// - The EIP-712 domain is `Calibur`, `1.0.0`, the chain id, the account, and the executor's address as salt.
/// - A batch without `executor` and `deadline` can be submitted by any caller at any time.
interface ICalibur {
    /// @notice A call of a batch.
    /// @param to the called account
    /// @param value the native value, from the account's balance
    /// @param data the calldata
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    /// @notice Calls that are made in order.
    /// @param calls the calls
    /// @param revertOnFailure whether the first call that fails reverts all; otherwise the next one follows
    struct BatchedCall {
        Call[] calls;
        bool revertOnFailure;
    }

    /// @notice What the account signs.
    /// @param batchedCall the calls
    /// @param nonce a sequence in its upper 192 bits, and the next number of that sequence in its lower 64 bits
    /// @param keyHash the signing key; zero is the account's own
    /// @param executor the only account that can submit the batch; zero allows any
    /// @param deadline the last second of validity; zero is none
    struct SignedBatchedCall {
        BatchedCall batchedCall;
        uint256 nonce;
        bytes32 keyHash;
        address executor;
        uint256 deadline;
    }

    /// @notice Thrown when a call fails in a batch that reverts on failure.
    /// @param reason the call's return data
    error CallFailed(bytes reason);

    /// @notice Thrown when the nonce is not the next of its sequence.
    error InvalidNonce();

    /// @notice Thrown when the account did not sign the batch for this chain.
    error InvalidSignature();

    /// @notice Thrown for a key other than the account's own.
    error KeyDoesNotExist();

    /// @notice Thrown after the batch's deadline.
    error SignatureExpired();

    /// @notice Thrown when the batch names another executor.
    error Unauthorized();

    /// @notice Makes the calls of a signed batch from the account.
    /// @param signedBatchedCall what the account signed
    /// @param wrappedSignature `abi.encode(signature, hookData)`; the hook data is for keys with hooks only
    function execute(
        SignedBatchedCall calldata signedBatchedCall,
        bytes calldata wrappedSignature
    ) external payable;

    /// @notice Returns the next number of a sequence of nonces.
    /// @param key the sequence
    function getSeq(uint256 key) external view returns (uint256);
}
