// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Order} from "../records/Order.sol";
import {SignatureRecord} from "../records/SignatureRecord.sol";
import {Call3Value} from "../service/interfaces/RouterCalls.sol";
import {OrderCalls} from "./OrderCalls.sol";
import {OrderHash} from "./OrderHash.sol";
import {SolverSigning} from "./SolverSigning.sol";

/// @title SolverQuotes
/// @notice Quotes payments as the service does: a fresh id, what the solver promises, and its signature.
abstract contract SolverQuotes is SolverSigning {
    /// @notice A payment to quote as an order.
    /// @param originChain The protocol's name of the origin.
    /// @param originCurrency The currency of the payment; zero is native.
    /// @param originAmount Amount of the payment.
    /// @param destinationChain The protocol's name of the destination.
    /// @param destinationCurrency The currency of the fill; zero is native.
    /// @param minimumAmount Minimum of the fill.
    /// @param recipient Recipient of the fill; with calls, of the native currency that they leave.
    /// @param refundTo Recipient of a refund.
    /// @param router The router on the destination, which makes the calls.
    /// @param calls Calls on the destination; they spend the fill, which the router receives.
    struct OrderRequest {
        string originChain;
        address originCurrency;
        uint256 originAmount;
        string destinationChain;
        address destinationCurrency;
        uint256 minimumAmount;
        address recipient;
        address refundTo;
        address router;
        Call3Value[] calls;
    }

    /// @notice How long a quoted order can be filled.
    uint256 internal constant ORDER_LIFETIME = 7 days;

    uint256 private _quoted;

    /// @notice The chain id and the time of this moment.
    /// @dev A call, because the optimizer may read `block.chainid` and `block.timestamp` once for a whole function, although a
    /// cheatcode changes them in between.
    function currentChain() external view returns (uint256 chainId, uint256 timestamp) {
        return (block.chainid, block.timestamp);
    }

    /// @notice Quotes a payment on the selected chain, with the solver's record.
    /// @param user The payer that the record names: with `Binding.Receiver` the receiver, with `Binding.Caller` its caller.
    /// @param currency The currency of the payment; zero is native.
    /// @param amount Amount of the payment.
    /// @param destinationChainId The destination.
    /// @param recipient Recipient of the fill.
    /// @return record A record with a fresh request id.
    /// @return signature The solver's signature.
    function _quoteRecord(
        address user,
        address currency,
        uint256 amount,
        uint256 destinationChainId,
        address recipient
    ) internal returns (SignatureRecord.Record memory record, bytes memory signature) {
        record.requestId = _freshId();
        (record.originChainId, ) = this.currentChain();
        record.originUser = SignatureRecord.word(user);
        record.originCurrency = SignatureRecord.word(currency);
        record.originAmount = amount;
        record.destinationChainId = destinationChainId;
        record.destinationUser = SignatureRecord.word(recipient);
        signature = _signRecord(record);
    }

    /// @notice Quotes a payment with the solver's order, in the form of the published ones: one input, one payment, a refund on
    /// each chain, no fees.
    /// @param request The payment.
    /// @return order The order.
    /// @return orderId Its id.
    /// @return signature The solver's signature of the id.
    function _quoteOrder(
        OrderRequest memory request
    ) internal returns (Order.Data memory order, bytes32 orderId, bytes memory signature) {
        (, uint256 timestamp) = this.currentChain();
        uint32 deadline = uint32(timestamp + ORDER_LIFETIME);
        order.version = "v1";
        order.solverChainId = "base";
        order.solver = _solver();
        order.salt = uint256(_freshId());
        order.inputs = new Order.Input[](1);
        order.inputs[0] = _input(request, deadline);
        order.output = _output(request, deadline);
        orderId = OrderHash.hash(order);
        signature = _signOrderId(SOLVER_KEY, orderId);
    }

    function _input(
        OrderRequest memory request,
        uint32 deadline
    ) private pure returns (Order.Input memory input) {
        bytes memory currency = abi.encodePacked(request.originCurrency);
        input.payment = Order.InputPayment(request.originChain, currency, request.originAmount, 1);
        input.refunds = new Order.InputRefund[](2);
        input.refunds[0] = _refund(request, request.originChain, currency, deadline);
        currency = abi.encodePacked(request.destinationCurrency);
        input.refunds[1] = _refund(request, request.destinationChain, currency, deadline);
    }

    function _refund(
        OrderRequest memory request,
        string memory chain,
        bytes memory currency,
        uint32 deadline
    ) private pure returns (Order.InputRefund memory) {
        return
            Order.InputRefund({
                chainId: chain,
                recipient: abi.encodePacked(request.refundTo),
                currency: currency,
                minimumAmount: 0,
                deadline: deadline,
                extraData: abi.encode(request.router)
            });
    }

    function _output(
        OrderRequest memory request,
        uint32 deadline
    ) private pure returns (Order.Output memory output) {
        address paid = request.calls.length == 0 ? request.recipient : request.router;
        output.chainId = request.destinationChain;
        output.payments = new Order.OutputPayment[](1);
        output.payments[0] = Order.OutputPayment({
            recipient: abi.encodePacked(paid),
            currency: abi.encodePacked(request.destinationCurrency),
            minimumAmount: request.minimumAmount,
            expectedAmount: request.minimumAmount
        });
        output.deadline = deadline;
        output.calls = OrderCalls.encode(request.calls);
        output.extraData = abi.encode(request.router);
    }

    function _freshId() private returns (bytes32) {
        return keccak256(abi.encode(address(this), ++_quoted));
    }
}
