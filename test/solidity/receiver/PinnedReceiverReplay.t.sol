// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordReceiver} from "../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {ReceiverFixture} from "../support/ReceiverFixture.sol";

/// @title PinnedReceiverReplayTest
/// @notice A receiver accepts one payment for a request, from any payer, in any currency, with any signature.
contract PinnedReceiverReplayTest is ReceiverFixture {
    function setUp() public {
        _deployReceivers();
    }

    function testFuzz_RevertWhen_TheSamePaymentIsMadeAgain(Draw memory draw) public {
        Payment memory payment = _paid(draw);
        _fund(payment);
        _assertReplayRefused(payment);
    }

    function testFuzz_RevertWhen_AnotherCallerPaysAgain(Draw memory draw) public {
        Payment memory payment = _paid(draw);
        payment.caller = STRANGER;
        payment.signature = _sign(SOLVER_KEY, _recordOf(payment));
        _fund(payment);
        _assertReplayRefused(payment);
    }

    function testFuzz_RevertWhen_TheIdIsPaidAgainInTheOtherKindOfCurrency(Draw memory draw) public {
        Payment memory payment = _paid(draw);
        payment.currency = draw.isNative ? address(_token) : address(0);
        payment.signature = _sign(SOLVER_KEY, _recordOf(payment));
        _fund(payment);
        _assertReplayRefused(payment);
    }

    function testFuzz_RevertWhen_TheSolverSignsOtherTermsForAConsumedId(
        Draw memory draw,
        uint256 amount,
        uint64 destinationChainId,
        bytes32 destinationUser
    ) public {
        Payment memory payment = _paid(draw);
        payment.amount = _bound(amount, 1, MAX_AMOUNT);
        payment.destinationChainId = destinationChainId;
        payment.destinationUser = destinationUser;
        payment.signature = _sign(SOLVER_KEY, _recordOf(payment));
        _fund(payment);
        _assertReplayRefused(payment);
    }

    function testFuzz_RevertWhen_TheOtherFormOfTheSignatureIsUsed(Draw memory draw) public {
        Payment memory payment = _paid(draw);
        payment.signature =
            draw.compact
                ? _sign(SOLVER_KEY, _recordOf(payment))
                : _signCompact(SOLVER_KEY, _recordOf(payment));
        _fund(payment);
        _assertReplayRefused(payment);
    }

    function testFuzz_RevertWhen_TheChainIdChangesAfterwards(Draw memory draw, uint64 chainId) public {
        VM.assume(chainId != 0);
        Payment memory payment = _paid(draw);
        VM.chainId(chainId);
        payment.signature = _sign(SOLVER_KEY, _recordOf(payment));
        _fund(payment);
        _assertReplayRefused(payment);
    }

    function _paid(Draw memory draw) private returns (Payment memory payment) {
        payment = _validPayment(draw);
        _pay(payment);
    }

    function _assertReplayRefused(Payment memory payment) private {
        _assertRefused(
            payment,
            abi.encodeWithSelector(IRecordReceiver.RequestAlreadyConsumed.selector, payment.requestId)
        );
    }
}
