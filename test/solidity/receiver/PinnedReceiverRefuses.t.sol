// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TokenReads} from "../../../contracts/libraries/TokenReads.sol";
import {IPinnedReceiver} from "../../../contracts/interfaces/receiver/IPinnedReceiver.sol";
import {IRecordReceiver} from "../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {TransferWithId} from "../../../contracts/libraries/TransferWithId.sol";
import {PinnedReceiver} from "../../../contracts/receiver/PinnedReceiver.sol";
import {SolverSignature} from "../../../contracts/records/SolverSignature.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ReceiverFixture} from "../support/ReceiverFixture.sol";

/// @title PinnedReceiverRefusesTest
/// @notice A payment that differs from what the solver signed in any one respect moves no money and consumes no id.
contract PinnedReceiverRefusesTest is ReceiverFixture {
    function setUp() public {
        _deployReceivers();
    }

    function testFuzz_RevertWhen_NothingIsPaid(Draw memory draw) public {
        Payment memory payment = _validPayment(draw);
        payment.amount = 0;
        payment.signature = _sign(SOLVER_KEY, _recordOf(payment));
        _assertRefused(payment, abi.encodePacked(IRecordReceiver.AmountIsZero.selector));
    }

    function testFuzz_RevertWhen_OneWeiMoreIsPaid(Draw memory draw) public {
        Payment memory payment = _validPayment(draw);
        payment.amount += 1;
        _assertNotSigned(payment);
    }

    function testFuzz_RevertWhen_OneWeiLessIsPaid(Draw memory draw) public {
        draw.amount = _bound(draw.amount, 2, MAX_AMOUNT);
        Payment memory payment = _validPayment(draw);
        payment.amount -= 1;
        _assertNotSigned(payment);
    }

    function testFuzz_RevertWhen_AnyOtherAmountIsPaid(Draw memory draw, uint256 otherAmount) public {
        Payment memory payment = _validPayment(draw);
        uint256 paid = _bound(otherAmount, 1, MAX_AMOUNT);
        VM.assume(paid != payment.amount);
        payment.amount = paid;
        _fund(payment);
        _assertNotSigned(payment);
    }

    function testFuzz_RevertWhen_PaidForAnotherRequest(Draw memory draw, bytes32 requestId) public {
        VM.assume(requestId != draw.requestId);
        Payment memory payment = _validPayment(draw);
        payment.requestId = requestId;
        _assertNotSigned(payment);
    }

    function testFuzz_RevertWhen_RecipientIsAnother(Draw memory draw, bytes32 destinationUser) public {
        VM.assume(destinationUser != draw.destinationUser);
        Payment memory payment = _validPayment(draw);
        payment.destinationUser = destinationUser;
        _assertNotSigned(payment);
    }

    function testFuzz_RevertWhen_DestinationChainIsAnother(Draw memory draw, uint64 chainId) public {
        Payment memory payment = _validPayment(draw);
        VM.assume(chainId != payment.destinationChainId);
        payment.destinationChainId = chainId;
        _assertNotSigned(payment);
    }

    /// @dev The solver signs both versions alike, and both are seven words: what version 2 has for its destination chain would
    /// be read as the amount, its recipient as the destination chain.
    function testFuzz_RevertWhen_ARecordOfVersion2IsSpentAsVersion1(
        Draw memory draw,
        address recipient
    ) public {
        VM.assume(uint160(recipient) > type(uint64).max);
        Payment memory payment = _validPayment(draw);
        payment.destinationChainId = uint160(recipient);
        payment.signature = _sign(SOLVER_KEY, _recordOf(payment));
        _assertRefused(
            payment,
            abi.encodeWithSelector(
                IRecordReceiver.RecordOfOtherVersion.selector,
                uint160(recipient),
                type(uint64).max
            )
        );
    }

    function testFuzz_RevertWhen_PaidOnAnotherChain(Draw memory draw, uint64 chainId) public {
        VM.assume(chainId != block.chainid && chainId != 0);
        Payment memory payment = _validPayment(draw);
        VM.chainId(chainId);
        _assertNotSigned(payment);
    }

    function testFuzz_RevertWhen_PaidInAnotherToken(Draw memory draw) public {
        draw.isNative = false;
        Payment memory payment = _validPayment(draw);
        payment.currency = address(_otherToken);
        _fund(payment);
        _assertNotSigned(payment);
    }

    function testFuzz_RevertWhen_NativeRecordIsPaidInTokensOrTheOtherWayRound(Draw memory draw) public {
        Payment memory payment = _validPayment(draw);
        payment.currency = draw.isNative ? address(_token) : address(0);
        _fund(payment);
        _assertNotSigned(payment);
    }

    function testFuzz_RevertWhen_NativeRecordIsPaidInTheTokenOfAddressZero(Draw memory draw) public {
        draw.isNative = true;
        Payment memory payment = _validPayment(draw);
        VM.expectRevert(abi.encodeWithSelector(TokenReads.TokenHasNoCode.selector, address(0)));
        VM.prank(payment.caller);
        // The record is the solver's own: only the missing code stands between it and a payment of nothing.
        payment.receiver.depositErc20(
            address(0),
            payment.amount,
            payment.requestId,
            payment.destinationChainId,
            payment.destinationUser,
            payment.signature
        );
        _assertEq(payment.receiver.isConsumed(payment.requestId), false);
    }

    function testFuzz_RevertWhen_AnotherCallerSpendsARecordBoundToItsCaller(
        Draw memory draw,
        bytes32 callerSeed
    ) public {
        draw.bindsCaller = true;
        Payment memory payment = _validPayment(draw);
        payment.caller = address(bytes20(keccak256(abi.encode(callerSeed))));
        _fund(payment);
        _assertNotSigned(payment);
    }

    function testFuzz_RevertWhen_RecordIsSpentAtAnotherReceiverOfTheSolver(Draw memory draw) public {
        draw.bindsCaller = false;
        Payment memory payment = _validPayment(draw);
        payment.receiver = new PinnedReceiver(
            SOLVER,
            NATIVE_PAYEE,
            IRecordReceiver.Binding.Receiver,
            REFUND_PAYEE
        );
        _fund(payment);
        _assertNotSigned(payment);
    }

    function testFuzz_RevertWhen_RecordIsSpentUnderTheOtherBinding(Draw memory draw) public {
        Payment memory payment = _validPayment(draw);
        payment.receiver = draw.bindsCaller ? _byReceiver : _byCaller;
        _fund(payment);
        _assertNotSigned(payment);
    }

    function testFuzz_RevertWhen_AnotherKeySigned(Draw memory draw, uint256 seed) public {
        uint256 forgersKey = _boundKey(seed);
        VM.assume(forgersKey != SOLVER_KEY);
        Payment memory payment = _validPayment(draw);
        payment.signature = _sign(forgersKey, _recordOf(payment));
        _assertRefused(
            payment,
            abi.encodeWithSelector(
                IPinnedReceiver.RecordNotSignedBySolver.selector,
                VM.addr(forgersKey),
                SOLVER
            )
        );
    }

    function testFuzz_RevertWhen_SignatureIsForThePlainHashWithoutThePrefix(Draw memory draw) public {
        Payment memory payment = _validPayment(draw);
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(SOLVER_KEY, _recordHash(_recordOf(payment)));
        payment.signature = abi.encodePacked(r, s, v);
        _assertNotSigned(payment);
    }

    function testFuzz_RevertWhen_SignatureIsMirroredToHighS(Draw memory draw) public {
        draw.compact = false;
        Payment memory payment = _validPayment(draw);
        (bytes32 r, bytes32 s, uint8 v) = _split(payment.signature);
        bytes32 high = bytes32(CURVE_ORDER - uint256(s));
        payment.signature = abi.encodePacked(r, high, 55 - v);
        _assertRefused(payment, abi.encodeWithSelector(SolverSignature.SignatureSTooHigh.selector, high));
    }

    function testFuzz_RevertWhen_SignatureHasAnotherLength(Draw memory draw, bytes memory signature) public {
        VM.assume(signature.length != 64 && signature.length != 65);
        Payment memory payment = _validPayment(draw);
        payment.signature = signature;
        _assertRefused(
            payment,
            abi.encodeWithSelector(SolverSignature.SignatureLengthInvalid.selector, signature.length)
        );
    }

    function testFuzz_RevertWhen_AllowanceIsTooLow(Draw memory draw, uint256 allowed) public {
        draw.isNative = false;
        Payment memory payment = _validPayment(draw);
        allowed = _bound(allowed, 0, payment.amount - 1);
        VM.prank(payment.caller);
        _token.approve(address(payment.receiver), allowed);
        bytes memory inner = abi.encodeWithSelector(
            IERC20Errors.ERC20InsufficientAllowance.selector,
            address(payment.receiver),
            allowed,
            payment.amount
        );
        _assertRefused(
            payment,
            abi.encodeWithSelector(TransferWithId.TokenTransferFailed.selector, address(_token), inner)
        );
    }

    function testFuzz_RevertWhen_BalanceIsTooLow(Draw memory draw, uint256 keep) public {
        draw.isNative = false;
        Payment memory payment = _validPayment(draw);
        keep = _bound(keep, 0, payment.amount - 1);
        uint256 spare = _token.balanceOf(payment.caller) - keep;
        VM.prank(payment.caller);
        _token.transfer(STRANGER, spare);
        bytes memory inner = abi.encodeWithSelector(
            IERC20Errors.ERC20InsufficientBalance.selector,
            payment.caller,
            keep,
            payment.amount
        );
        _assertRefused(
            payment,
            abi.encodeWithSelector(TransferWithId.TokenTransferFailed.selector, address(_token), inner)
        );
    }

    function testFuzz_RefusedPaymentCanStillBeMadeAsSigned(Draw memory draw) public {
        Payment memory payment = _validPayment(draw);
        payment.amount += 1;
        _assertNotSigned(payment);
        payment.amount -= 1;
        _pay(payment);
        _assertEq(payment.receiver.isConsumed(payment.requestId), true);
    }
}
