// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBatchDeposits} from "../../../contracts/interfaces/receiver/IBatchDeposits.sol";
import {IPinnedReceiver} from "../../../contracts/interfaces/receiver/IPinnedReceiver.sol";
import {IPinnedReceiverPermits} from "../../../contracts/interfaces/receiver/IPinnedReceiverPermits.sol";
import {IRecordReceiver} from "../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {PinnedReceiverPermits} from "../../../contracts/receiver/PinnedReceiverPermits.sol";
import {ReceiverFixture} from "../support/ReceiverFixture.sol";

/// @title PinnedReceiverBatchTest
/// @notice What several payments at once bring in is what the payees get, to the unit; and it is all or nothing.
contract PinnedReceiverBatchTest is ReceiverFixture {
    /// @dev More would make the fuzzer's inputs long, not different.
    uint256 private constant MOST_PAYMENTS = 6;

    PinnedReceiverPermits private _receiver;

    /// @notice What a batch moves.
    struct Sums {
        uint256 native;
        uint256 tokens;
        uint256 otherTokens;
    }

    function setUp() public {
        _deployReceivers();
    }

    function testFuzz_SumInEqualsSumOut(uint256 seed, uint256 count, bool bindsCaller) public {
        (IPinnedReceiverPermits.Payment[] memory payments, Sums memory sums) = _batch(
            seed,
            count,
            bindsCaller
        );

        VM.prank(DEPOSITOR);
        _receiver.depositAll{value: sums.native}(payments);

        _assertMoved(sums);
        for (uint256 i; i < payments.length; ++i) {
            _assertEq(_receiver.isConsumed(payments[i].requestId), true);
        }
    }

    function testFuzz_RevertWhen_TheSumIsOff(uint256 seed, uint256 count, uint256 value) public {
        (IPinnedReceiverPermits.Payment[] memory payments, Sums memory sums) = _batch(seed, count, false);
        value = _bound(value, 0, MAX_AMOUNT);
        VM.assume(value != sums.native);
        VM.deal(DEPOSITOR, value);

        _assertRefused(
            payments,
            value,
            abi.encodeWithSelector(IBatchDeposits.NativeSumMismatch.selector, sums.native, value)
        );
    }

    function testFuzz_RevertWhen_AnIdComesTwice(
        uint256 seed,
        uint256 count,
        uint256 one,
        uint256 other
    ) public {
        (IPinnedReceiverPermits.Payment[] memory payments, ) = _batch(
            seed,
            _bound(count, 2, MOST_PAYMENTS),
            true
        );
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

    function testFuzz_RevertWhen_OnePaymentIsNotAsSigned(
        uint256 seed,
        uint256 count,
        uint256 which,
        bytes32 destinationUser
    ) public {
        (IPinnedReceiverPermits.Payment[] memory payments, Sums memory sums) = _batch(seed, count, true);
        IPinnedReceiverPermits.Payment memory spoilt = payments[which % payments.length];
        VM.assume(spoilt.destinationUser != destinationUser);
        spoilt.destinationUser = destinationUser;

        VM.prank(DEPOSITOR);
        (bool success, bytes memory reason) = address(_receiver).call{value: sums.native}(
            abi.encodeCall(_receiver.depositAll, (payments))
        );
        _assertEq(success, false);
        _assertEq(bytes32(bytes4(reason)), bytes32(IPinnedReceiver.RecordNotSignedBySolver.selector));
        _assertNothingHappened(payments);
    }

    /// @dev A funded, approved and signed batch of currencies and amounts that the seed chooses.
    function _batch(
        uint256 seed,
        uint256 count,
        bool bindsCaller
    ) private returns (IPinnedReceiverPermits.Payment[] memory payments, Sums memory sums) {
        _receiver = new PinnedReceiverPermits(
            SOLVER,
            NATIVE_PAYEE,
            bindsCaller ? IRecordReceiver.Binding.Caller : IRecordReceiver.Binding.Receiver,
            REFUND_PAYEE
        );
        payments = new IPinnedReceiverPermits.Payment[](_bound(count, 1, MOST_PAYMENTS));
        for (uint256 i; i < payments.length; ++i) {
            uint256 drawn = uint256(keccak256(abi.encode(seed, i)));
            uint256 amount = _bound(drawn, 1, MAX_AMOUNT / MOST_PAYMENTS);
            address currency = _currencyOf(drawn);
            if (currency == address(0)) sums.native += amount;
            else if (currency == address(_token)) sums.tokens += amount;
            else sums.otherTokens += amount;
            payments[i] = _signed(keccak256(abi.encode(drawn)), currency, amount, drawn % 7 == 0);
        }
        VM.deal(DEPOSITOR, sums.native);
        _token.mint(DEPOSITOR, sums.tokens);
        _otherToken.mint(DEPOSITOR, sums.otherTokens);
        VM.prank(DEPOSITOR);
        _token.approve(address(_receiver), type(uint256).max);
        VM.prank(DEPOSITOR);
        _otherToken.approve(address(_receiver), type(uint256).max);
    }

    function _currencyOf(uint256 drawn) private view returns (address) {
        if (drawn % 3 == 0) return address(0);
        return drawn % 3 == 1 ? address(_token) : address(_otherToken);
    }

    function _signed(
        bytes32 requestId,
        address currency,
        uint256 amount,
        bool compact
    ) private view returns (IPinnedReceiverPermits.Payment memory) {
        Payment memory terms = Payment({
            receiver: _receiver,
            caller: DEPOSITOR,
            currency: currency,
            amount: amount,
            requestId: requestId,
            destinationChainId: uint256(requestId) >> 200,
            destinationUser: keccak256(abi.encode(requestId)),
            signature: ""
        });
        return
            IPinnedReceiverPermits.Payment({
                currency: currency,
                amount: amount,
                requestId: requestId,
                destinationChainId: terms.destinationChainId,
                destinationUser: terms.destinationUser,
                signature: compact
                    ? _signCompact(SOLVER_KEY, _recordOf(terms))
                    : _sign(SOLVER_KEY, _recordOf(terms))
            });
    }

    function _assertRefused(
        IPinnedReceiverPermits.Payment[] memory payments,
        uint256 value,
        bytes memory reason
    ) private {
        VM.prank(DEPOSITOR);
        VM.expectRevert(reason);
        _receiver.depositAll{value: value}(payments);
        _assertNothingHappened(payments);
    }

    function _assertNothingHappened(IPinnedReceiverPermits.Payment[] memory payments) private view {
        _assertMoved(Sums({native: 0, tokens: 0, otherTokens: 0}));
        for (uint256 i; i < payments.length; ++i) {
            _assertEq(_receiver.isConsumed(payments[i].requestId), false);
        }
    }

    function _assertMoved(Sums memory sums) private view {
        _assertEq(NATIVE_PAYEE.balance, sums.native);
        _assertEq(_token.balanceOf(SOLVER), sums.tokens);
        _assertEq(_otherToken.balanceOf(SOLVER), sums.otherTokens);
        uint256 kept = address(_receiver).balance + _token.balanceOf(address(_receiver));
        _assertEq(kept + _otherToken.balanceOf(address(_receiver)), 0);
    }

    function _nativeSum(IPinnedReceiverPermits.Payment[] memory payments) private pure returns (uint256 sum) {
        for (uint256 i; i < payments.length; ++i) {
            if (payments[i].currency == address(0)) sum += payments[i].amount;
        }
    }
}
