// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice An ERC-2612 permit.
/// @param token the token
/// @param owner signer, which must be the caller
/// @param value amount
/// @param nonce the owner's nonce at the token; not looked at
/// @param deadline the last second, in Unix time
/// @param v the signature's recovery id
/// @param r the signature's first word
/// @param s the signature's second word
struct Permit2612 {
    address token;
    address owner;
    uint256 value;
    uint256 nonce;
    uint256 deadline;
    uint8 v;
    bytes32 r;
    bytes32 s;
}

/// @notice An ERC-3009 authorization whose nonce is the witness hash.
/// @param from signer
/// @param value amount
/// @param validAfter valid only later than this second, in Unix time
/// @param validBefore valid only earlier than this second, in Unix time
/// @param v the signature's recovery id
/// @param r the signature's first word
/// @param s the signature's second word
struct Permit3009 {
    address from;
    uint256 value;
    uint256 validAfter;
    uint256 validBefore;
    uint8 v;
    bytes32 r;
    bytes32 s;
}

/// @title IRelayApprovalProxy
/// @notice What the service's approval proxies of both versions have in common: they take approvals so that
///         the router, which anyone may command, never has to.
/// @dev Assumptions for callers:
///      - Every entry point moves the tokens to the router, then has it make the calls. What the calls do not
///        use stays on the router and is anyone's: end them with a cleanup.
///      - An ERC-2612 permit does not sign the calls. It is accepted from its owner only.
///      - Permit2 and ERC-3009 signatures sign a witness: the account that brings them, `refundTo`,
///        `nftRecipient` and the calls. The native value is not signed.
///      - A permit that was brought by someone else first is no failure if the allowance is there; otherwise
///        the reason is the string `Permit failure`.
interface IRelayApprovalProxy {
    /// @notice Thrown when arrays that belong together differ in length.
    error ArrayLengthsMismatch();

    /// @notice Thrown when the owner refuses the native currency it withdraws or needs more than 100,000 gas.
    error NativeTransferFailed();

    /// @notice Thrown when leftover native currency would go to the zero address.
    error RefundToCannotBeZeroAddress();

    /// @notice The EIP-712 type hash of a call.
    function _CALL3VALUE_TYPEHASH() external view returns (bytes32);

    /// @notice The EIP-712 type of the witness as Permit2 wants it, from its member's name on.
    function _RELAYER_WITNESS_TYPE_STRING() external view returns (string memory);

    /// @notice The EIP-712 type hash of the witness.
    function _RELAYER_WITNESS_TYPEHASH() external view returns (bytes32);
}
