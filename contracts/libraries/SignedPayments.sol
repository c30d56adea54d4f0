// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ISignedPulls} from "../interfaces/receiver/ISignedPulls.sol";
import {MeasuredTransfer} from "./MeasuredTransfer.sol";
import {SignedPulls} from "./SignedPulls.sol";
import {TransferWithId} from "./TransferWithId.sol";
import {TokenReads} from "./TokenReads.sol";

/// @title Payments by signature that pass through this contract
/// @notice Neither Permit2 nor ERC-3009 can append a request id to the token's calldata. So this contract pulls the
/// tokens and forwards them with the id.
/// @dev Both the pull and the transfer are measured. Otherwise a token with a fallback function would accept an
/// unsupported call, and stray tokens of this contract would pay the request. The balance here must end where it began,
/// because a token may charge its sender on top of the amount. Both functions revert with `ArrivedAmountMismatch`,
/// `TokenBalanceChanged`, or an error of `ISignedPulls`, `TransferWithId` or `TokenReads`; callers must guard against
/// reentrancy.
library SignedPayments {
    /// @notice Pays by a Permit2 transfer.
    /// @param token The token.
    /// @param payee Final recipient.
    /// @param amount The amount that the owner signed.
    /// @param requestId The request of the payment.
    /// @param witness The witness that the owner signed.
    /// @param permit The owner's signed transfer.
    function payWithPermit2(
        address token,
        address payee,
        uint256 amount,
        bytes32 requestId,
        bytes32 witness,
        ISignedPulls.Permit2Transfer calldata permit
    ) internal {
        (uint256 payeeBefore, uint256 ownBefore) = _balances(token, payee);
        SignedPulls.pullWithPermit2(token, amount, witness, SignedPulls.WITNESS_TYPE_STRING, permit);
        _passOn(token, payee, amount, requestId, payeeBefore, ownBefore);
    }

    /// @notice Pays by an ERC-3009 authorization.
    /// @param token The token.
    /// @param payee Final recipient.
    /// @param amount The amount that the owner signed.
    /// @param requestId The request the payment is for.
    /// @param witness The authorization's nonce.
    /// @param authorization The owner's.
    function payWithAuthorization(
        address token,
        address payee,
        uint256 amount,
        bytes32 requestId,
        bytes32 witness,
        ISignedPulls.Authorization calldata authorization
    ) internal {
        (uint256 payeeBefore, uint256 ownBefore) = _balances(token, payee);
        SignedPulls.pullWithAuthorization(token, amount, witness, authorization);
        _passOn(token, payee, amount, requestId, payeeBefore, ownBefore);
    }

    function _passOn(
        address token,
        address payee,
        uint256 amount,
        bytes32 requestId,
        uint256 payeeBefore,
        uint256 ownBefore
    ) private {
        MeasuredTransfer.requireArrival(token, address(this), ownBefore, amount);
        TransferWithId.transferWithId(token, payee, amount, requestId);
        MeasuredTransfer.requireArrival(token, payee, payeeBefore, amount);
        MeasuredTransfer.requireUnchanged(token, ownBefore);
    }

    function _balances(address token, address payee) private view returns (uint256 ofPayee, uint256 ofThis) {
        ofPayee = TokenReads.balanceOf(token, payee);
        ofThis = TokenReads.balanceOf(token, address(this));
    }
}
