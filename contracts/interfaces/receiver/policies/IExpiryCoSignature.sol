// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Expiry by the integrator's own signature
/// @notice The solver's records carry no deadline, so the integrator signs one. The message is EIP-712 typed data of
/// the domain `{ name: "Waybill", version: "1", chainId, verifyingContract: this contract }`, with one of these types:
///
/// - `Expiry(bytes32 requestId,uint256 deadline)`
/// - `AmountExpiry(bytes32 requestId,uint256 amount,uint256 deadline)`, for records that do not sign the amount.
///
/// The domain follows the chain id: after a chain split, a signature is valid on one side only. Another receiver, chain
/// or request needs another signature. The receiver itself rejects a second deposit for the same request.
///
/// A co-signer of zero turns the policy off for records that sign the amount; the co-signature is then ignored.
/// Assumption: the co-signer is a key, not a contract; its signature has the 64 bytes of ERC-2098.
interface IExpiryCoSignature {
    /// @notice The deadline and the co-signer's signature over it.
    /// @param deadline The last second in which a deposit is accepted, in Unix time.
    /// @param r The first word of the signature.
    /// @param vs The second word, with the parity of `y` in its top bit (ERC-2098).
    struct CoSignature {
        uint256 deadline;
        bytes32 r;
        bytes32 vs;
    }

    /// @notice Emitted when the co-signer changes.
    /// @param coSigner The new co-signer; zero turns the policy off.
    event CoSignerChanged(address indexed coSigner);

    /// @notice Thrown when the deadline has passed.
    /// @param deadline The last second in which a deposit is accepted, in Unix time.
    /// @param timestamp The block's timestamp.
    error DepositExpired(uint256 deadline, uint256 timestamp);

    /// @notice Thrown when the recovered signer is not the co-signer: the signature is another account's, or covers
    /// another request, deadline, amount, contract or chain.
    /// @param recovered The recovered signer; zero when recovery fails.
    /// @param coSigner The required signer.
    error NotCoSigned(address recovered, address coSigner);

    /// @notice Thrown when the amount must be co-signed but the co-signer is zero.
    error CoSignerNotSet();

    /// @notice Thrown when the new co-signer is this contract, which has no key: every deposit would be rejected.
    /// @param coSigner The rejected address.
    error CoSignerCannotSign(address coSigner);

    /// @notice Replaces the co-signer at once; signatures of the former co-signer become invalid. Only the owner may.
    /// @dev Reverts with `CoSignerCannotSign`.
    /// @param coSigner_ The new co-signer; zero turns the policy off.
    function setCoSigner(address coSigner_) external;

    /// @notice The co-signer.
    /// @return Zero when the policy is off.
    function coSigner() external view returns (address);

    /// @notice Digest that the co-signer signs for a record that signs the amount.
    /// @param requestId The request.
    /// @param deadline The last second in which a deposit is accepted, in Unix time.
    /// @return digest The EIP-712 digest.
    function expiryDigest(bytes32 requestId, uint256 deadline) external view returns (bytes32 digest);

    /// @notice Digest that the co-signer signs for a record that does not sign the amount.
    /// @param requestId The request.
    /// @param amount The exact amount to deposit.
    /// @param deadline The last second in which a deposit is accepted, in Unix time.
    /// @return digest The EIP-712 digest.
    function amountExpiryDigest(
        bytes32 requestId,
        uint256 amount,
        uint256 deadline
    ) external view returns (bytes32 digest);

    /// @notice Reverts with `DepositExpired` when there is a co-signer and the deadline has passed.
    /// @param deadline The last second in which a deposit is accepted, in Unix time.
    function checkDeadline(uint256 deadline) external view;

    /// @notice Reverts with `NotCoSigned`, or with `SignatureSTooHigh` of `SolverSignature`, when there is a co-signer
    /// and it did not sign the deadline for this request.
    /// @param requestId The request.
    /// @param coSignature The deadline and the signature.
    function checkExpiry(bytes32 requestId, CoSignature calldata coSignature) external view;

    /// @notice Reverts with `CoSignerNotSet` when there is no co-signer. Otherwise reverts with `NotCoSigned`, or with
    /// `SignatureSTooHigh` of `SolverSignature`, when the co-signer did not sign deadline and amount for this request.
    /// @param requestId The request.
    /// @param amount Amount of the deposit.
    /// @param coSignature The deadline and the signature.
    function checkAmountExpiry(
        bytes32 requestId,
        uint256 amount,
        CoSignature calldata coSignature
    ) external view;
}
