// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPermit2} from "./IPermit2.sol";
import {IRelayApprovalProxy, Permit2612, Permit3009} from "./IRelayApprovalProxy.sol";
import {Call3Value, Result} from "./RouterCalls.sol";

/// @title IRelayApprovalProxyV3
/// @notice The service's approval proxy, version 3: metadata is passed to the router and is part of the witness;
/// router and Permit2 are fixed.
interface IRelayApprovalProxyV3 is IRelayApprovalProxy {
    /// @notice Emitted for every token that is moved to the router. No parameter is indexed.
    /// @param from previous holder
    /// @param to the router
    /// @param currency the token
    /// @param amount the requested amount
    /// @param metadata the caller's own bytes, uninterpreted
    event FundsMovement(address from, address to, address currency, uint256 amount, bytes metadata);

    /// @notice Moves the caller's approved tokens to the router and makes the router execute the calls.
    /// @param tokens the tokens
    /// @param amounts amount of each
    /// @param calls the calls
    /// @param refundTo recipient of leftover native currency
    /// @param nftRecipient recipient of ERC-721 and ERC-1155 tokens; zero rejects them
    /// @param metadata logged with every movement of funds
    /// @return returnData return data of each call
    function transferAndMulticall(
        address[] calldata tokens,
        uint256[] calldata amounts,
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) external payable returns (Result[] memory returnData);

    /// @notice Same as `transferAndMulticall`, by the caller's ERC-2612 permits.
    /// @param permits the permits
    /// @param calls the calls
    /// @param refundTo recipient of leftover native currency
    /// @param nftRecipient recipient of ERC-721 and ERC-1155 tokens; zero rejects them
    /// @param metadata logged with every movement of funds
    /// @return returnData return data of each call
    function permitTransferAndMulticall(
        Permit2612[] calldata permits,
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) external payable returns (Result[] memory returnData);

    /// @notice Same as `transferAndMulticall`, by a Permit2 transfer that the user signed.
    /// @param user signer
    /// @param permit the signed transfer
    /// @param calls the calls
    /// @param refundTo recipient of leftover native currency
    /// @param nftRecipient recipient of ERC-721 and ERC-1155 tokens; zero rejects them
    /// @param metadata logged with every movement of funds
    /// @param permitSignature the signature; empty moves nothing and only makes the calls
    /// @return returnData return data of each call
    function permit2TransferAndMulticall(
        address user,
        IPermit2.PermitBatchTransferFrom calldata permit,
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata,
        bytes calldata permitSignature
    ) external payable returns (Result[] memory returnData);

    /// @notice Same as `transferAndMulticall`, by ERC-3009 authorizations to this contract.
    /// @param permits the authorizations
    /// @param tokens the token of each
    /// @param calls the calls
    /// @param refundTo recipient of leftover native currency
    /// @param nftRecipient recipient of ERC-721 and ERC-1155 tokens; zero rejects them
    /// @param metadata logged with every movement of funds
    /// @return returnData return data of each call
    function permit3009TransferAndMulticall(
        Permit3009[] calldata permits,
        address[] calldata tokens,
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) external payable returns (Result[] memory returnData);

    /// @notice Sends this contract's whole balance of a currency to the owner. Owner only.
    /// @param token the token, zero for native currency
    function withdraw(address token) external;
}
