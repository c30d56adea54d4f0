// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Order} from "../../../contracts/records/Order.sol";
import {OrderTerms} from "../../../contracts/records/OrderTerms.sol";
import {OrderMaking} from "../support/OrderMaking.sol";

/// @title TermsReference
/// @notice The terms written for clarity: in memory, compared as contents instead of hashes, hashed by `OrderMaking`.
/// `_reason` is the revert data that the library must give, empty if it must accept.
abstract contract TermsReference is OrderMaking {
    /// @dev Contents of the hashes of `OrderTerms.Terms`. Empty names and addresses stand for a hash of zero.
    struct Wanted {
        OrderTerms.Terms terms;
        string originChain;
        string destinationChain;
        bytes recipient;
        bytes outputCurrency;
        bool anyCurrency;
        bytes[] calls;
    }

    function _reason(
        Order.Data memory order,
        bytes memory signature,
        Wanted memory wanted
    ) internal view returns (bytes memory reason) {
        if (!_same(order.version, "v1")) {
            return abi.encodeWithSelector(OrderTerms.VersionDiffers.selector, order.version, "v1");
        }
        if (order.solver != wanted.terms.solver) {
            return
                abi.encodeWithSelector(OrderTerms.SolverDiffers.selector, order.solver, wanted.terms.solver);
        }
        reason = _inputReason(order, wanted);
        if (reason.length == 0) reason = _outputReason(order.output, wanted);
        if (reason.length == 0) reason = _feesReason(order.fees, wanted);
        if (reason.length == 0) reason = _signatureReason(order, signature, wanted.terms.solver);
    }

    function _inputReason(Order.Data memory order, Wanted memory wanted) private pure returns (bytes memory) {
        if (order.inputs.length != 1) {
            return abi.encodeWithSelector(OrderTerms.InputCountDiffers.selector, order.inputs.length, 1);
        }
        OrderTerms.Terms memory terms = wanted.terms;
        Order.InputPayment memory paid = order.inputs[0].payment;
        if (!_same(paid.chainId, wanted.originChain)) {
            return
                abi.encodeWithSelector(
                    OrderTerms.InputChainDiffers.selector,
                    paid.chainId,
                    terms.originChain
                );
        }
        if (!_same(paid.currency, abi.encodePacked(terms.currency))) {
            return
                abi.encodeWithSelector(
                    OrderTerms.InputCurrencyDiffers.selector,
                    paid.currency,
                    terms.currency
                );
        }
        if (paid.amount != terms.amount) {
            return abi.encodeWithSelector(OrderTerms.InputAmountDiffers.selector, paid.amount, terms.amount);
        }
        if (paid.weight != 1) {
            return abi.encodeWithSelector(OrderTerms.InputWeightDiffers.selector, paid.weight, 1);
        }
        return _refundsReason(order, wanted);
    }

    function _refundsReason(
        Order.Data memory order,
        Wanted memory wanted
    ) private pure returns (bytes memory reason) {
        if (wanted.terms.refundTo == address(0)) {
            return abi.encodeWithSelector(OrderTerms.RefundToIsZero.selector);
        }
        Order.InputRefund[] memory refunds = order.inputs[0].refunds;
        uint256 onOrigin;
        for (uint256 i; i < refunds.length; ++i) {
            bool isOrigin = _same(refunds[i].chainId, wanted.originChain);
            if (isOrigin) ++onOrigin;
            reason = _refundReason(i, refunds[i], isOrigin, order.output.deadline, wanted);
            if (reason.length != 0) return reason;
        }
        if (onOrigin == 0) {
            return
                abi.encodeWithSelector(
                    OrderTerms.OriginRefundMissing.selector,
                    refunds.length,
                    wanted.terms.originChain
                );
        }
    }

    function _refundReason(
        uint256 index,
        Order.InputRefund memory refund,
        bool isOrigin,
        uint256 fillDeadline,
        Wanted memory wanted
    ) private pure returns (bytes memory) {
        OrderTerms.Terms memory terms = wanted.terms;
        if (isOrigin && !_same(refund.currency, abi.encodePacked(terms.currency))) {
            return
                abi.encodeWithSelector(
                    OrderTerms.RefundCurrencyDiffers.selector,
                    index,
                    refund.currency,
                    terms.currency
                );
        }
        if (isOrigin && refund.deadline < fillDeadline) {
            return
                abi.encodeWithSelector(
                    OrderTerms.RefundDeadlineTooEarly.selector,
                    index,
                    refund.deadline,
                    fillDeadline
                );
        }
        if (!isOrigin && !_same(refund.chainId, wanted.destinationChain)) {
            return
                abi.encodeWithSelector(
                    OrderTerms.RefundChainDiffers.selector,
                    index,
                    refund.chainId,
                    terms.originChain,
                    terms.destinationChain
                );
        }
        bool toRefundTo = _same(refund.recipient, abi.encodePacked(terms.refundTo));
        bool toReceiver = !isOrigin && terms.callsHash == 0 && _same(refund.recipient, wanted.recipient);
        if (!toRefundTo && !toReceiver) {
            return
                abi.encodeWithSelector(
                    OrderTerms.RefundRecipientDiffers.selector,
                    index,
                    refund.recipient,
                    terms.refundTo
                );
        }
        return "";
    }

    function _outputReason(
        Order.Output memory output,
        Wanted memory wanted
    ) private view returns (bytes memory reason) {
        OrderTerms.Terms memory terms = wanted.terms;
        if (!_same(output.chainId, wanted.destinationChain)) {
            return
                abi.encodeWithSelector(
                    OrderTerms.OutputChainDiffers.selector,
                    output.chainId,
                    terms.destinationChain
                );
        }
        reason = _paymentReason(output.payments, wanted);
        if (reason.length != 0) return reason;
        bool isEarly = output.deadline < terms.earliestDeadline || output.deadline < block.timestamp;
        if (isEarly || output.deadline > terms.latestDeadline) {
            uint256 earliest = terms.earliestDeadline;
            return
                abi.encodeWithSelector(
                    OrderTerms.DeadlineOutsideWindow.selector,
                    output.deadline,
                    earliest > block.timestamp ? earliest : block.timestamp,
                    terms.latestDeadline
                );
        }
        if (!_sameCalls(output.calls, wanted.calls)) {
            return
                abi.encodeWithSelector(
                    OrderTerms.CallsDiffer.selector,
                    _hashCalls(output.calls),
                    _hashCalls(wanted.calls)
                );
        }
    }

    function _paymentReason(
        Order.OutputPayment[] memory payments,
        Wanted memory wanted
    ) private pure returns (bytes memory) {
        OrderTerms.Terms memory terms = wanted.terms;
        if (payments.length != 1) {
            return abi.encodeWithSelector(OrderTerms.PaymentCountDiffers.selector, payments.length, 1);
        }
        Order.OutputPayment memory payment = payments[0];
        if (!_same(payment.recipient, wanted.recipient)) {
            return
                abi.encodeWithSelector(
                    OrderTerms.RecipientDiffers.selector,
                    payment.recipient,
                    terms.recipient
                );
        }
        if (_isZero(payment.recipient)) {
            return abi.encodeWithSelector(OrderTerms.RecipientIsZero.selector, payment.recipient);
        }
        if (!wanted.anyCurrency && !_same(payment.currency, wanted.outputCurrency)) {
            return
                abi.encodeWithSelector(
                    OrderTerms.OutputCurrencyDiffers.selector,
                    payment.currency,
                    terms.outputCurrency
                );
        }
        if (terms.minimumAmount == 0) return abi.encodeWithSelector(OrderTerms.MinimumIsZero.selector);
        if (payment.minimumAmount < terms.minimumAmount) {
            return
                abi.encodeWithSelector(
                    OrderTerms.MinimumTooLow.selector,
                    payment.minimumAmount,
                    terms.minimumAmount
                );
        }
        return "";
    }

    function _feesReason(
        Order.Fee[] memory fees,
        Wanted memory wanted
    ) private pure returns (bytes memory reason) {
        uint256 left = wanted.terms.maximumFees;
        for (uint256 i; i < fees.length; ++i) {
            bool isAsset = _same(fees[i].currency, abi.encodePacked(wanted.terms.currency));
            if (!isAsset || !_same(fees[i].currencyChainId, wanted.originChain)) {
                return
                    abi.encodeWithSelector(
                        OrderTerms.FeeCurrencyDiffers.selector,
                        i,
                        fees[i].currencyChainId,
                        fees[i].currency,
                        wanted.terms.currency
                    );
            }
            if (fees[i].amount > left) {
                return abi.encodeWithSelector(OrderTerms.FeesTooHigh.selector, i, fees[i].amount, left);
            }
            left -= fees[i].amount;
        }
    }

    function _signatureReason(
        Order.Data memory order,
        bytes memory signature,
        address solver
    ) private pure returns (bytes memory) {
        if (signature.length != 65 && signature.length != 64) {
            return abi.encodeWithSelector(OrderTerms.SignatureLengthDiffers.selector, signature.length, 65);
        }
        (bytes32 r, bytes32 s, uint8 v) = _split(signature);
        if (signature.length == 64) {
            v = uint256(s) >= 1 << 255 ? 28 : 27;
            s = bytes32(uint256(s) % (1 << 255));
        }
        if (uint256(s) > CURVE_ORDER / 2) {
            return abi.encodeWithSelector(OrderTerms.SignatureSAboveHalf.selector, s, CURVE_ORDER / 2);
        }
        address signer = ecrecover(_ethereumMessage(_plainHash(order)), v, r, s);
        if (signer != solver || signer == address(0)) {
            return abi.encodeWithSelector(OrderTerms.SignerDiffers.selector, signer, solver);
        }
        return "";
    }

    function _hashCalls(bytes[] memory calls) internal pure returns (bytes32) {
        bytes memory hashes;
        for (uint256 i; i < calls.length; ++i) hashes = abi.encodePacked(hashes, keccak256(calls[i]));
        return keccak256(hashes);
    }

    function _sameCalls(bytes[] memory one, bytes[] memory other) private pure returns (bool) {
        if (one.length != other.length) return false;
        for (uint256 i; i < one.length; ++i) if (!_same(one[i], other[i])) return false;
        return true;
    }

    function _same(string memory one, string memory other) private pure returns (bool) {
        return _same(bytes(one), bytes(other));
    }

    function _same(bytes memory one, bytes memory other) private pure returns (bool) {
        if (one.length != other.length) return false;
        for (uint256 i; i < one.length; ++i) if (one[i] != other[i]) return false;
        return true;
    }

    function _isZero(bytes memory content) private pure returns (bool) {
        for (uint256 i; i < content.length; ++i) if (content[i] != 0) return false;
        return true;
    }
}
