// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordReceiver} from "../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {PinnedReceiver} from "../../../contracts/receiver/PinnedReceiver.sol";
import {ReceiverFixture} from "../support/ReceiverFixture.sol";

/// @title PinnedReceiverAcceptsTest
/// @notice What happens to a payment the solver signed for, native and in tokens, with both bindings.
contract PinnedReceiverAcceptsTest is ReceiverFixture {
    function setUp() public {
        _deployReceivers();
    }

    function testFuzz_SignedPaymentReachesThePayeeExactly(Draw memory draw) public {
        Payment memory payment = _validPayment(draw);
        Balances memory before = _balancesOf(payment);

        _pay(payment);

        Balances memory afterwards = _balancesOf(payment);
        _assertEq(before.caller - afterwards.caller, payment.amount);
        _assertEq(afterwards.payee - before.payee, payment.amount);
        _assertEq(afterwards.receiver, 0);
    }

    function testFuzz_SignedPaymentConsumesItsIdAtItsReceiverOnly(Draw memory draw) public {
        Payment memory payment = _validPayment(draw);
        _assertEq(payment.receiver.isConsumed(payment.requestId), false);

        _pay(payment);

        _assertEq(_byCaller.isConsumed(payment.requestId), draw.bindsCaller);
        _assertEq(_byReceiver.isConsumed(payment.requestId), !draw.bindsCaller);
    }

    function testFuzz_OtherIdsStayUnconsumed(Draw memory draw, bytes32 otherId) public {
        VM.assume(otherId != draw.requestId);
        Payment memory payment = _validPayment(draw);
        _pay(payment);
        _assertEq(payment.receiver.isConsumed(otherId), false);
    }

    function testFuzz_AnybodyMayPayForARequestBoundToTheReceiver(
        Draw memory draw,
        bytes32 callerSeed
    ) public {
        draw.bindsCaller = false;
        Payment memory payment = _validPayment(draw);
        payment.caller = address(bytes20(keccak256(abi.encode(callerSeed))));
        _fund(payment);
        Balances memory before = _balancesOf(payment);

        _pay(payment);

        Balances memory afterwards = _balancesOf(payment);
        _assertEq(before.caller - afterwards.caller, payment.amount);
        _assertEq(afterwards.payee - before.payee, payment.amount);
    }

    function testFuzz_AllowanceIsSpentByTheAmountAndNoMore(Draw memory draw) public {
        draw.isNative = false;
        Payment memory payment = _validPayment(draw);
        _pay(payment);
        // The fixture approves one unit more than the payment takes.
        _assertEq(_token.allowance(payment.caller, address(payment.receiver)), 1);
    }

    function testFuzz_PaymentsDoNotDisturbEachOther(Draw memory first, Draw memory second) public {
        VM.assume(first.requestId != second.requestId);
        Payment memory one = _validPayment(first);
        _pay(one);
        Payment memory other = _validPayment(second);
        Balances memory before = _balancesOf(other);

        _pay(other);

        _assertEq(_balancesOf(other).payee - before.payee, other.amount);
        _assertEq(one.receiver.isConsumed(one.requestId), true);
        _assertEq(other.receiver.isConsumed(other.requestId), true);
    }

    function testFuzz_ConstructorFixesWhatItIsGiven(address solver, address payee, bool bindsCaller) public {
        VM.assume(solver != address(0) && payee != address(0));
        IRecordReceiver.Binding binding =
            bindsCaller ? IRecordReceiver.Binding.Caller : IRecordReceiver.Binding.Receiver;
        PinnedReceiver receiver = new PinnedReceiver(solver, payee, binding, REFUND_PAYEE);
        _assertEq(receiver.solver(), solver);
        _assertEq(receiver.nativePayee(), payee);
        _assertEq(receiver.refundPayee(), REFUND_PAYEE);
        _assertEq(uint256(receiver.binding()), uint256(binding));
    }

    function testFuzz_RevertWhen_ConstructedWithAZeroAddress(address other, bool solverIsZero) public {
        VM.expectRevert(abi.encodePacked(IRecordReceiver.AddressIsZero.selector));
        new PinnedReceiver(
            solverIsZero ? address(0) : other,
            solverIsZero ? other : address(0),
            IRecordReceiver.Binding.Receiver,
            REFUND_PAYEE
        );
    }
}
