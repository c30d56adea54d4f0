// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {INftReceivers} from "../../interfaces/external/INftReceivers.sol";

/// @title IRelayRouter
/// @notice Common interface of the service's routers.
/// @dev Assumptions for callers:
/// - A router is shared by everyone, and every function is public. The next caller can take what it holds when a
///   multicall ends, allowances included.
/// - The amount zero means the whole balance, so a computed zero sweeps everything.
/// - A failed call without `allowFailure` reverts with its own reason, without its index.
/// - `cleanupErc20sViaCall` gives a plain approval: it ignores a returned false, fails with a token that returns
///   nothing, and leaves the unused allowance in place.
/// - Tokens of ERC-721 and ERC-1155 can be received only while a multicall with a recipient runs. There is no
///   ERC-165, so a sender that asks `supportsInterface` first will not send.
/// - Native transfers forward all gas. A rejected native transfer reverts with `ETHTransferFailed()`, an ERC-20
///   transfer with `TransferFailed()`: neither is in the ABI.
/// - No event parameter is indexed.
interface IRelayRouter is INftReceivers {
    /// @notice Emitted for every successful call of a multicall.
    /// @param to the account that was called
    /// @param data the calldata
    /// @param amount the native value sent along
    event SolverCallExecuted(address to, bytes data, uint256 amount);

    /// @notice Emitted when native currency arrives without calldata, and when a sweep sends it.
    /// @param to recipient; the router itself when it arrives
    /// @param amount amount
    event SolverNativeTransfer(address to, uint256 amount);

    /// @notice Thrown when the recipient of ERC-721 and ERC-1155 tokens is the router itself.
    /// @param recipient the router
    error InvalidRecipient(address recipient);

    /// @notice Declared in production and never thrown there.
    error NativeTransferFailed();

    /// @notice Thrown when an ERC-721 or ERC-1155 token arrives while no recipient is set.
    error NoRecipientSet();

    /// @notice Thrown when parallel arrays differ in length.
    error ArrayLengthsMismatch();

    /// @notice Thrown when the call of a cleanup fails; the reason is lost.
    error CallFailed();

    /// @notice Approves and calls once per token, for a target that pulls its input.
    /// @param tokens the tokens
    /// @param tos the accounts that are approved and called
    /// @param datas the calldata
    /// @param amounts approved amount; zero approves the balance, and a balance of zero skips the call
    function cleanupErc20sViaCall(
        address[] calldata tokens,
        address[] calldata tos,
        bytes[] calldata datas,
        uint256[] calldata amounts
    ) external;

    /// @notice Sends native currency along with a call.
    /// @param amount amount; zero sends the balance, and a balance of zero skips the call
    /// @param to the account that is called
    /// @param data the calldata
    function cleanupNativeViaCall(uint256 amount, address to, bytes calldata data) external;
}
