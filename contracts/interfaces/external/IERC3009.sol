// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title The signed transfer of ERC-3009 that only its payee can submit
/// @notice The one function of the standard a receiver calls.
interface IERC3009 {
    /// @notice Moves tokens to the caller under their owner's signature.
    /// @param from Owner of the tokens; the signer.
    /// @param to Recipient; must be the caller.
    /// @param value Amount.
    /// @param validAfter Valid only later than this second, in Unix time.
    /// @param validBefore Valid only earlier than this second, in Unix time.
    /// @param nonce Any word; each owner can use it once.
    /// @param v The signature's recovery id.
    /// @param r The signature's first word.
    /// @param s The signature's second word.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}
