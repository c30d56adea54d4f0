// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {ManagedFixture} from "./ManagedFixture.sol";

/// @title ManagedAcceptsTest
/// @notice Payments as signed are accepted once, whatever they are, and every unit ends where it should.
contract ManagedAcceptsTest is ManagedFixture {
    function setUp() public {
        _deployManaged();
    }

    function testFuzz_APaymentAsSignedReachesThePayeeOrTheSolver(Draw memory draw) public {
        Deposit memory deposit = _validDeposit(draw);
        uint256 tokensBefore = _token.balanceOf(DEPOSITOR);
        uint256 nativeBefore = DEPOSITOR.balance;

        _assertAccepted(deposit);

        uint256 native = draw.isNative ? deposit.amount : 0;
        uint256 tokens = draw.isNative ? 0 : deposit.amount;
        _assertEq(PAYEE.balance, native);
        _assertEq(nativeBefore - DEPOSITOR.balance, native);
        _assertEq(_token.balanceOf(SOLVER), tokens);
        _assertEq(tokensBefore - _token.balanceOf(DEPOSITOR), tokens);
        _assertEq(address(deposit.receiver).balance, 0);
        _assertEq(_token.balanceOf(address(deposit.receiver)), 0);
    }

    function testFuzz_AnAcceptedRequestIsConsumedAndItsDepositorKnown(Draw memory draw) public {
        Deposit memory deposit = _validDeposit(draw);
        _assertEq(deposit.receiver.isConsumed(draw.requestId), false);
        _assertAccepted(deposit);
        _assertEq(deposit.receiver.isConsumed(draw.requestId), true);
        _assertEq(deposit.receiver.depositorOf(draw.requestId), DEPOSITOR);
    }

    function testFuzz_RevertGiven_TheRequestWasPaid(Draw memory draw) public {
        Deposit memory deposit = _validDeposit(draw);
        _assertAccepted(deposit);
        _assertRefused(
            deposit,
            abi.encodeWithSelector(IRecordReceiver.RequestAlreadyConsumed.selector, draw.requestId)
        );
    }

    function testFuzz_RevertGiven_TheRequestWasPaidInTheOtherForms(Draw memory draw) public {
        _assertAccepted(_validDeposit(draw));
        draw.isNative = !draw.isNative;
        bytes memory reason = abi.encodeWithSelector(
            IRecordReceiver.RequestAlreadyConsumed.selector,
            draw.requestId
        );
        _assertRefused(_validDeposit(draw), reason);
        draw.isV2 = !draw.isV2;
        _assertRefused(_validDeposit(draw), reason);
    }

    function testFuzz_BoundToItselfItTakesThePaymentFromAnybody(Draw memory draw) public {
        draw.bindsCaller = false;
        Deposit memory deposit = _validDeposit(draw);
        deposit.caller = STRANGER;
        _fund(deposit);
        _assertAccepted(deposit);
        _assertEq(deposit.receiver.depositorOf(draw.requestId), STRANGER);
    }

    function testFuzz_ForcedEtherIsNotTakenForThePayment(Draw memory draw, uint256 forced) public {
        Deposit memory deposit = _validDeposit(draw);
        forced = _bound(forced, 1, MAXIMUM);
        VM.deal(address(deposit.receiver), forced);
        _assertAccepted(deposit);
        _assertEq(address(deposit.receiver).balance, forced);
        _assertEq(deposit.receiver.uncredited(address(0)), forced);
    }

    function test_BindingIsTheOneChosen() public view {
        _assertEq(uint256(_byReceiver.binding()), uint256(IRecordReceiver.Binding.Receiver));
        _assertEq(uint256(_byCaller.binding()), uint256(IRecordReceiver.Binding.Caller));
    }
}
