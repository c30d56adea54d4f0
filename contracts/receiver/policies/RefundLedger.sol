// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IRecordReceiver} from "../../interfaces/receiver/IRecordReceiver.sol";
import {IRefundLedger} from "../../interfaces/receiver/policies/IRefundLedger.sol";
import {IRefundReceiver} from "../../interfaces/receiver/IRefundReceiver.sol";
import {MeasuredTransfer} from "../../libraries/MeasuredTransfer.sol";
import {TransferWithId} from "../../libraries/TransferWithId.sol";
import {TokenReads} from "../../libraries/TokenReads.sol";
import {RefundReceiver} from "../RefundReceiver.sol";
import {TwoStepOwner} from "./TwoStepOwner.sol";

/// @title RefundLedger
/// @notice Credits refunds to the depositor of the request.
abstract contract RefundLedger is IRefundLedger, TwoStepOwner, RefundReceiver {
    address private constant NATIVE = address(0);

    mapping(bytes32 requestId => mapping(address currency => uint256 amount)) private _credits;

    /// @inheritdoc IRefundLedger
    mapping(address currency => uint256 amount) public override creditedTotal;

    /// @inheritdoc IRefundLedger
    address public override attributor;

    /// @notice Accepts native money without calldata, uncredited, so that a refund without an id does not revert.
    receive() external payable {
        emit UnattributedNativeReceived(msg.sender, msg.value);
    }

    /// @notice Accepts a native refund, whose whole calldata is the requestId, and credits it.
    fallback() external payable {
        _credit(_refundedId(), NATIVE, msg.value);
    }

    /// @inheritdoc IRefundLedger
    function withdrawRefund(
        bytes32 requestId,
        address currency,
        address recipient,
        uint256 amount
    ) external override nonReentrant {
        address depositor = depositorOf(requestId);
        if (msg.sender != depositor) revert CallerNotDepositor(msg.sender, depositor);
        if (amount == 0) revert IRecordReceiver.AmountIsZero();
        uint256 credit = _credits[requestId][currency];
        if (amount > credit) revert ExceedsCredit(requestId, currency, amount, credit);

        _credits[requestId][currency] = credit - amount;
        creditedTotal[currency] -= amount;
        emit RefundWithdrawn(requestId, recipient, currency, amount);
        _payOut(currency, recipient, amount);
    }

    /// @inheritdoc IRefundReceiver
    /// @dev Credits the arrived amount, at most `amount`. Reverts with `RequestNotConsumed`, `AmountIsZero` if nothing arrived,
    /// `TokenHasNoCode`, `TokenReadFailed`, `TokenTransferFailed` or `Reentrancy`.
    function refundErc20(bytes32 requestId, address token, uint256 amount) external override nonReentrant {
        uint256 balanceBefore = TokenReads.balanceOf(token, address(this));
        TransferWithId.transferFromWithId(token, address(this), amount, requestId);
        uint256 arrived = MeasuredTransfer.arrivedSince(token, address(this), balanceBefore);
        // A token's hook can bring in another request's money meanwhile: what exceeds `amount` stays uncredited.
        _credit(requestId, token, arrived < amount ? arrived : amount);
    }

    /// @inheritdoc IRefundLedger
    function creditRefund(
        bytes32 requestId,
        address currency,
        uint256 amount
    ) external override nonReentrant {
        if (msg.sender != attributor && msg.sender != owner()) {
            revert CallerNotAttributor(msg.sender, attributor);
        }
        _checkUncredited(currency, amount);
        _credit(requestId, currency, amount);
    }

    /// @inheritdoc IRefundLedger
    function rescue(
        address currency,
        address recipient,
        uint256 amount
    ) external override onlyOwner nonReentrant {
        _checkUncredited(currency, amount);
        emit Rescued(currency, recipient, amount);
        _payOut(currency, recipient, amount);
    }

    /// @inheritdoc IRefundLedger
    function setAttributor(address attributor_) external override onlyOwner {
        attributor = attributor_;
        emit AttributorChanged(attributor_);
    }

    /// @inheritdoc IRefundLedger
    function creditOf(bytes32 requestId, address currency) external view override returns (uint256) {
        return _credits[requestId][currency];
    }

    /// @inheritdoc IRefundLedger
    function uncredited(address currency) public view override returns (uint256) {
        (uint256 balance, uint256 credited) = (_balanceOf(currency), creditedTotal[currency]);
        return balance > credited ? balance - credited : 0;
    }

    /// @dev Pays with the caller's tokens, never with credited ones: a token may charge the account that moves it.
    /// Measures only if the token has credits, to save gas in all other deposits.
    function _payErc20(address token, address payee, uint256 amount, bytes32 requestId) internal override {
        // Zero if the payment cannot reduce credited tokens: none are credited, or none are held.
        uint256 held = creditedTotal[token] == 0 ? 0 : TokenReads.balanceOf(token, address(this));
        MeasuredTransfer.transferFromWithId(token, payee, amount, requestId);
        if (held != 0) _checkCovered(token, held);
    }

    function _credit(bytes32 requestId, address currency, uint256 amount) private {
        address depositor = _refundedDepositor(requestId, amount);
        _credits[requestId][currency] += amount;
        creditedTotal[currency] += amount;
        emit RefundCredited(requestId, depositor, currency, amount);
    }

    function _payOut(address currency, address recipient, uint256 amount) private {
        // Paying this contract would make the money uncredited: the owner could take it, and the depositor would lose
        // it.
        if (recipient == address(0) || recipient == address(this)) revert RecipientCannotHold(recipient);
        if (currency == NATIVE) {
            TransferWithId.payNative(recipient, amount);
            return;
        }
        (uint256 tokens, uint256 native) = (_balanceOf(currency), address(this).balance);
        TransferWithId.transfer(currency, recipient, amount);
        // Credited tokens may shrink by exactly `amount`: a token may charge its sender on top.
        _checkCovered(currency, tokens > amount ? tokens - amount : 0);
        // Native money must not leave with a token that is also the chain's currency.
        _checkCovered(NATIVE, native);
    }

    /// @dev A balance below the credits passes only if the shortfall existed before. So a token that shrinks by itself
    /// still pays the first depositors to withdraw.
    function _checkCovered(address currency, uint256 expected) private view {
        (uint256 balance, uint256 credited) = (_balanceOf(currency), creditedTotal[currency]);
        if (balance < expected && balance < credited) {
            revert CreditsNotCovered(currency, balance, credited);
        }
    }

    function _checkUncredited(address currency, uint256 amount) private view {
        uint256 available = uncredited(currency);
        if (amount > available) revert ExceedsUncredited(currency, amount, available);
    }

    function _balanceOf(address currency) private view returns (uint256) {
        return currency == NATIVE ? address(this).balance : TokenReads.balanceOf(currency, address(this));
    }
}
