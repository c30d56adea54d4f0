// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice An ERC-2612 permit.
/// @param token the token
/// @param owner signer, which must be the caller
/// @param value amount
/// @param nonce the owner's nonce at the token; ignored
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
/// @notice Common interface of the service's approval proxies. Users approve a proxy and never the router, which any
/// caller can command.
/// @dev Assumptions for callers:
/// - Every entry point moves the tokens to the router, which then makes the calls. Tokens that the calls leave stay
///   on the router, where anyone can take them: end the calls with a cleanup.
/// - An ERC-2612 permit does not cover the calls, so only its owner can submit it.
/// - Permit2 and ERC-3009 signatures cover a witness: the submitting account, `refundTo`, `nftRecipient` and the
///   calls. They do not cover the native value.
/// - A permit that an attacker submitted first does not fail the call if the allowance exists. Otherwise the call
///   reverts with the string `Permit failure`.
interface IRelayApprovalProxy {
    /// @notice Thrown when parallel arrays differ in length.
    error ArrayLengthsMismatch();

    /// @notice Thrown when the owner refuses the native currency it withdraws or needs more than 100,000 gas.
    error NativeTransferFailed();

    /// @notice Thrown when leftover native currency would go to the zero address.
    error RefundToCannotBeZeroAddress();

    /// @notice The EIP-712 type hash of a call.
    function _CALL3VALUE_TYPEHASH() external view returns (bytes32);

    /// @notice The EIP-712 type of the witness as Permit2 expects it: from its member's name on.
    function _RELAYER_WITNESS_TYPE_STRING() external view returns (string memory);

    /// @notice The EIP-712 type hash of the witness.
    function _RELAYER_WITNESS_TYPEHASH() external view returns (bytes32);
}
