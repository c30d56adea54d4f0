// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBatchDeposits} from "../../../../contracts/interfaces/receiver/IBatchDeposits.sol";
import {IPinnedReceiver} from "../../../../contracts/interfaces/receiver/IPinnedReceiver.sol";
import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {PinnedReceiver} from "../../../../contracts/receiver/PinnedReceiver.sol";
import {PinnedFixture} from "./PinnedFixture.sol";

/// @title PinnedReceiverBatchTest
/// @notice A batch pays the payees exactly its input, or reverts as a whole.
contract PinnedReceiverBatchTest is PinnedFixture {
    /// @dev More payments would lengthen a run without adding cases.
    uint256 private constant MOST_PAYMENTS = 6;

    PinnedReceiver private _receiver;

    struct Sums {
        uint256 native;
        uint256 tokens;
        uint256 otherTokens;
    }

    function setUp() public {
        _deployReceivers();
    }

    function testFuzz_BatchPaysThePayeesExactlyWhatItBringsIn(
        uint256 seed,
        uint256 count,
        bool bindsCaller
    ) public {
        (IRecordReceiver.Payment[] memory payments, Sums memory sums) = _batch(seed, count, bindsCaller);
        VM.prank(DEPOSITOR);
        _receiver.depositAll{value: sums.native}(payments);

        _assertMoved(sums);
        for (uint256 i; i < payments.length; ++i) {
            _assertEq(_receiver.depositorOf(payments[i].requestId) != address(0), true);
        }
    }

    function testFuzz_RevertWhen_ValueSentIsNotTheSumOfTheBatch(
        uint256 seed,
        uint256 count,
        uint256 value
    ) public {
        (IRecordReceiver.Payment[] memory payments, Sums memory sums) = _batch(seed, count, false);
        value = _bound(value, 0, MAX_AMOUNT);
        VM.assume(value != sums.native);
        VM.deal(DEPOSITOR, value);

        _assertRefused(
            payments,
            value,
            abi.encodeWithSelector(IBatchDeposits.NativeSumMismatch.selector, sums.native, value)
        );
    }

    function test_RevertWhen_TheBatchIsEmpty() public {
        _batch(0, 1, true);
        IRecordReceiver.Payment[] memory payments = new IRecordReceiver.Payment[](0);
        _assertRefused(payments, 0, abi.encodePacked(IBatchDeposits.BatchIsEmpty.selector));
    }

    function testFuzz_RevertWhen_AnIdIsInTheBatchTwice(
        uint256 seed,
        uint256 count,
        uint256 one,
        uint256 other
    ) public {
        count = _bound(count, 2, MOST_PAYMENTS);
        (IRecordReceiver.Payment[] memory payments, ) = _batch(seed, count, true);
        one = one % payments.length;
        other = other % payments.length;
        VM.assume(one != other);
        payments[other] = payments[one];
        uint256 value = _nativeSum(payments);
        VM.deal(DEPOSITOR, value);

        _assertRefused(
            payments,
            value,
            abi.encodeWithSelector(IRecordReceiver.RequestAlreadyConsumed.selector, payments[one].requestId)
        );
    }

    function testFuzz_RevertWhen_OnePaymentOfTheBatchIsNotAsSigned(
        uint256 seed,
        uint256 count,
        uint256 which,
        bytes32 destinationUser
    ) public {
        (IRecordReceiver.Payment[] memory payments, Sums memory sums) = _batch(seed, count, true);
        IRecordReceiver.Payment memory spoilt = payments[which % payments.length];
        VM.assume(spoilt.destinationUser != destinationUser);
        spoilt.destinationUser = destinationUser;

        VM.prank(DEPOSITOR);
        (bool success, bytes memory reason) = address(_receiver).call{value: sums.native}(
            abi.encodeCall(_receiver.depositAll, (payments))
        );
        _assertEq(success, false);
        _assertSelector(reason, IPinnedReceiver.RecordNotSignedBySolver.selector);
        _assertNothingHappened(payments);
    }

    /// @dev A funded, approved and signed batch of currencies and amounts that the seed chooses.
    function _batch(
        uint256 seed,
        uint256 count,
        bool bindsCaller
    ) private returns (IRecordReceiver.Payment[] memory payments, Sums memory sums) {
        _receiver = new PinnedReceiver(
            SOLVER,
            NATIVE_PAYEE,
            IRecordReceiver.Binding(bindsCaller ? 1 : 0),
            REFUND_PAYEE
        );
        (_byReceiver, _byCaller) = (_receiver, _receiver);
        payments = new IRecordReceiver.Payment[](_bound(count, 1, MOST_PAYMENTS));
        for (uint256 i; i < payments.length; ++i) {
            payments[i] = _drawn(uint256(keccak256(abi.encode(seed, i))));
            (address currency, uint256 amount) = (payments[i].currency, payments[i].amount);
            if (currency == address(0)) sums.native += amount;
            else if (currency == address(_token)) sums.tokens += amount;
            else sums.otherTokens += amount;
        }
        VM.deal(DEPOSITOR, sums.native);
        _token.mint(DEPOSITOR, sums.tokens);
        _otherToken.mint(DEPOSITOR, sums.otherTokens);
        VM.prank(DEPOSITOR);
        _token.approve(address(_receiver), type(uint256).max);
        VM.prank(DEPOSITOR);
        _otherToken.approve(address(_receiver), type(uint256).max);
    }

    function _drawn(uint256 seed) private view returns (IRecordReceiver.Payment memory) {
        Draw memory draw;
        draw.amount = _bound(seed, 1, MAX_AMOUNT / MOST_PAYMENTS);
        draw.requestId = keccak256(abi.encode(seed));
        draw.destinationChainId = seed >> 200;
        draw.destinationUser = keccak256(abi.encode(draw.requestId));
        draw.compact = seed % 7 == 0;
        address[3] memory currencies = [address(0), address(_token), address(_otherToken)];
        Payment memory payment = _signedPayment(draw, DEPOSITOR, currencies[seed % 3]);
        return
            IRecordReceiver.Payment({
                currency: payment.currency,
                amount: payment.amount,
                requestId: payment.requestId,
                destinationChainId: payment.destinationChainId,
                destinationUser: payment.destinationUser,
                signature: payment.signature
            });
    }

    function _assertRefused(
        IRecordReceiver.Payment[] memory payments,
        uint256 value,
        bytes memory reason
    ) private {
        VM.prank(DEPOSITOR);
        VM.expectRevert(reason);
        _receiver.depositAll{value: value}(payments);
        _assertNothingHappened(payments);
    }

    function _assertNothingHappened(IRecordReceiver.Payment[] memory payments) private view {
        _assertMoved(Sums({native: 0, tokens: 0, otherTokens: 0}));
        for (uint256 i; i < payments.length; ++i) {
            _assertEq(_receiver.depositorOf(payments[i].requestId) != address(0), false);
        }
    }

    function _assertMoved(Sums memory sums) private view {
        _assertEq(NATIVE_PAYEE.balance, sums.native);
        _assertEq(_token.balanceOf(SOLVER), sums.tokens);
        _assertEq(_otherToken.balanceOf(SOLVER), sums.otherTokens);
        uint256 kept = address(_receiver).balance + _token.balanceOf(address(_receiver));
        _assertEq(kept + _otherToken.balanceOf(address(_receiver)), 0);
    }

    function _nativeSum(IRecordReceiver.Payment[] memory payments) private pure returns (uint256 sum) {
        for (uint256 i; i < payments.length; ++i) {
            if (payments[i].currency == address(0)) sum += payments[i].amount;
        }
    }
}
