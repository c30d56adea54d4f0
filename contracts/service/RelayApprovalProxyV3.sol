// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IPermit2} from "./interfaces/IPermit2.sol";
import {IRelayApprovalProxy, Permit2612, Permit3009} from "./interfaces/IRelayApprovalProxy.sol";
import {IRelayApprovalProxyV3} from "./interfaces/IRelayApprovalProxyV3.sol";
import {IRelayRouterV3} from "./interfaces/IRelayRouterV3.sol";
import {Call3Value, Result} from "./interfaces/RouterCalls.sol";
import {RelayApprovalProxyBase} from "./RelayApprovalProxyBase.sol";

/// @title RelayApprovalProxyV3
/// @notice Local stand-in for the service's approval proxy, version 3. Never deploy it to a public chain.
/// @dev Assumption: checks run in production's order, so that a call with two mistakes reports the same one.
contract RelayApprovalProxyV3 is IRelayApprovalProxyV3, RelayApprovalProxyBase {
    using SafeERC20 for IERC20;

    /// @inheritdoc IRelayApprovalProxy
    string public constant _RELAYER_WITNESS_TYPE_STRING =
        "RelayerWitness witness)"
        "Call3Value(address target,bool allowFailure,uint256 value,bytes callData)"
        "RelayerWitness(address relayer,address refundTo,address nftRecipient,"
        "bytes metadata,Call3Value[] call3Values)"
        "TokenPermissions(address token,uint256 amount)";

    /// @inheritdoc IRelayApprovalProxy
    bytes32 public constant _RELAYER_WITNESS_TYPEHASH = keccak256(
        "RelayerWitness(address relayer,address refundTo,address nftRecipient,"
        "bytes metadata,Call3Value[] call3Values)"
        "Call3Value(address target,bool allowFailure,uint256 value,bytes callData)"
    );

    address private immutable ROUTER;
    IPermit2 private immutable PERMIT2;

    /// @param initialOwner account that may withdraw stuck funds
    /// @param router_ the router, version 3
    /// @param permit2_ Permit2
    constructor(address initialOwner, address router_, address permit2_) {
        _initializeOwner(initialOwner);
        ROUTER = router_;
        PERMIT2 = IPermit2(permit2_);
    }

    /// @inheritdoc IRelayApprovalProxyV3
    function withdraw(address token) external onlyOwner {
        if (token == address(0)) {
            _sendToOwner(address(this).balance);
        } else {
            IERC20(token).safeTransfer(msg.sender, IERC20(token).balanceOf(address(this)));
        }
    }

    /// @inheritdoc IRelayApprovalProxyV3
    function transferAndMulticall(
        address[] calldata tokens,
        uint256[] calldata amounts,
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) external payable returns (Result[] memory returnData) {
        _requireSameLength(tokens.length, amounts.length);
        _requireRefundTo(refundTo);
        _pullApproved(ROUTER, tokens, amounts, metadata);
        return _multicall(calls, refundTo, nftRecipient, metadata);
    }

    /// @inheritdoc IRelayApprovalProxyV3
    function permitTransferAndMulticall(
        Permit2612[] calldata permits,
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) external payable returns (Result[] memory returnData) {
        _requireRefundTo(refundTo);
        _pullPermitted(ROUTER, permits, metadata);
        return _multicall(calls, refundTo, nftRecipient, metadata);
    }

    /// @inheritdoc IRelayApprovalProxyV3
    function permit2TransferAndMulticall(
        address user,
        IPermit2.PermitBatchTransferFrom calldata permit,
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata,
        bytes calldata permitSignature
    ) external payable returns (Result[] memory returnData) {
        _requireRefundTo(refundTo);
        if (permitSignature.length != 0) {
            bytes32 witness = _witness(calls, refundTo, nftRecipient, metadata);
            _pullWithPermit2(ROUTER, PERMIT2, user, permit, witness, metadata, permitSignature);
        }
        return _multicall(calls, refundTo, nftRecipient, metadata);
    }

    /// @inheritdoc IRelayApprovalProxyV3
    function permit3009TransferAndMulticall(
        Permit3009[] calldata permits,
        address[] calldata tokens,
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) external payable returns (Result[] memory returnData) {
        _requireSameLength(tokens.length, permits.length);
        _requireRefundTo(refundTo);
        bytes32 witness = _witness(calls, refundTo, nftRecipient, metadata);
        _pullAuthorized(ROUTER, permits, tokens, witness, metadata);
        return _multicall(calls, refundTo, nftRecipient, metadata);
    }

    function _witnessTypeString() internal pure override returns (string memory) {
        return _RELAYER_WITNESS_TYPE_STRING;
    }

    function _logMovement(
        address from,
        address router_,
        address token,
        uint256 amount,
        bytes calldata metadata
    ) internal override {
        emit FundsMovement(from, router_, token, amount, metadata);
    }

    function _multicall(
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) private returns (Result[] memory) {
        return IRelayRouterV3(ROUTER).multicall{value: msg.value}(calls, refundTo, nftRecipient, metadata);
    }

    function _witness(
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) private view returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    _RELAYER_WITNESS_TYPEHASH,
                    msg.sender,
                    refundTo,
                    nftRecipient,
                    keccak256(metadata),
                    _hashCalls(calls)
                )
            );
    }
}
