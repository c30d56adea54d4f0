// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPinnedReceiver} from "../../../../contracts/interfaces/receiver/IPinnedReceiver.sol";
import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {IRefundReceiver} from "../../../../contracts/interfaces/receiver/IRefundReceiver.sol";
import {TransferWithId} from "../../../../contracts/libraries/TransferWithId.sol";
import {TokenReads} from "../../../../contracts/libraries/TokenReads.sol";
import {PinnedReceiver} from "../../../../contracts/receiver/PinnedReceiver.sol";
import {SignatureRecordV2} from "../../../../contracts/records/SignatureRecordV2.sol";
import {SolverSignature} from "../../../../contracts/records/SolverSignature.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {CalldataNote} from "../../support/CalldataNote.sol";
import {PinnedFixture} from "./PinnedFixture.sol";

/// @title PinnedReceiverTest
/// @notice A payment as signed is accepted once. A payment that differs in any term moves no money and consumes no id.
contract PinnedReceiverTest is PinnedFixture {
    function setUp() public {
        _deployReceivers();
    }

    function testFuzz_SignedPaymentReachesThePayeeAndConsumesItsIdAtItsReceiverOnly(
        Draw memory draw,
        bytes32 otherId
    ) public {
        VM.assume(otherId != draw.requestId);
        Payment memory payment = _validPayment(draw);
        _assertEq(payment.receiver.depositorOf(payment.requestId) != address(0), false);

        _assertAccepted(payment);

        _assertEq(
            (draw.bindsCaller ? _byReceiver : _byCaller).depositorOf(payment.requestId) != address(0),
            false
        );
        _assertEq(payment.receiver.depositorOf(otherId) != address(0), false);
    }

    function testFuzz_RecordBoundToTheReceiverIsAcceptedFromAnyCaller(Draw memory draw, bytes32 seed) public {
        draw.bindsCaller = false;
        Payment memory payment = _validPayment(draw);
        payment.caller = address(bytes20(keccak256(abi.encode(seed))));
        _fund(payment);
        _assertAccepted(payment);
    }

    function testFuzz_AllowanceIsSpentByTheAmountAndNoMore(Draw memory draw) public {
        draw.isNative = false;
        Payment memory payment = _validPayment(draw);
        _assertAccepted(payment);
        // The fixture approves one unit more than the payment takes.
        _assertEq(_token.allowance(payment.caller, address(payment.receiver)), 1);
    }

    function testFuzz_TwoPaymentsOfDifferentIdsAreBothAccepted(Draw memory first, Draw memory second) public {
        VM.assume(first.requestId != second.requestId);
        Payment memory one = _validPayment(first);
        _assertAccepted(one);
        _assertAccepted(_validPayment(second));
        _assertEq(one.receiver.depositorOf(one.requestId) != address(0), true);
    }

    function testFuzz_ConstructorFixesItsArguments(address solver, address payee, bool bindsCaller) public {
        VM.assume(solver != address(0) && payee != address(0));
        IRecordReceiver.Binding binding = IRecordReceiver.Binding(bindsCaller ? 1 : 0);
        PinnedReceiver receiver = new PinnedReceiver(solver, payee, binding, REFUND_PAYEE);
        _assertEq(receiver.solver(), solver);
        _assertEq(receiver.nativePayee(), payee);
        _assertEq(receiver.refundPayee(), REFUND_PAYEE);
        _assertEq(uint256(receiver.binding()), uint256(binding));
    }

    function testFuzz_RevertWhen_ConstructedWithAZeroAddress(address other, bool solverIsZero) public {
        (address solver, address payee) = solverIsZero ? (address(0), other) : (other, address(0));
        VM.expectRevert(abi.encodePacked(IRecordReceiver.AddressIsZero.selector));
        new PinnedReceiver(solver, payee, IRecordReceiver.Binding.Receiver, REFUND_PAYEE);
    }

    function test_OnlyAReceiverBoundToItsCallersMayHaveNoRefundPayee() public {
        VM.expectRevert(abi.encodePacked(IRecordReceiver.AddressIsZero.selector));
        new PinnedReceiver(SOLVER, NATIVE_PAYEE, IRecordReceiver.Binding.Receiver, address(0));
        PinnedReceiver receiver = new PinnedReceiver(
            SOLVER,
            NATIVE_PAYEE,
            IRecordReceiver.Binding.Caller,
            address(0)
        );
        _assertEq(receiver.refundPayee(), address(0));
    }

    function test_RevertWhen_TheReceiverItselfIsTheNativePayee() public {
        address next = _nextDeployment();
        VM.expectRevert(abi.encodeWithSelector(IRefundReceiver.RecipientCannotHold.selector, next));
        new PinnedReceiver(SOLVER, next, IRecordReceiver.Binding.Receiver, REFUND_PAYEE);
    }

    function testFuzz_TheIdIsTheWholeCalldataOfANativePayment(Draw memory draw) public {
        draw.isNative = true;
        _become(NATIVE_PAYEE, type(CalldataNote).runtimeCode);
        _assertAccepted(_validPayment(draw));
        _assertEq(CalldataNote(payable(NATIVE_PAYEE)).noted(), abi.encodePacked(draw.requestId));
    }

    function testFuzz_RevertWhen_AmountIsZero(Draw memory draw) public {
        Payment memory payment = _validPayment(draw);
        payment.amount = 0;
        _sign(SOLVER_KEY, payment);
        _assertRefused(payment, abi.encodePacked(IRecordReceiver.AmountIsZero.selector));
    }

    // @spec signature/amount
    function testFuzz_RevertWhen_AnotherAmountIsPaid(Draw memory draw, uint256 otherAmount) public {
        draw.amount = _bound(draw.amount, 2, MAX_AMOUNT);
        Payment memory payment = _validPayment(draw);
        uint256 signed = payment.amount;
        otherAmount = _bound(otherAmount, 1, MAX_AMOUNT);
        VM.assume(otherAmount != signed);
        uint256[3] memory amounts = [signed + 1, signed - 1, otherAmount];
        for (uint256 i; i < amounts.length; ++i) {
            payment.amount = amounts[i];
            _fund(payment);
            _assertNotSigned(payment);
        }

        payment.amount = signed;
        _fund(payment);
        _assertAccepted(payment);
    }

    // @spec signature/request-id
    function testFuzz_RevertWhen_RequestOrDestinationIsAnother(
        Draw memory draw,
        bytes32 requestId,
        bytes32 destinationUser,
        uint64 chainId
    ) public {
        Payment memory payment = _validPayment(draw);
        VM.assume(requestId != payment.requestId && destinationUser != payment.destinationUser);
        VM.assume(chainId != payment.destinationChainId);
        payment.requestId = requestId;
        _assertNotSigned(payment);

        payment = _validPayment(draw);
        payment.destinationUser = destinationUser;
        _assertNotSigned(payment);

        payment = _validPayment(draw);
        payment.destinationChainId = chainId;
        _assertNotSigned(payment);
    }

    /// @dev Both versions are seven words and are signed alike. Version 2 has its destination chain where version 1 has
    /// the amount, and its recipient where version 1 has the destination chain.
    function testFuzz_RevertWhen_RecordOfVersion2IsSpentAsVersion1(
        Draw memory draw,
        address recipient
    ) public {
        VM.assume(uint160(recipient) > type(uint64).max);
        Payment memory payment = _validPayment(draw);
        payment.destinationChainId = uint160(recipient);
        _sign(SOLVER_KEY, payment);
        bytes4 selector = IRecordReceiver.RecordOfOtherVersion.selector;
        _assertRefused(payment, abi.encodeWithSelector(selector, uint160(recipient), type(uint64).max));
    }

    /// @notice A limit that `IRecordReceiver` names: such a recipient cannot be told from a chain id.
    function testFuzz_AuditA4_RecordOfVersion2ForARecipientOf64BitsPassesWithItsChainIdAsAmount(
        uint64 recipient,
        uint64 chainId,
        bytes32 currency
    ) public {
        chainId = uint64(_bound(chainId, 1, type(uint64).max));
        Draw memory draw;
        draw.isNative = true;
        Payment memory payment = _validPayment(draw);
        (payment.amount, payment.destinationChainId, payment.destinationUser) = (
            chainId,
            recipient,
            currency
        );
        SignatureRecordV2.Record memory signed = SignatureRecordV2.Record({
            requestId: payment.requestId,
            originChainId: block.chainid,
            originUser: bytes32(uint256(uint160(address(payment.receiver)))),
            originCurrency: 0,
            destinationChainId: chainId,
            destinationUser: bytes32(uint256(recipient)),
            destinationCurrency: currency
        });
        payment.signature = _signDigest(SOLVER_KEY, SignatureRecordV2.digest(signed));
        _fund(payment);
        _assertAccepted(payment);
    }

    /// @notice An assumption of `IRecordReceiver`: the code of the payee must accept a call with the id.
    function testFuzz_AuditA11_RevertGiven_ThePayeeDelegatesToCodeWithoutAFallback(Draw memory draw) public {
        draw.isNative = true;
        Payment memory payment = _validPayment(draw);
        // PUSH0 PUSH0 REVERT, as a contract answers a call that it does not know.
        VM.etch(NATIVE_PAYEE, hex"5f5ffd");
        bytes4 selector = IRecordReceiver.PayeeRejectedNative.selector;
        _assertRefused(payment, abi.encodeWithSelector(selector, NATIVE_PAYEE, payment.amount, ""));
    }

    function testFuzz_RevertWhen_ChainIdIsAnother(Draw memory draw, uint64 chainId) public {
        VM.assume(chainId != block.chainid && chainId != 0);
        Payment memory payment = _validPayment(draw);
        VM.chainId(chainId);
        _assertNotSigned(payment);
    }

    function testFuzz_RevertWhen_CurrencyIsAnother(Draw memory draw) public {
        Payment memory payment = _validPayment(draw);
        payment.currency = address(_otherToken);
        _fund(payment);
        _assertNotSigned(payment);
        payment.currency = draw.isNative ? address(_token) : address(0);
        _fund(payment);
        _assertNotSigned(payment);
    }

    function testFuzz_RevertWhen_NativeRecordIsPaidInTheTokenOfAddressZero(Draw memory draw) public {
        draw.isNative = true;
        Payment memory p = _validPayment(draw);
        // The record is valid: only the missing code prevents a payment of nothing.
        VM.expectRevert(abi.encodeWithSelector(TokenReads.TokenHasNoCode.selector, address(0)));
        VM.prank(p.caller);
        p.receiver.depositErc20(
            address(0),
            p.amount,
            p.requestId,
            p.destinationChainId,
            p.destinationUser,
            p.signature
        );
        _assertEq(p.receiver.depositorOf(p.requestId) != address(0), false);
    }

    function testFuzz_RevertWhen_AnotherCallerSpendsARecordBoundToItsCaller(
        Draw memory draw,
        bytes32 seed
    ) public {
        draw.bindsCaller = true;
        Payment memory payment = _validPayment(draw);
        payment.caller = address(bytes20(keccak256(abi.encode(seed))));
        _fund(payment);
        _assertNotSigned(payment);
    }

    function testFuzz_RevertWhen_RecordIsSpentAtAnotherReceiver(Draw memory draw) public {
        Payment memory payment = _validPayment(draw);
        payment.receiver = draw.bindsCaller ? _byReceiver : _byCaller;
        _fund(payment);
        _assertNotSigned(payment);

        draw.bindsCaller = false;
        payment = _validPayment(draw);
        payment.receiver = _newReceiver(IRecordReceiver.Binding.Receiver);
        _fund(payment);
        _assertNotSigned(payment);
    }

    function testFuzz_RevertWhen_AnotherKeySigned(Draw memory draw, uint256 seed) public {
        uint256 key = _boundKey(seed);
        VM.assume(key != SOLVER_KEY);
        Payment memory payment = _validPayment(draw);
        _sign(key, payment);
        bytes4 selector = IPinnedReceiver.RecordNotSignedBySolver.selector;
        _assertRefused(payment, abi.encodeWithSelector(selector, VM.addr(key), SOLVER));
    }

    function testFuzz_RevertWhen_SignatureIsForTheHashWithoutThePrefix(Draw memory draw) public {
        Payment memory payment = _validPayment(draw);
        payment.signature = _signDigest(SOLVER_KEY, _recordHash(_recordOf(payment)));
        _assertNotSigned(payment);
    }

    function testFuzz_RevertWhen_SignatureIsEmpty(Draw memory draw) public {
        Payment memory payment = _validPayment(draw);
        payment.signature = "";
        _assertRefused(payment, abi.encodeWithSelector(SolverSignature.SignatureLengthInvalid.selector, 0));
    }

    function testFuzz_RevertWhen_AllowanceOrBalanceIsTooLow(
        Draw memory draw,
        uint256 left,
        bool isBalance
    ) public {
        draw.isNative = false;
        Payment memory payment = _validPayment(draw);
        left = _bound(left, 0, payment.amount - 1);
        uint256 spare = _token.balanceOf(payment.caller) - left;
        VM.prank(payment.caller);
        if (isBalance) _token.transfer(STRANGER, spare);
        else _token.approve(address(payment.receiver), left);
        bytes memory inner = abi.encodeWithSelector(
            isBalance
                ? IERC20Errors.ERC20InsufficientBalance.selector
                : IERC20Errors.ERC20InsufficientAllowance.selector,
            isBalance ? payment.caller : address(payment.receiver),
            left,
            payment.amount
        );
        bytes4 selector = TransferWithId.TokenTransferFailed.selector;
        _assertRefused(payment, abi.encodeWithSelector(selector, address(_token), inner));
    }

    // @spec signature/unpaid
    function testFuzz_RevertGiven_RequestWasPaid(Draw memory draw, Draw memory other, uint64 chainId) public {
        VM.assume(chainId != 0);
        Payment memory payment = _validPayment(draw);
        _assertAccepted(payment);
        _assertReplayRefused(payment);

        // The other form of the signature, and other terms that the solver signed.
        other.requestId = draw.requestId;
        other.bindsCaller = draw.bindsCaller;
        other.compact = !draw.compact;
        _assertReplayRefused(_validPayment(other));
        other.isNative = !other.isNative;
        payment = _validPayment(other);
        _assertReplayRefused(payment);

        payment.caller = STRANGER;
        _sign(SOLVER_KEY, payment);
        _assertReplayRefused(payment);

        VM.chainId(chainId);
        _sign(SOLVER_KEY, payment);
        _assertReplayRefused(payment);
    }

    function _assertReplayRefused(Payment memory payment) private {
        _fund(payment);
        bytes4 selector = IRecordReceiver.RequestAlreadyConsumed.selector;
        _assertRefused(payment, abi.encodeWithSelector(selector, payment.requestId));
    }
}
