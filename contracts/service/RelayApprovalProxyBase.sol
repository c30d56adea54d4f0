// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Ownable} from "solady/src/auth/Ownable.sol";
import {IERC3009} from "../interfaces/external/IERC3009.sol";
import {ISignatureTransfer} from "../interfaces/external/ISignatureTransfer.sol";
import {IPermit2} from "./interfaces/IPermit2.sol";
import {IRelayApprovalProxy, Permit2612, Permit3009} from "./interfaces/IRelayApprovalProxy.sol";
import {Call3Value} from "./interfaces/RouterCalls.sol";

/// @title RelayApprovalProxyBase
/// @notice Common part of the local stand-ins for the approval proxies: four ways to move a user's tokens to the
/// router. The versions differ in witness, events and owner functions.
/// @dev Version 2.1 has no metadata and passes empty bytes.
abstract contract RelayApprovalProxyBase is IRelayApprovalProxy, Ownable {
    using SafeERC20 for IERC20;

    /// @dev Gas for the owner's receive hook: the owner may be a smart wallet.
    uint256 private constant WITHDRAW_GAS = 100_000;

    /// @inheritdoc IRelayApprovalProxy
    bytes32 public constant _CALL3VALUE_TYPEHASH = keccak256(
        "Call3Value(address target,bool allowFailure,uint256 value,bytes callData)"
    );

    /// @notice Accepts native currency, which only the owner can withdraw.
    receive() external payable {}

    function _pullApproved(
        address router_,
        address[] calldata tokens,
        uint256[] calldata amounts,
        bytes calldata metadata
    ) internal {
        for (uint256 i; i < tokens.length; ++i) {
            _pull(router_, tokens[i], msg.sender, amounts[i], metadata);
        }
    }

    function _pullPermitted(
        address router_,
        Permit2612[] calldata permits,
        bytes calldata metadata
    ) internal {
        for (uint256 i; i < permits.length; ++i) {
            Permit2612 calldata each = permits[i];
            if (each.owner != msg.sender) revert Unauthorized();
            _usePermit(each);
            _pull(router_, each.token, each.owner, each.value, metadata);
        }
    }

    function _pullWithPermit2(
        address router_,
        IPermit2 permit2,
        address user,
        IPermit2.PermitBatchTransferFrom calldata permit,
        bytes32 witness,
        bytes calldata metadata,
        bytes calldata signature
    ) internal {
        ISignatureTransfer.SignatureTransferDetails[]
            memory details = new ISignatureTransfer.SignatureTransferDetails[](permit.permitted.length);
        for (uint256 i; i < details.length; ++i) {
            ISignatureTransfer.TokenPermissions calldata each = permit.permitted[i];
            details[i] = ISignatureTransfer.SignatureTransferDetails(router_, each.amount);
            // The event precedes the transfer, unlike on the other paths: production logs in this order.
            _logMovement(user, router_, each.token, each.amount, metadata);
        }
        permit2.permitWitnessTransferFrom(permit, details, user, witness, _witnessTypeString(), signature);
    }

    function _pullAuthorized(
        address router_,
        Permit3009[] calldata permits,
        address[] calldata tokens,
        bytes32 witness,
        bytes calldata metadata
    ) internal {
        for (uint256 i; i < permits.length; ++i) {
            _useAuthorization(tokens[i], permits[i], witness);
            IERC20(tokens[i]).safeTransfer(router_, permits[i].value);
            _logMovement(permits[i].from, router_, tokens[i], permits[i].value, metadata);
        }
    }

    function _sendToOwner(uint256 value) internal {
        bool success;
        // Assembly, so that returndata is never copied.
        assembly ("memory-safe") {
            success := call(WITHDRAW_GAS, caller(), value, 0, 0, 0, 0)
        }
        if (!success) revert NativeTransferFailed();
    }

    function _logMovement(
        address from,
        address router_,
        address token,
        uint256 amount,
        bytes calldata metadata
    ) internal virtual;

    function _witnessTypeString() internal pure virtual returns (string memory);

    function _requireRefundTo(address refundTo) internal pure {
        if (refundTo == address(0)) revert RefundToCannotBeZeroAddress();
    }

    function _requireSameLength(uint256 one, uint256 other) internal pure {
        if (one != other) revert ArrayLengthsMismatch();
    }

    function _hashCalls(Call3Value[] calldata calls) internal pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](calls.length);
        for (uint256 i; i < calls.length; ++i) {
            Call3Value calldata each = calls[i];
            hashes[i] = keccak256(
                abi.encode(
                    _CALL3VALUE_TYPEHASH,
                    each.target,
                    each.allowFailure,
                    each.value,
                    keccak256(each.callData)
                )
            );
        }
        return keccak256(abi.encodePacked(hashes));
    }

    function _pull(
        address router_,
        address token,
        address from,
        uint256 amount,
        bytes calldata metadata
    ) private {
        IERC20(token).safeTransferFrom(from, router_, amount);
        _logMovement(from, router_, token, amount, metadata);
    }

    /// @dev An attacker can submit a permit from the mempool first; the allowance then exists all the same.
    function _usePermit(Permit2612 calldata each) private {
        try
            IERC20Permit(each.token).permit(
                each.owner,
                address(this),
                each.value,
                each.deadline,
                each.v,
                each.r,
                each.s
            )
        {} catch {
            // A string, not a custom error: callers see this string in production.
            require(IERC20(each.token).allowance(each.owner, address(this)) >= each.value, "Permit failure");
        }
    }

    function _useAuthorization(address token, Permit3009 calldata each, bytes32 nonce) private {
        IERC3009(token).receiveWithAuthorization(
            each.from,
            address(this),
            each.value,
            each.validAfter,
            each.validBefore,
            nonce,
            each.v,
            each.r,
            each.s
        );
    }
}
