// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Expiry by the integrator's own signature
/// @notice The solver's records carry no deadline, so the integrator signs one. The message is EIP-712 typed data of
/// the domain `{ name: "Waybill", version: "1", chainId, verifyingContract: this contract }` with the type
/// `Expiry(bytes32 requestId,uint256 deadline)`. In a receiver of orders, `requestId` is the orderId.
///
/// The last 96 bytes of each deposit's signature are the co-signature: the deadline in Unix time, then `r` and `vs`, the
/// 64 bytes of ERC-2098, each a word. A deadline is the last second in which a deposit is accepted.
///
/// The domain follows the chain id: after a chain split, a signature is valid on one side only. Another receiver, chain
/// or request needs another signature. The receiver itself rejects a second deposit for the same request.
///
/// A co-signer of zero turns the policy off. The 96 bytes are then ignored, but must be there.
/// Assumption: the co-signer is a key, not a contract.
interface IExpiryCoSignature {
    /// @notice Emitted when the co-signer changes.
    /// @param coSigner The new co-signer; zero turns the policy off.
    event CoSignerChanged(address indexed coSigner);

    /// @notice Thrown when the deadline has passed.
    /// @param deadline The last second in which a deposit is accepted, in Unix time.
    /// @param timestamp The block's timestamp.
    error DepositExpired(uint256 deadline, uint256 timestamp);

    /// @notice Thrown when the recovered signer is not the co-signer: the signature is another account's, or covers
    /// another request, deadline, contract or chain.
    /// @param recovered The recovered signer; zero when recovery fails.
    /// @param coSigner The required signer.
    error NotCoSigned(address recovered, address coSigner);

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

    /// @notice Digest that the co-signer signs.
    /// @param requestId The request.
    /// @param deadline The last second in which a deposit is accepted, in Unix time.
    /// @return digest The EIP-712 digest.
    function expiryDigest(bytes32 requestId, uint256 deadline) external view returns (bytes32 digest);
}
