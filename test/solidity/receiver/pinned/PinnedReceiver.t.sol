// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {IRefundReceiver} from "../../../../contracts/interfaces/receiver/IRefundReceiver.sol";
import {TokenReads} from "../../../../contracts/libraries/TokenReads.sol";
import {PinnedReceiver} from "../../../../contracts/receiver/PinnedReceiver.sol";
import {SignatureRecordV2} from "../../../../contracts/records/SignatureRecordV2.sol";
import {CalldataNote} from "../../support/CalldataNote.sol";
import {PinnedFixture} from "./PinnedFixture.sol";

/// @title PinnedReceiverTest
/// @notice Deployment, payees and versions of records. `PinnedReceiverReferenceTest` compares changed payments with the reference.
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
}
