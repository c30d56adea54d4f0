// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC2612} from "../interfaces/external/IERC2612.sol";
import {IERC3009} from "../interfaces/external/IERC3009.sol";
import {IRecordReceiver} from "../interfaces/receiver/IRecordReceiver.sol";
import {ISignatureTransfer} from "../interfaces/external/ISignatureTransfer.sol";
import {ISignedPulls} from "../interfaces/receiver/ISignedPulls.sol";
import {BoundedCall} from "./BoundedCall.sol";
import {TokenReads} from "./TokenReads.sol";

/// @title Pulling tokens by their owner's signature
/// @notice An ERC-2612 permit names a spender and an amount, but no purpose: only its owner may use it here, as the
/// caller. A Permit2 transfer and an ERC-3009 authorization can carry a hash; here it is that of the `DepositWitness`
/// or the `OrderDepositWitness`. A relayer can therefore spend them only on the request or order that the owner chose.
/// @dev Success means that the call succeeded, not that tokens arrived: a token with a fallback function accepts a
/// permit or an authorization that it does not implement. Callers must measure.
library SignedPulls {
    /// @dev Permit2's address on every chain with its standard deployment.
    address internal constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    bytes32 internal constant WITNESS_TYPEHASH = keccak256(
        "DepositWitness(bytes32 requestId,uint256 destinationChainId,bytes32 destinationUser,address receiver)"
    );

    /// @dev Permit2 appends it to its own members; the referenced types follow in alphabetical order.
    string internal constant WITNESS_TYPE_STRING =
        "DepositWitness witness)"
        "DepositWitness(bytes32 requestId,uint256 destinationChainId,bytes32 destinationUser,address receiver)"
        "TokenPermissions(address token,uint256 amount)";

    bytes32 internal constant ORDER_WITNESS_TYPEHASH = keccak256(
        "OrderDepositWitness(bytes32 orderId,address receiver)"
    );

    string internal constant ORDER_WITNESS_TYPE_STRING =
        "OrderDepositWitness witness)"
        "OrderDepositWitness(bytes32 orderId,address receiver)"
        "TokenPermissions(address token,uint256 amount)";

    /// @notice EIP-712 struct hash of the `DepositWitness`, which an owner signs to pay for a request.
    /// @param requestId The paid request.
    /// @param destinationChainId The chain of the fill.
    /// @param destinationUser Recipient of the fill.
    /// @return The hash; this contract is the `receiver` in it.
    function witnessOf(
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser
    ) internal view returns (bytes32) {
        return
            keccak256(
                abi.encode(WITNESS_TYPEHASH, requestId, destinationChainId, destinationUser, address(this))
            );
    }

    /// @notice EIP-712 struct hash of the `OrderDepositWitness`, which an owner signs to pay for an order.
    /// @param orderId The paid order; it covers every term of the order.
    /// @return The hash; this contract is the `receiver` in it.
    function witnessOfOrder(bytes32 orderId) internal view returns (bytes32) {
        return keccak256(abi.encode(ORDER_WITNESS_TYPEHASH, orderId, address(this)));
    }

    /// @notice Ensures that this contract may spend `amount` of the caller's tokens, by permit if needed.
    /// @dev An attacker can submit a permit from the mempool to the token first. That only sets the allowance, and only
    /// its owner can call for it to be spent.
    /// @param token The token.
    /// @param amount The required allowance.
    /// @param permit The caller's permit.
    function usePermit(address token, uint256 amount, ISignedPulls.Permit calldata permit) internal {
        bytes memory data = abi.encodeCall(
            IERC2612.permit,
            (msg.sender, address(this), permit.value, permit.deadline, permit.v, permit.r, permit.s)
        );
        if (BoundedCall.tryCall(token, 0, data)) return;

        bytes memory reason = BoundedCall.revertReason();
        uint256 allowance = TokenReads.allowance(token, msg.sender, address(this));
        if (allowance < amount) revert ISignedPulls.PermitRefused(token, allowance, amount, reason);
    }

    /// @notice Pulls `amount` from the owner of a Permit2 transfer to this contract.
    /// @param token The token.
    /// @param amount The amount that the owner signed.
    /// @param witness The witness that the owner signed.
    /// @param witnessTypeString EIP-712 types of the witness, in the form Permit2 takes.
    /// @param permit The owner's signed transfer.
    function pullWithPermit2(
        address token,
        uint256 amount,
        bytes32 witness,
        string memory witnessTypeString,
        ISignedPulls.Permit2Transfer calldata permit
    ) internal {
        _requireOwner(permit.owner);
        bytes memory data = abi.encodeCall(
            ISignatureTransfer.permitWitnessTransferFrom,
            (
                ISignatureTransfer.PermitTransferFrom({
                    permitted: ISignatureTransfer.TokenPermissions({token: token, amount: amount}),
                    nonce: permit.nonce,
                    deadline: permit.deadline
                }),
                ISignatureTransfer.SignatureTransferDetails({to: address(this), requestedAmount: amount}),
                permit.owner,
                witness,
                witnessTypeString,
                permit.signature
            )
        );
        if (!BoundedCall.tryCall(PERMIT2, 0, data)) {
            revert ISignedPulls.Permit2TransferRefused(permit.owner, BoundedCall.revertReason());
        }
    }

    /// @notice Pulls `amount` from the owner of an authorization to this contract.
    /// @dev `transferWithAuthorization` would save a transfer, but an attacker could submit it to the token directly:
    /// the solver would be paid, the nonce used and the request unpaid. Only this contract can use
    /// `receiveWithAuthorization`.
    /// @param token The token.
    /// @param amount The amount that the owner signed.
    /// @param witness The authorization's nonce.
    /// @param authorization The owner's.
    function pullWithAuthorization(
        address token,
        uint256 amount,
        bytes32 witness,
        ISignedPulls.Authorization calldata authorization
    ) internal {
        _requireOwner(authorization.owner);
        bytes memory data = abi.encodeCall(
            IERC3009.receiveWithAuthorization,
            (
                authorization.owner,
                address(this),
                amount,
                authorization.validAfter,
                authorization.validBefore,
                witness,
                authorization.v,
                authorization.r,
                authorization.s
            )
        );
        if (!BoundedCall.tryCall(token, 0, data)) {
            revert ISignedPulls.AuthorizationRefused(token, authorization.owner, BoundedCall.revertReason());
        }
    }

    /// @dev A token that does not check for failed recovery accepts any signature for the zero address. A stored
    /// depositor of zero also marks a request as unpaid.
    function _requireOwner(address owner) private pure {
        if (owner == address(0)) revert IRecordReceiver.AddressIsZero();
    }
}
