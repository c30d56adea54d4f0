// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Order} from "../../../contracts/records/Order.sol";
import {OrderFixture} from "./order/OrderFixture.sol";
import {PermitsFixture} from "./pinned/PermitsFixture.sol";
import {RefundDesk} from "./policies/RefundDesk.sol";

/// @title MoneyPaths
/// @notice Every path of money through the receivers, for one payment of `AMOUNT`: deposits of records and orders in
/// each way, refunds that are forwarded, and refunds that are credited. The test owns the ledger.
abstract contract MoneyPaths is PermitsFixture, OrderFixture {
    /// @notice A path; the deposits follow the ways of `Way`.
    enum Path {
        RecordPlain,
        RecordPermit,
        RecordPermit2,
        RecordAuthorization,
        RecordBatch,
        OrderPlain,
        OrderPermit,
        OrderPermit2,
        OrderAuthorization,
        OrderBatch,
        ForwardRefund,
        Sweep,
        CreditedRefund,
        Withdraw,
        Rescue,
        Attribute
    }

    /// @notice A prepared call, and the accounts that lose and gain the amount.
    struct Move {
        address target;
        address caller;
        uint256 value;
        address from;
        address payee;
        uint256 amount;
        bytes32 id;
        bytes data;
    }

    uint256 internal constant AMOUNT = 1_000_000;
    bytes32 internal constant PAID = keccak256("a paid request");

    bytes32 internal constant USER = keccak256("recipient of the fill");

    address internal immutable RECIPIENT = _account("recipient");

    RefundDesk internal _ledger;
    uint256 private _ids;

    function _deployPaths() internal {
        _deployPermits();
        _deployOrders();
        _ledger = new RefundDesk(address(this));
        _ledger.consume(PAID, OWNER);
        // The request whose refunds are forwarded.
        Draw memory draw;
        (draw.amount, draw.requestId, draw.destinationUser) = (1, PAID, USER);
        Payment memory payment = _signedPayment(draw, OWNER, address(0));
        payment.signature = bytes.concat(payment.signature, _policyData(address(_byReceiver), PAID));
        (bool success, ) = _attempt(payment, _callOf(payment));
        _assertEq(success, true);
    }

    /// @dev Prepares a path. The payer holds the currency, and has approved every spender.
    function _move(Path path, address currency) internal returns (Move memory move) {
        uint256 kind = uint256(path);
        move.amount = AMOUNT;
        move.value = currency == address(0) ? AMOUNT : 0;
        (move.from, move.caller) = (OWNER, OWNER);
        if (kind < 5) _recordMove(Way(kind), currency, move);
        else if (kind < 10) _orderMove(Way(kind - 5), currency, move);
        else _refundMove(path, currency, move);
    }

    function _refundMove(Path path, address currency, Move memory move) private {
        move.id = PAID;
        if (path == Path.ForwardRefund) {
            (move.target, move.payee) = (address(_byReceiver), OWNER);
            (move.caller, move.from) = (STRANGER, STRANGER);
            move.data = abi.encodeCall(_byReceiver.refundErc20, (PAID, currency, AMOUNT));
        } else if (path == Path.CreditedRefund) {
            (move.target, move.payee) = (address(_ledger), address(_ledger));
            move.data = abi.encodeCall(_ledger.refundErc20, (PAID, currency, AMOUNT));
        } else {
            move.value = 0;
            move.target = path == Path.Sweep ? address(_byReceiver) : address(_ledger);
            move.from = move.target;
            move.amount = _balanceOf(currency, move.target);
            _payOut(path, currency, move.amount, move);
        }
        // The id is the whole calldata of a native refund.
        if (currency == address(0) && move.value != 0) move.data = abi.encode(PAID);
    }

    function _payOut(Path path, address currency, uint256 held, Move memory move) private {
        if (path == Path.Sweep) {
            (move.caller, move.payee) = (STRANGER, REFUND_PAYEE);
            move.data = abi.encodeCall(_byReceiver.sweep, (held, currency));
            return;
        }
        if (path == Path.Withdraw) {
            _ledger.creditRefund(PAID, currency, held);
            move.payee = RECIPIENT;
            move.data = abi.encodeCall(_ledger.withdrawRefund, (PAID, currency, RECIPIENT, held));
            return;
        }
        move.caller = address(this);
        move.payee = path == Path.Rescue ? RECIPIENT : move.target;
        move.data =
            path == Path.Rescue
                ? abi.encodeCall(_ledger.rescue, (currency, RECIPIENT, held))
                : abi.encodeCall(_ledger.creditRefund, (PAID, currency, held));
    }

    function _recordMove(Way way, address currency, Move memory move) private {
        Draw memory draw;
        (draw.amount, draw.requestId, draw.destinationUser) = (AMOUNT, bytes32(++_ids), USER);
        Payment memory payment = _signedPayment(draw, OWNER, currency);
        bytes memory policyData = _policyData(address(_byReceiver), draw.requestId);
        payment.signature = bytes.concat(payment.signature, policyData);
        (move.target, move.id) = (address(_byReceiver), draw.requestId);
        move.payee = currency == address(0) ? NATIVE_PAYEE : SOLVER;
        move.data = _callOf(payment, way);
    }

    function _orderMove(Way way, address currency, Move memory move) private {
        (Order.Data memory order, uint256 index) = _drawOrder(++_ids, currency);
        (move.target, move.payee, move.id) = (address(_orders), address(_depository), _plainHash(order));
        bytes memory policyData = _policyData(address(_orders), move.id);
        move.data = _orderCall(order, index, bytes.concat(_signed(order), policyData), way);
    }

    /// @dev The data of a receiver's policies, after the solver's signature.
    function _policyData(address receiver, bytes32 id) internal virtual returns (bytes memory data) {}

    function _drawOrder(
        uint256 seed,
        address currency
    ) internal virtual returns (Order.Data memory order, uint256 index) {
        return _payable(seed, currency, AMOUNT);
    }

    function _send(Move memory move) internal returns (bool success, bytes memory reason) {
        VM.prank(move.caller);
        (success, reason) = move.target.call{value: move.value}(move.data);
    }

    /// @dev What the target stores about the payment: its depositor, or its credit.
    function _noted(Path path, Move memory move, address currency) internal view returns (uint256) {
        if (move.target == address(_ledger)) return _ledger.creditOf(PAID, currency);
        if (uint256(path) < 5) return uint160(_byReceiver.depositorOf(move.id));
        return uint256(path) < 10 ? uint160(_orders.depositorOf(move.id)) : 0;
    }
}
