// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordReceiver} from "../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {PinnedReceiver} from "../../../contracts/receiver/PinnedReceiver.sol";
import {Order} from "../../../contracts/records/Order.sol";
import {RecordVerifier} from "../../../contracts/records/RecordVerifier.sol";
import {SignatureRecord} from "../../../contracts/records/SignatureRecord.sol";
import {Call3Value} from "../../../contracts/service/interfaces/RouterCalls.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {OrderCalls} from "../../../contracts/testing/OrderCalls.sol";
import {WaybillTest} from "../../../contracts/testing/WaybillTest.sol";
import {Test} from "../support/Test.sol";

/// @title SolverQuotesTest
/// @notice A receiver accepts quoted records, and quoted orders have the published form.
contract SolverQuotesTest is Test, WaybillTest {
    address private constant RECIPIENT = address(0xA11CE);

    PinnedReceiver private _receiver;

    function setUp() public {
        address solver = _solver();
        _receiver = new PinnedReceiver(solver, solver, IRecordReceiver.Binding.Receiver, solver);
    }

    function testFuzz_ReceiverAcceptsAQuotedNativePayment(uint96 seed, uint64 chainId) public {
        uint256 amount = _bound(seed, 1, type(uint96).max);
        VM.deal(address(this), amount);
        (SignatureRecord.Record memory record, bytes memory signature) = _quoteRecord(
            address(_receiver),
            address(0),
            amount,
            chainId,
            RECIPIENT
        );
        _receiver.deposit{value: amount}(record.requestId, chainId, record.destinationUser, signature);
        _assertEq(_solver().balance, amount);
    }

    function testFuzz_ReceiverAcceptsAQuotedTokenPayment(uint256 seed) public {
        uint256 amount = _bound(seed, 1, type(uint256).max);
        LocalToken token = _deployToken("USDC", 6);
        token.mint(address(this), amount);
        token.approve(address(_receiver), amount);
        (SignatureRecord.Record memory record, bytes memory signature) = _quoteRecord(
            address(_receiver),
            address(token),
            amount,
            10,
            RECIPIENT
        );
        _receiver.depositErc20(
            address(token),
            amount,
            record.requestId,
            10,
            record.destinationUser,
            signature
        );
        _assertEq(token.balanceOf(_solver()), amount);
    }

    function test_TwoQuotesOfOnePaymentHaveDifferentIds() public {
        (SignatureRecord.Record memory one, ) = _quoteRecord(address(this), address(0), 1, 10, RECIPIENT);
        (SignatureRecord.Record memory other, ) = _quoteRecord(address(this), address(0), 1, 10, RECIPIENT);
        _assertNotEq(one.requestId, other.requestId);
        (, bytes32 orderId, ) = _quoteOrder(_request());
        (, bytes32 otherId, ) = _quoteOrder(_request());
        _assertNotEq(orderId, otherId);
    }

    function test_QuotesInOneFunctionNameTheChainAndTheTimeOfTheirMoment() public {
        (SignatureRecord.Record memory record, ) = _quoteRecord(address(this), address(0), 1, 10, RECIPIENT);
        _assertEq(record.originChainId, block.chainid);
        _enter(_localChain(8453));
        (record, ) = _quoteRecord(address(this), address(0), 1, 10, RECIPIENT);
        _assertEq(record.originChainId, 8453);

        VM.warp(1_900_000_000);
        (Order.Data memory order, , ) = _quoteOrder(_request());
        _assertEq(order.output.deadline, 1_900_000_000 + ORDER_LIFETIME);
        VM.warp(2_000_000_000);
        (order, , ) = _quoteOrder(_request());
        _assertEq(order.output.deadline, 2_000_000_000 + ORDER_LIFETIME);
    }

    function test_QuotedOrderIsSignedByItsSolver() public {
        RecordVerifier verifier = new RecordVerifier();
        (Order.Data memory order, bytes32 orderId, bytes memory signature) = _quoteOrder(_request());
        (bytes32 id, ) = verifier.hashOrder(order);
        _assertEq(id, orderId);
        _assertEq(order.solver, _solver());
        _assertEq(verifier.recoverOrderSigner(order, signature), order.solver);
    }

    function test_QuotedOrderHasOneInputOnePaymentAndARefundOnEachChain() public {
        (Order.Data memory order, , ) = _quoteOrder(_request());
        _assertEq(order.inputs.length, 1);
        Order.InputPayment memory payment = order.inputs[0].payment;
        _assertEq(bytes(payment.chainId), "base");
        _assertEq(payment.currency, abi.encodePacked(address(1)));
        _assertEq(payment.amount, 100);
        _assertEq(payment.weight, 1);

        Order.InputRefund[] memory refunds = order.inputs[0].refunds;
        _assertEq(refunds.length, 2);
        _assertEq(bytes(refunds[0].chainId), "base");
        _assertEq(refunds[0].currency, abi.encodePacked(address(1)));
        _assertEq(bytes(refunds[1].chainId), "optimism");
        _assertEq(refunds[1].currency, abi.encodePacked(address(2)));
        for (uint256 i; i < refunds.length; ++i) {
            _assertEq(refunds[i].recipient, abi.encodePacked(address(3)));
            _assertEq(refunds[i].deadline, order.output.deadline);
        }

        _assertEq(bytes(order.output.chainId), "optimism");
        _assertEq(order.output.payments.length, 1);
        _assertEq(order.output.payments[0].recipient, abi.encodePacked(RECIPIENT));
        _assertEq(order.output.payments[0].currency, abi.encodePacked(address(2)));
        _assertEq(order.output.payments[0].minimumAmount, 95);
        _assertEq(order.output.calls.length, 0);
        _assertEq(order.fees.length, 0);
    }

    function test_QuotedOrderWithCallsPaysTheRouter() public {
        OrderRequest memory request = _request();
        request.router = address(4);
        request.calls = new Call3Value[](1);
        request.calls[0] = Call3Value(address(5), false, 6, hex"07");
        (Order.Data memory order, , ) = _quoteOrder(request);
        _assertEq(order.output.payments[0].recipient, abi.encodePacked(address(4)));
        _assertEq(order.output.extraData, abi.encode(address(4)));
        _assertEq(order.output.calls.length, 1);
    }

    function testFuzz_OrderCallIsThreeStructsOfOneMember(
        address to,
        uint256 value,
        bytes memory data
    ) public pure {
        Call3Value[] memory calls = new Call3Value[](1);
        calls[0] = Call3Value(to, false, value, data);
        bytes[] memory encoded = OrderCalls.encode(calls);
        // Three words of the structs, of which the middle one is an offset; then the member with its own offset.
        bytes memory head = abi.encode(to, 0x60, value);
        _assertEq(encoded[0], bytes.concat(head, abi.encode(data)));
    }

    function testFuzz_DecodedOrderCallIsTheEncodedOne(
        address to,
        uint256 value,
        bytes memory data
    ) public pure {
        Call3Value[] memory calls = new Call3Value[](2);
        calls[1] = Call3Value(to, false, value, data);
        Call3Value[] memory decoded = OrderCalls.decode(OrderCalls.encode(calls));
        _assertEq(decoded.length, 2);
        _assertEq(abi.encode(decoded[1]), abi.encode(calls[1]));
    }

    function _request() private pure returns (OrderRequest memory request) {
        request.originChain = "base";
        request.originCurrency = address(1);
        request.originAmount = 100;
        request.destinationChain = "optimism";
        request.destinationCurrency = address(2);
        request.minimumAmount = 95;
        request.recipient = RECIPIENT;
        request.refundTo = address(3);
    }
}
