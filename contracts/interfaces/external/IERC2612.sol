// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title The signed approval of ERC-2612
/// @notice The one function of the standard a receiver calls.
interface IERC2612 {
    /// @notice Sets an allowance that the owner signed.
    /// @param owner Owner of the tokens; the signer.
    /// @param spender Spender of the allowance.
    /// @param value Amount of the allowance.
    /// @param deadline The last second, in Unix time.
    /// @param v The signature's recovery id.
    /// @param r The signature's first word.
    /// @param s The signature's second word.
    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}
