// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPermit2} from "./interfaces/IPermit2.sol";
import {IRelayApprovalProxy, Permit2612, Permit3009} from "./interfaces/IRelayApprovalProxy.sol";
import {IRelayApprovalProxyV2_1} from "./interfaces/IRelayApprovalProxyV2_1.sol";
import {IRelayRouterV2_1} from "./interfaces/IRelayRouterV2_1.sol";
import {Call3Value, Result} from "./interfaces/RouterCalls.sol";
import {RelayApprovalProxyBase} from "./RelayApprovalProxyBase.sol";

/// @title RelayApprovalProxyV2_1
/// @notice Local stand-in for the service's approval proxy, version 2.1. Never deploy it to a public chain.
/// @dev Assumption: checks run in production's order, so that a call with two mistakes reports the same one.
contract RelayApprovalProxyV2_1 is IRelayApprovalProxyV2_1, RelayApprovalProxyBase {
    /// @inheritdoc IRelayApprovalProxy
    string public constant _RELAYER_WITNESS_TYPE_STRING =
        "RelayerWitness witness)"
        "Call3Value(address target,bool allowFailure,uint256 value,bytes callData)"
        "RelayerWitness(address relayer,address refundTo,address nftRecipient,Call3Value[] call3Values)"
        "TokenPermissions(address token,uint256 amount)";

    /// @inheritdoc IRelayApprovalProxy
    bytes32 public constant _RELAYER_WITNESS_TYPEHASH = keccak256(
        "RelayerWitness(address relayer,address refundTo,address nftRecipient,Call3Value[] call3Values)"
        "Call3Value(address target,bool allowFailure,uint256 value,bytes callData)"
    );

    /// @inheritdoc IRelayApprovalProxyV2_1
    address public router;

    IPermit2 private _permit2;

    /// @param initialOwner account that may replace router and Permit2, and withdraw stuck funds
    /// @param router_ the router, version 2.1
    /// @param permit2_ Permit2
    constructor(address initialOwner, address router_, address permit2_) {
        _initializeOwner(initialOwner);
        router = router_;
        _permit2 = IPermit2(permit2_);
    }

    /// @inheritdoc IRelayApprovalProxyV2_1
    function withdraw() external onlyOwner {
        _sendToOwner(address(this).balance);
    }

    /// @inheritdoc IRelayApprovalProxyV2_1
    function setRouter(address newRouter) external onlyOwner {
        router = newRouter;
        emit RouterUpdated(newRouter);
    }

    /// @inheritdoc IRelayApprovalProxyV2_1
    function setPermit2(address newPermit2) external onlyOwner {
        _permit2 = IPermit2(newPermit2);
        emit Permit2Updated(newPermit2);
    }

    /// @inheritdoc IRelayApprovalProxyV2_1
    function transferAndMulticall(
        address[] calldata tokens,
        uint256[] calldata amounts,
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient
    ) external payable returns (Result[] memory returnData) {
        _requireSameLength(tokens.length, amounts.length);
        _requireRefundTo(refundTo);
        _pullApproved(router, tokens, amounts, _noMetadata());
        return _multicall(calls, refundTo, nftRecipient);
    }

    /// @inheritdoc IRelayApprovalProxyV2_1
    function permitTransferAndMulticall(
        Permit2612[] calldata permits,
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient
    ) external payable returns (Result[] memory returnData) {
        _requireRefundTo(refundTo);
        _pullPermitted(router, permits, _noMetadata());
        return _multicall(calls, refundTo, nftRecipient);
    }

    /// @inheritdoc IRelayApprovalProxyV2_1
    function permit2TransferAndMulticall(
        address user,
        IPermit2.PermitBatchTransferFrom calldata permit,
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata permitSignature
    ) external payable returns (Result[] memory returnData) {
        _requireRefundTo(refundTo);
        if (permitSignature.length != 0) {
            bytes32 witness = _witness(calls, refundTo, nftRecipient);
            _pullWithPermit2(router, _permit2, user, permit, witness, _noMetadata(), permitSignature);
        }
        return _multicall(calls, refundTo, nftRecipient);
    }

    /// @inheritdoc IRelayApprovalProxyV2_1
    function permit3009TransferAndMulticall(
        Permit3009[] calldata permits,
        address[] calldata tokens,
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient
    ) external payable returns (Result[] memory returnData) {
        // The opposite order of `transferAndMulticall` and of version 3.
        _requireRefundTo(refundTo);
        _requireSameLength(tokens.length, permits.length);
        _pullAuthorized(router, permits, tokens, _witness(calls, refundTo, nftRecipient), _noMetadata());
        return _multicall(calls, refundTo, nftRecipient);
    }

    function _witnessTypeString() internal pure override returns (string memory) {
        return _RELAYER_WITNESS_TYPE_STRING;
    }

    /// @dev This version emits no event for moved funds.
    function _logMovement(address, address, address, uint256, bytes calldata) internal override {}

    function _multicall(
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient
    ) private returns (Result[] memory) {
        return IRelayRouterV2_1(router).multicall{value: msg.value}(calls, refundTo, nftRecipient);
    }

    function _witness(
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient
    ) private view returns (bytes32) {
        return
            keccak256(
                abi.encode(_RELAYER_WITNESS_TYPEHASH, msg.sender, refundTo, nftRecipient, _hashCalls(calls))
            );
    }

    function _noMetadata() private pure returns (bytes calldata) {
        return msg.data[:0];
    }
}
