// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPermit2} from "./IPermit2.sol";
import {IRelayApprovalProxy, Permit2612, Permit3009} from "./IRelayApprovalProxy.sol";
import {Call3Value, Result} from "./RouterCalls.sol";

/// @title IRelayApprovalProxyV2_1
/// @notice The service's approval proxy, version 2.1.
/// @dev Assumptions for callers: the owner may replace the router and Permit2 at any time, so an approval given to
/// this contract trusts the owner with the money.
interface IRelayApprovalProxyV2_1 is IRelayApprovalProxy {
    /// @notice Emitted when the owner replaces the router.
    /// @param newRouter the new one
    event RouterUpdated(address newRouter);

    /// @notice Emitted when the owner replaces Permit2.
    /// @param newPermit2 the new one
    event Permit2Updated(address newPermit2);

    /// @notice Moves the caller's approved tokens to the router and makes the router execute the calls.
    /// @param tokens the tokens
    /// @param amounts amount of each
    /// @param calls the calls
    /// @param refundTo recipient of leftover native currency
    /// @param nftRecipient recipient of ERC-721 and ERC-1155 tokens; zero rejects them
    /// @return returnData return data of each call
    function transferAndMulticall(
        address[] calldata tokens,
        uint256[] calldata amounts,
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient
    ) external payable returns (Result[] memory returnData);

    /// @notice Same as `transferAndMulticall`, by the caller's ERC-2612 permits.
    /// @param permits the permits
    /// @param calls the calls
    /// @param refundTo recipient of leftover native currency
    /// @param nftRecipient recipient of ERC-721 and ERC-1155 tokens; zero rejects them
    /// @return returnData return data of each call
    function permitTransferAndMulticall(
        Permit2612[] calldata permits,
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient
    ) external payable returns (Result[] memory returnData);

    /// @notice Same as `transferAndMulticall`, by a Permit2 transfer that the user signed.
    /// @param user signer
    /// @param permit the signed transfer
    /// @param calls the calls
    /// @param refundTo recipient of leftover native currency
    /// @param nftRecipient recipient of ERC-721 and ERC-1155 tokens; zero rejects them
    /// @param permitSignature the signature; empty moves nothing and only makes the calls
    /// @return returnData return data of each call
    function permit2TransferAndMulticall(
        address user,
        IPermit2.PermitBatchTransferFrom calldata permit,
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata permitSignature
    ) external payable returns (Result[] memory returnData);

    /// @notice Same as `transferAndMulticall`, by ERC-3009 authorizations to this contract.
    /// @param permits the authorizations
    /// @param tokens the token of each
    /// @param calls the calls
    /// @param refundTo recipient of leftover native currency
    /// @param nftRecipient recipient of ERC-721 and ERC-1155 tokens; zero rejects them
    /// @return returnData return data of each call
    function permit3009TransferAndMulticall(
        Permit3009[] calldata permits,
        address[] calldata tokens,
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient
    ) external payable returns (Result[] memory returnData);

    /// @notice Sends this contract's whole native balance to the owner. Owner only.
    function withdraw() external;

    /// @notice Replaces the router. Owner only.
    /// @param newRouter the new one
    function setRouter(address newRouter) external;

    /// @notice Replaces Permit2. Owner only.
    /// @param newPermit2 the new one
    function setPermit2(address newPermit2) external;

    /// @notice The router that makes the calls.
    function router() external view returns (address);
}
