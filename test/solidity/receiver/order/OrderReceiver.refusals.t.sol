// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBatchDeposits} from "../../../../contracts/interfaces/receiver/IBatchDeposits.sol";
import {IOrderReceiver} from "../../../../contracts/interfaces/receiver/IOrderReceiver.sol";
import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {ISignedPulls} from "../../../../contracts/interfaces/receiver/ISignedPulls.sol";
import {TokenReads} from "../../../../contracts/libraries/TokenReads.sol";
import {PlainToken} from "../../../../contracts/mocks/PlainToken.sol";
import {RejectingRecipient} from "../../../../contracts/mocks/RejectingRecipient.sol";
import {ReentrantTarget} from "../../../../contracts/mocks/ReentrantTarget.sol";
import {ReturndataBomb} from "../../../../contracts/mocks/ReturndataBomb.sol";
import {Order} from "../../../../contracts/records/Order.sol";
import {OrderReceiver} from "../../../../contracts/receiver/OrderReceiver.sol";
import {OrderFixture} from "./OrderFixture.sol";

/// @title OrderReceiverRefusalsTest
/// @notice Signed orders that are not payable here, batches, and depositories that take another amount.
contract OrderReceiverRefusalsTest is OrderFixture {
    uint256 private constant AMOUNT = 1_000_000;

    PlainToken private _token;

    function setUp() public {
        _deployOrders();
        _token = new PlainToken();
        _token.mint(OWNER, 10 * AMOUNT);
        _approve(address(_token), address(_orders), type(uint256).max);
        VM.deal(OWNER, 10 * AMOUNT);
        VM.warp(1_800_000_000);
    }

    function test_RevertWhen_DeployedWithoutASolverADepositoryOrAName() public {
        address depository = address(_depository);
        VM.expectRevert(abi.encodePacked(IRecordReceiver.AddressIsZero.selector));
        new OrderReceiver(address(0), depository, "base", block.chainid, OWNER);
        VM.expectRevert(abi.encodePacked(IRecordReceiver.AddressIsZero.selector));
        new OrderReceiver(ORDER_SOLVER, depository, "base", block.chainid, address(0));
        VM.expectRevert(abi.encodePacked(IOrderReceiver.ChainNameIsEmpty.selector));
        new OrderReceiver(ORDER_SOLVER, depository, "", block.chainid, OWNER);
        VM.expectRevert(abi.encodeWithSelector(IOrderReceiver.DepositoryHasNoCode.selector, OWNER));
        new OrderReceiver(ORDER_SOLVER, OWNER, "base", block.chainid, OWNER);
    }

    function test_TheReceiverReturnsItsParametersOfDeployment() public view {
        _assertEq(_orders.solver(), ORDER_SOLVER);
        _assertEq(_orders.depository(), address(_depository));
        _assertEq(_orders.chainNameHash(), keccak256("base"));
        _assertEq(_orders.thisChainId(), block.chainid);
        _assertEq(_orders.refundPayee(), address(this));
    }

    function testFuzz_RevertWhen_NothingIsPaidOrTheOutputPaysNothing(uint256 seed, bool isNative) public {
        (Order.Data memory order, uint256 index) = _drawn(seed, isNative, 0);
        _assertRefused(order, index, abi.encodePacked(IRecordReceiver.AmountIsZero.selector));
        (order, index) = _drawn(seed, isNative, AMOUNT);
        uint256 last = order.output.payments.length - 1;
        order.output.payments[last].minimumAmount = 0;
        bytes4 selector = IOrderReceiver.OutputPaymentIsZero.selector;
        _assertRefused(order, index, abi.encodeWithSelector(selector, last));
        order.output.payments = new Order.OutputPayment[](0);
        _assertRefused(order, index, abi.encodePacked(IOrderReceiver.OutputPaysNobody.selector));
    }

    function testFuzz_RevertWhen_AnOrderNamesAnotherSolver(
        uint256 seed,
        address solver,
        bool isNative
    ) public {
        VM.assume(solver != ORDER_SOLVER);
        (Order.Data memory order, uint256 index) = _drawn(seed, isNative, AMOUNT);
        order.solver = solver;
        bytes4 selector = IOrderReceiver.OrderSolverMismatch.selector;
        _assertRefused(order, index, abi.encodeWithSelector(selector, solver, ORDER_SOLVER));
    }

    function testFuzz_RevertWhen_TheInputIndexIsNotBelowTheCount(uint256 seed, uint256 index) public {
        (Order.Data memory order, ) = _drawn(seed, true, AMOUNT);
        _assertIndexRefused(order, order.inputs.length);
        _assertIndexRefused(order, _bound(index, order.inputs.length, type(uint256).max));
    }

    function _assertIndexRefused(Order.Data memory order, uint256 index) private {
        bytes4 selector = IOrderReceiver.InputIndexOutOfRange.selector;
        bytes memory reason = abi.encodeWithSelector(selector, index, order.inputs.length);
        bytes memory signature = _signed(order);
        VM.expectRevert(reason);
        _orders.deposit{value: 1}(order, index, signature);
        IOrderReceiver.OrderPayment[] memory payments = new IOrderReceiver.OrderPayment[](1);
        payments[0] = IOrderReceiver.OrderPayment(order, index, signature);
        VM.expectRevert(reason);
        _orders.depositAll(payments);
    }

    function testFuzz_RevertWhen_AnyDeadlineOfThePaidInputOrOfTheOutputHasPassed(
        uint256 seed,
        uint256 which,
        bool isNative
    ) public {
        (Order.Data memory order, uint256 index) = _drawn(seed, isNative, AMOUNT);
        Order.InputRefund[] memory refunds = order.inputs[index].refunds;
        which = which % (refunds.length + 1);
        uint32 deadline = uint32(block.timestamp);
        bytes memory reason;
        if (which == refunds.length) {
            order.output.deadline = deadline;
            bytes4 selector = IOrderReceiver.OutputDeadlinePassed.selector;
            reason = abi.encodeWithSelector(selector, deadline, deadline + 1);
            for (uint256 i; i < refunds.length; ++i) refunds[i].deadline = type(uint32).max;
        } else {
            for (uint256 i; i < refunds.length; ++i)
                refunds[i].deadline = i < which ? deadline + 1 : deadline;
            bytes4 selector = IOrderReceiver.RefundDeadlinePassed.selector;
            reason = abi.encodeWithSelector(selector, which, deadline, deadline + 1);
        }
        VM.warp(deadline + 1);
        _assertRefused(order, index, reason);
        VM.warp(deadline);
        _assertPaid(order, index, _signed(order), OWNER);
    }

    function testFuzz_RevertGiven_TheOrderWasPaidByAnyAccountInputAndSignature(
        uint256 seed,
        bool isNative
    ) public {
        (Order.Data memory order, uint256 index) = _drawn(seed, isNative, AMOUNT);
        Order.Input memory input = order.inputs[index];
        order.inputs = new Order.Input[](2);
        (order.inputs[0], order.inputs[1]) = (input, input);
        bytes32 id = _plainHash(order);
        _assertPaid(order, 1, _signDigestCompact(ORDER_KEY, _ethereumMessage(id)), OWNER);
        bytes memory reason = abi.encodeWithSelector(IRecordReceiver.RequestAlreadyConsumed.selector, id);
        _assertRefused(order, 0, reason);
        VM.deal(address(this), AMOUNT);
        bytes memory signature = _signed(order);
        VM.expectRevert(reason);
        if (isNative) _orders.deposit{value: AMOUNT}(order, 1, signature);
        else _orders.depositErc20(address(_token), AMOUNT, order, 1, signature);
    }

    function testFuzz_RevertWhen_TheSolverSignedTheBareIdOrARecordOfIt(uint256 seed) public {
        (Order.Data memory order, uint256 index) = _drawn(seed, true, AMOUNT);
        bytes32 id = _plainHash(order);
        bytes32[2] memory digests = [id, _ethereumMessage(keccak256(abi.encode(id, block.chainid)))];
        for (uint256 i; i < digests.length; ++i) {
            (bool success, bytes memory reason) = _send(order, index, _signDigest(ORDER_KEY, digests[i]));
            _assertEq(success, false);
            _assertSelector(reason, IOrderReceiver.OrderNotSignedBySolver.selector);
        }
    }

    function testFuzz_RevertWhen_AnotherTokenThanTheOrdersIsPaid(uint256 seed) public {
        (Order.Data memory order, uint256 index) = _drawn(seed, false, AMOUNT);
        PlainToken other = new PlainToken();
        bytes memory signature = _signed(order);
        bytes memory currency = abi.encodePacked(_token);
        VM.expectRevert(
            abi.encodeWithSelector(IOrderReceiver.InputCurrencyMismatch.selector, currency, address(other))
        );
        _orders.depositErc20(address(other), AMOUNT, order, index, signature);
        // A native order names the token of address zero.
        (order, index) = _drawn(seed, true, AMOUNT);
        signature = _signed(order);
        VM.expectRevert(abi.encodeWithSelector(TokenReads.TokenHasNoCode.selector, address(0)));
        _orders.depositErc20(address(0), AMOUNT, order, index, signature);
    }

    function test_AnApprovalThatATokenDoesNotReduceIsRevoked() public {
        PlainToken token = new PlainToken();
        token.mint(OWNER, type(uint256).max);
        _approve(address(token), address(_orders), type(uint256).max);
        (Order.Data memory order, uint256 index) = _payable(1, address(token), type(uint256).max);
        (bool success, ) = _send(order, index, _signed(order));
        _assertEq(success, true);
        _assertEq(token.balanceOf(address(_depository)), type(uint256).max);
        _assertEq(token.allowance(address(_orders), address(_depository)), 0);
    }

    function test_RevertWhen_TheOwnerOfASignedPaymentIsZero() public {
        (Order.Data memory order, uint256 index) = _drawn(1, false, AMOUNT);
        bytes memory signature = _signed(order);
        ISignedPulls.Permit2Transfer memory transfer;
        ISignedPulls.Authorization memory authorization;
        VM.expectRevert(abi.encodePacked(IRecordReceiver.AddressIsZero.selector));
        _orders.depositErc20WithPermit2(address(_token), AMOUNT, order, index, signature, transfer);
        VM.expectRevert(abi.encodePacked(IRecordReceiver.AddressIsZero.selector));
        _orders.depositErc20WithAuthorization(
            address(_token),
            AMOUNT,
            order,
            index,
            signature,
            authorization
        );
    }

    /// @dev The depository's code is replaced; the receiver must keep nothing and consume nothing.
    function test_RevertWhen_TheDepositoryTakesAnotherAmountOrRejects() public {
        bytes4 mismatch = IRecordReceiver.ArrivedAmountMismatch.selector;
        bytes memory nothing = abi.encodeWithSelector(mismatch, _token, AMOUNT, 0);
        address depository = address(_depository);
        _become(depository, "");
        _assertDepository(nothing);
        _become(depository, type(ReentrantTarget).runtimeCode);
        _assertDepository(nothing);
        bytes4 rejected = IOrderReceiver.DepositoryRejected.selector;
        bytes memory inner = abi.encodeWithSelector(RejectingRecipient.Rejected.selector, 0);
        _become(depository, type(RejectingRecipient).runtimeCode);
        _assertDepository(abi.encodeWithSelector(rejected, depository, inner));
        _become(depository, type(ReturndataBomb).runtimeCode);
        ReturndataBomb(payable(depository)).configure(2_000, true);
        _assertDepository(abi.encodeWithSelector(rejected, depository, new bytes(1024)));
        // It gets the amount from elsewhere, and the deposit stays here.
        _become(depository, type(ReentrantTarget).runtimeCode);
        ReentrantTarget(payable(depository)).arm(
            address(_token),
            abi.encodeCall(_token.mint, (depository, AMOUNT))
        );
        bytes4 changed = IRecordReceiver.TokenBalanceChanged.selector;
        _assertDepository(abi.encodeWithSelector(changed, _token, AMOUNT, 0));
    }

    function testFuzz_ABatchPaysNativeAndTokenOrdersExactlyOrReverts(uint256 seed, uint256 value) public {
        IOrderReceiver.OrderPayment[] memory payments = new IOrderReceiver.OrderPayment[](3);
        for (uint256 i; i < payments.length; ++i) {
            (Order.Data memory order, uint256 index) = _drawn(
                uint256(keccak256(abi.encode(seed, i))),
                i != 1,
                AMOUNT
            );
            payments[i] = IOrderReceiver.OrderPayment(order, index, _signed(order));
        }
        value = _bound(value, 0, 10 * AMOUNT);
        bytes4 selector = IBatchDeposits.NativeSumMismatch.selector;
        if (value != 2 * AMOUNT) {
            VM.expectRevert(abi.encodeWithSelector(selector, 2 * AMOUNT, value));
            VM.prank(OWNER);
            _orders.depositAll{value: value}(payments);
        }
        bytes memory own = payments[2].orderSignature;
        payments[2].orderSignature = payments[0].orderSignature;
        VM.prank(OWNER);
        (bool success, ) = address(_orders).call{value: 2 * AMOUNT}(
            abi.encodeCall(_orders.depositAll, (payments))
        );
        _assertEq(success, false);
        payments[2].orderSignature = own;

        VM.prank(OWNER);
        _orders.depositAll{value: 2 * AMOUNT}(payments);
        _assertEq(address(_depository).balance, 2 * AMOUNT);
        _assertEq(_token.balanceOf(address(_depository)), AMOUNT);
        _assertEq(address(_orders).balance + _token.balanceOf(address(_orders)), 0);
        for (uint256 i; i < payments.length; ++i) {
            _assertEq(_orders.depositorOf(_plainHash(payments[i].order)), OWNER);
        }
    }

    function test_RevertWhen_ABatchIsEmptyOrNamesAnOrderTwice() public {
        VM.expectRevert(abi.encodePacked(IBatchDeposits.BatchIsEmpty.selector));
        _orders.depositAll(new IOrderReceiver.OrderPayment[](0));
        IOrderReceiver.OrderPayment[] memory payments = new IOrderReceiver.OrderPayment[](2);
        (Order.Data memory order, uint256 index) = _drawn(1, true, AMOUNT);
        payments[0] = IOrderReceiver.OrderPayment(order, index, _signed(order));
        payments[1] = payments[0];
        bytes4 selector = IRecordReceiver.RequestAlreadyConsumed.selector;
        VM.expectRevert(abi.encodeWithSelector(selector, _plainHash(order)));
        VM.prank(OWNER);
        _orders.depositAll{value: 2 * AMOUNT}(payments);
    }

    function _assertDepository(bytes memory reason) private {
        (Order.Data memory order, uint256 index) = _drawn(7, false, AMOUNT);
        _assertRefused(order, index, reason);
        _assertEq(_orders.depositorOf(_plainHash(order)), address(0));
        _assertEq(_token.balanceOf(address(_orders)), 0);
    }

    function _assertRefused(Order.Data memory order, uint256 index, bytes memory expected) private {
        uint256 before = _token.balanceOf(OWNER) + OWNER.balance;
        (bool success, bytes memory reason) = _send(order, index, _signed(order));
        _assertEq(success, false);
        _assertEq(reason, expected);
        _assertEq(_token.balanceOf(OWNER) + OWNER.balance, before);
    }

    function _assertPaid(
        Order.Data memory order,
        uint256 index,
        bytes memory signature,
        address depositor
    ) private {
        (bool success, bytes memory reason) = _send(order, index, signature);
        _assertEq(reason, "");
        _assertEq(success, true);
        _assertEq(_orders.depositorOf(_plainHash(order)), depositor);
        _assertEq(_token.balanceOf(address(_depository)) + address(_depository).balance, AMOUNT);
    }

    /// @dev Pays the input's amount as the owner.
    function _send(
        Order.Data memory order,
        uint256 index,
        bytes memory signature
    ) private returns (bool success, bytes memory reason) {
        Order.InputPayment memory payment = order.inputs[index].payment;
        bytes memory data = _orderCall(order, index, signature, Way.Plain);
        uint256 value = address(bytes20(payment.currency)) == address(0) ? payment.amount : 0;
        VM.prank(OWNER);
        (success, reason) = address(_orders).call{value: value}(data);
    }

    function _drawn(
        uint256 seed,
        bool isNative,
        uint256 amount
    ) private view returns (Order.Data memory, uint256) {
        return _payable(seed, isNative ? address(0) : address(_token), amount);
    }
}
