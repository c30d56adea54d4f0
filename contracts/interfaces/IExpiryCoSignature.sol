// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Expiry by the integrator's own signature
/// @notice The solver's records carry no deadline, so the integrator signs one: EIP-712 typed data of the domain
/// `{ name: "Waybill", version: "1", chainId, verifyingContract: this contract }`, with one of the types
///
/// - `Expiry(bytes32 requestId,uint256 deadline)`
/// - `AmountExpiry(bytes32 requestId,uint256 amount,uint256 deadline)`, for records that do not sign the amount.
///
/// The domain follows the chain id, so a signature made before a chain splits is good on one side only. A deposit at another
/// receiver, on another chain or for another request needs another signature; a second deposit for the same request is the
/// receiver's to refuse.
///
/// A co-signer of zero turns the policy off for records that sign the amount: nothing is asked for and nothing is read.
/// Assumption: the co-signer is a key, not a contract; its signature comes in the 64 bytes of ERC-2098.
interface IExpiryCoSignature {
    /// @notice The deadline and the co-signer's signature over it.
    /// @param deadline The last second a deposit is accepted in.
    /// @param r The first word of the signature.
    /// @param vs The second word, with the parity of `y` in its top bit (ERC-2098).
    struct CoSignature {
        uint256 deadline;
        bytes32 r;
        bytes32 vs;
    }

    /// @notice Emitted when somebody else becomes the co-signer.
    /// @param coSigner Who; zero turns the policy off.
    event CoSignerChanged(address indexed coSigner);

    /// @notice Thrown when the deadline has passed.
    /// @param deadline The last second a deposit is accepted in.
    /// @param timestamp The second it is.
    error DepositExpired(uint256 deadline, uint256 timestamp);

    /// @notice Thrown when the co-signer did not sign exactly this: another request, deadline, amount, contract or chain, or a
    /// signature by somebody else.
    /// @param recovered Who the signature recovers to; zero when it recovers to nobody.
    /// @param coSigner Whose signature is needed.
    error NotCoSigned(address recovered, address coSigner);

    /// @notice Thrown when the amount has to be co-signed but there is no co-signer.
    error CoSignerNotSet();

    /// @notice Thrown when this contract would become its own co-signer: it has no key, and would accept no deposit.
    /// @param coSigner The address in question.
    error CoSignerCannotSign(address coSigner);

    /// @notice Makes somebody else the co-signer, at once; signatures of the former one are worthless from then on. Only the
    /// owner may.
    /// @dev Reverts with `CoSignerCannotSign`.
    /// @param coSigner_ Who; zero turns the policy off.
    function setCoSigner(address coSigner_) external;

    /// @notice Whose signature is needed.
    /// @return Zero when the policy is off.
    function coSigner() external view returns (address);

    /// @notice What the co-signer signs for a request whose record signs the amount.
    /// @param requestId The request.
    /// @param deadline The last second a deposit is accepted in.
    /// @return digest The EIP-712 digest.
    function expiryDigest(bytes32 requestId, uint256 deadline) external view returns (bytes32 digest);

    /// @notice What the co-signer signs for a request whose record does not sign the amount.
    /// @param requestId The request.
    /// @param amount What has to be deposited, exactly.
    /// @param deadline The last second a deposit is accepted in.
    /// @return digest The EIP-712 digest.
    function amountExpiryDigest(
        bytes32 requestId,
        uint256 amount,
        uint256 deadline
    ) external view returns (bytes32 digest);

    /// @notice Reverts with `DepositExpired` when there is a co-signer and the deadline has passed.
    /// @param deadline The last second a deposit is accepted in.
    function checkDeadline(uint256 deadline) external view;

    /// @notice Reverts with `NotCoSigned`, or with `SignatureSTooHigh` of `SolverSignature`, when there is a co-signer who did
    /// not sign the deadline for this request.
    /// @param requestId The request.
    /// @param coSignature The deadline and the signature.
    function checkExpiry(bytes32 requestId, CoSignature calldata coSignature) external view;

    /// @notice Reverts with `CoSignerNotSet` when there is no co-signer, and otherwise with `NotCoSigned`, or with
    /// `SignatureSTooHigh` of `SolverSignature`, when the co-signer did not sign deadline and amount for this request.
    /// @param requestId The request.
    /// @param amount What would be deposited.
    /// @param coSignature The deadline and the signature.
    function checkAmountExpiry(
        bytes32 requestId,
        uint256 amount,
        CoSignature calldata coSignature
    ) external view;
}
