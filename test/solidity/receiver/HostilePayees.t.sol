// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IOrderReceiver} from "../../../contracts/interfaces/receiver/IOrderReceiver.sol";
import {IRecordReceiver} from "../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {RejectingRecipient} from "../../../contracts/mocks/RejectingRecipient.sol";
import {RepayingPayee} from "../../../contracts/mocks/RepayingPayee.sol";
import {GasBurningRecipient} from "../../../contracts/mocks/GasBurningRecipient.sol";
import {ReentrantTarget} from "../../../contracts/mocks/ReentrantTarget.sol";
import {ReturndataBomb} from "../../../contracts/mocks/ReturndataBomb.sol";
import {TransientGuard} from "../../../contracts/receiver/TransientGuard.sol";
import {MoneyPaths} from "./MoneyPaths.sol";

/// @title HostilePayeesTest
/// @notice Each path of native money against payees whose code rejects it, burns gas, calls back or answers with megabytes.
contract HostilePayeesTest is MoneyPaths {
    uint256 private constant BURNT = 1_000_000;

    Path[8] private _paths = [
        Path.RecordPlain,
        Path.RecordBatch,
        Path.OrderPlain,
        Path.OrderBatch,
        Path.ForwardRefund,
        Path.Sweep,
        Path.Rescue,
        Path.Withdraw
    ];

    /// @dev Native money, as a payout of the ledger.
    receive() external payable {}

    function setUp() public {
        _deployPaths();
    }

    function test_RevertWhen_ThePayeeRejectsNativeMoneyWithItsReason() public {
        for (uint256 i; i < _paths.length; ++i) {
            Move memory move = _prepared(_paths[i], type(RejectingRecipient).runtimeCode);
            bytes memory reason = abi.encodeWithSelector(RejectingRecipient.Rejected.selector, AMOUNT);
            _assertRefused(_paths[i], move, gasleft(), _failed(_paths[i], move, reason));
        }
    }

    function test_ThePayeeGetsAllGasAndOutOfGasIsNamed() public {
        bytes memory code = address(new GasBurningRecipient(BURNT)).code;
        for (uint256 i; i < _paths.length; ++i) {
            Move memory move = _prepared(_paths[i], code);
            _assertRefused(_paths[i], move, BURNT, _failed(_paths[i], move, ""));
            _assertPaid(_paths[i], move, 3 * BURNT);
        }
    }

    /// @dev The buffer costs its payee more than two million gas, and would cost a caller that copies it as much again.
    function test_AHugeAnswerOfThePayeeIsNotCopied() public {
        uint256 enough = 3_000_000;
        for (uint256 i; i < _paths.length; ++i) {
            Move memory move = _prepared(_paths[i], type(ReturndataBomb).runtimeCode);
            ReturndataBomb(payable(move.payee)).configure(1_000_000, true);
            _assertRefused(_paths[i], move, enough, _failed(_paths[i], move, new bytes(1024)));
            ReturndataBomb(payable(move.payee)).configure(1_000_000, false);
            _assertPaid(_paths[i], move, enough);
        }
    }

    function test_APayeeThatMakesTheSameCallAgainIsRefused() public {
        for (uint256 i; i < _paths.length; ++i) {
            Path path = _paths[i];
            // Forwarded refunds may return: see below.
            if (path == Path.ForwardRefund) continue;
            bool isPaidIn = path < Path.ForwardRefund;
            Move memory move = _prepared(
                path,
                isPaidIn ? type(RepayingPayee).runtimeCode : type(ReentrantTarget).runtimeCode
            );
            RepayingPayee payee = RepayingPayee(payable(move.payee));
            payee.arm(move.target, move.data);
            _assertPaid(path, move, gasleft());
            _assertEq(payee.fired(), 1);
            bytes memory expected = abi.encodePacked(TransientGuard.Reentrancy.selector);
            if (path == Path.Rescue) expected = abi.encodePacked(bytes4(keccak256("Unauthorized()")));
            if (path == Path.RecordPlain || path == Path.OrderPlain) {
                expected = abi.encodeWithSelector(IRecordReceiver.RequestAlreadyConsumed.selector, move.id);
            }
            _assertEq(payee.lastReturnData(), expected);
        }
    }

    function test_ARefundThatItsDepositorSendsBackIsForwardedAgain() public {
        Move memory move = _prepared(Path.ForwardRefund, type(RepayingPayee).runtimeCode);
        RepayingPayee(payable(OWNER)).arm(move.target, move.data);
        _assertPaid(Path.ForwardRefund, move, gasleft());
        _assertEq(RepayingPayee(payable(OWNER)).lastSuccess(), true);
    }

    function test_APayeeThatRefundsWhileItIsPaidPaysTheDepositorOnceAndTheRequestStaysPaid() public {
        Move memory move = _prepared(Path.RecordPlain, type(RepayingPayee).runtimeCode);
        RepayingPayee(payable(move.payee)).arm(move.target, abi.encode(move.id));
        uint256[3] memory before = [OWNER.balance, move.target.balance, move.payee.balance];
        (bool success, ) = _send(move);
        _assertEq(success, true);
        _assertEq(abi.encode([OWNER.balance, move.target.balance, move.payee.balance]), abi.encode(before));
        _assertEq(_byReceiver.depositorOf(move.id), OWNER);
    }

    function test_APayeeThatSweepsWhileItIsPaidFindsNothing() public {
        Path[2] memory paths = [Path.RecordPlain, Path.RecordBatch];
        for (uint256 i; i < paths.length; ++i) {
            Move memory move = _prepared(paths[i], type(ReentrantTarget).runtimeCode);
            ReentrantTarget payee = ReentrantTarget(payable(move.payee));
            payee.arm(move.target, abi.encodeCall(_byReceiver.sweep, (1, address(0))));
            _assertPaid(paths[i], move, gasleft());
            _assertEq(payee.fired(), 1);
            _assertEq(payee.lastSuccess(), false);
        }
    }

    /// @dev The payer or the target holds the money, and the payee gets `code` with empty storage.
    function _prepared(Path path, bytes memory code) private returns (Move memory move) {
        VM.deal(OWNER, AMOUNT);
        VM.deal(STRANGER, AMOUNT);
        VM.deal(address(_byReceiver), path == Path.Sweep ? AMOUNT : 0);
        VM.deal(address(_ledger), path >= Path.Withdraw ? AMOUNT : 0);
        move = _move(path, address(0));
        _become(move.payee, code);
    }

    function _failed(Path path, Move memory move, bytes memory reason) private pure returns (bytes memory) {
        if (path == Path.OrderPlain || path == Path.OrderBatch) {
            return abi.encodeWithSelector(IOrderReceiver.DepositoryRejected.selector, move.payee, reason);
        }
        bytes4 selector = IRecordReceiver.PayeeRejectedNative.selector;
        return abi.encodeWithSelector(selector, move.payee, AMOUNT, reason);
    }

    function _assertRefused(Path path, Move memory move, uint256 gas, bytes memory expected) private {
        bytes memory before = _state(path, move);
        (bool success, bytes memory reason) = _sendWith(move, gas);
        _assertEq(success, false);
        _assertEq(reason, expected);
        _assertEq(_state(path, move), before);
    }

    function _assertPaid(Path path, Move memory move, uint256 gas) private {
        uint256[3] memory before = [move.from.balance, move.target.balance, move.payee.balance];
        (bool success, bytes memory reason) = _sendWith(move, gas);
        _assertEq(reason, "");
        _assertEq(success, true);
        _assertEq(before[0] - move.from.balance, AMOUNT);
        _assertEq(move.payee.balance - before[2], AMOUNT);
        if (move.from != move.target) _assertEq(move.target.balance, before[1]);
        uint256 noted = path < Path.ForwardRefund ? uint160(OWNER) : 0;
        _assertEq(_noted(path, move, address(0)), noted);
    }

    function _sendWith(Move memory move, uint256 gas) private returns (bool success, bytes memory reason) {
        VM.prank(move.caller);
        (success, reason) = move.target.call{gas: gas, value: move.value}(move.data);
    }

    function _state(Path path, Move memory move) private view returns (bytes memory) {
        return
            abi.encode(
                [move.from.balance, move.target.balance, move.payee.balance],
                _noted(path, move, address(0))
            );
    }
}
