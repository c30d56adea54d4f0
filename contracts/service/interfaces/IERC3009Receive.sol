// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IERC3009Receive
/// @notice The one function of ERC-3009 the approval proxies call: a signed transfer only its payee may
///         bring.
interface IERC3009Receive {
    /// @notice Moves tokens to the caller as their owner signed.
    /// @param from who signed
    /// @param to the caller
    /// @param value how many
    /// @param validAfter valid only later than this second, in Unix time
    /// @param validBefore valid only earlier than this second, in Unix time
    /// @param nonce the owner's nonce, used once; the proxies put the witness hash here
    /// @param v the signature's recovery id
    /// @param r the signature's first word
    /// @param s the signature's second word
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
