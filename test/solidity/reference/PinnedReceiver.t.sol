// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordReceiver} from "../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {TransferWithId} from "../../../contracts/libraries/TransferWithId.sol";
import {FeeOnTransferToken} from "../../../contracts/mocks/FeeOnTransferToken.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {PinnedFixture} from "../receiver/pinned/PinnedFixture.sol";
import {ReferenceReceiver} from "./ReferenceReceiver.sol";

/// @title PinnedReceiverReferenceTest
/// @notice Sequences of valid and changed payments have the same outcome at the receiver and at its reference: reason,
/// balances, allowance, depositor and event.
contract PinnedReceiverReferenceTest is PinnedFixture {
    uint256 private constant CHANGES = 26;
    /// @dev Changes from here on change the call, not the payment.
    uint256 private constant CALL_CHANGES = 20;

    /// @notice A payment, and how its call differs from the plain one.
    struct Case {
        Payment payment;
        bytes data;
        uint256 value;
        uint256 funds;
    }

    struct Outcome {
        bool success;
        bytes reason;
        address depositor;
        uint256 spent;
        uint256 arrived;
        uint256 kept;
        uint256 allowance;
    }

    ReferenceReceiver private _plainByReceiver;
    ReferenceReceiver private _plainByCaller;
    address private _feeToken;
    uint256 private _home;
    bool private _isExpected;

    function setUp() public {
        _deployReceivers();
        _plainByReceiver = new ReferenceReceiver(SOLVER, NATIVE_PAYEE, address(_byReceiver));
        _plainByCaller = new ReferenceReceiver(SOLVER, NATIVE_PAYEE, address(0));
        _feeToken = address(new FeeOnTransferToken(100));
        _home = block.chainid;
    }

    // @spec signature/amount signature/request-id signature/unpaid
    function testFuzz_PaymentsInSequenceHaveTheOutcomeOfTheReference(
        uint256 seed,
        uint256[4] memory changes
    ) public {
        for (uint256 i; i < changes.length; ++i) {
            uint256 value = uint256(keccak256(abi.encode(seed, i)));
            _assertAgree(value, changes[i] % CHANGES);
            // The same payment again, and in the other form of its signature.
            _assertAgree(value, 0);
            _assertAgree(value, 15);
        }
    }

    /// @dev The fuzzer may miss a kind of change.
    function test_EveryKindOfChangeHasTheOutcomeOfTheReference() public {
        uint256 accepted;
        for (uint256 i; i < 8 * CHANGES; ++i) {
            if (_assertAgree(uint256(keccak256(abi.encode("payment", i))), i % CHANGES)) ++accepted;
        }
        // A pair that refuses everything would agree.
        _assertLe(24, accepted);
    }

    function testFuzz_BatchesHaveTheOutcomeOfTheReference(uint256 seed, uint256 changed) public {
        IRecordReceiver.Payment[] memory payments = new IRecordReceiver.Payment[](seed % 5);
        bool bindsCaller = seed % 2 == 0;
        uint256 value;
        for (uint256 i; i < payments.length; ++i) {
            uint256 own = uint256(keccak256(abi.encode(seed, i)));
            Case memory each = _case(own, bindsCaller);
            // Half of the batches are valid.
            bool isChanged = changed % 2 == 0 && (changed >> 8) % payments.length == i;
            _changePayment(each, isChanged ? (changed >> 16) % CALL_CHANGES : 0, own >> 9);
            Payment memory payment = each.payment;
            payments[i] = IRecordReceiver.Payment({
                currency: payment.currency,
                amount: payment.amount,
                requestId: payment.requestId,
                destinationChainId: payment.destinationChainId,
                destinationUser: payment.destinationUser,
                signature: payment.signature
            });
            if (payment.currency == address(0)) value += payment.amount;
        }
        if (changed % 16 == 1) value += 1;
        if (changed % 16 == 3 && value != 0) value -= 1;
        _assertBatchesAgree(payments, bindsCaller, value);
    }

    function _assertAgree(uint256 seed, uint256 change) private returns (bool) {
        Case memory each = _case(seed, seed % 2 == 0);
        Payment memory payment = each.payment;
        _changePayment(each, change, seed >> 9);
        each.data = _callOf(payment);
        each.value = payment.currency == address(0) ? payment.amount : 0;
        each.funds = payment.amount + 1;
        _changeCall(each, change, seed >> 9);

        bool isByReceiver = address(payment.receiver) == address(_byReceiver);
        Outcome memory plain = _run(each, address(isByReceiver ? _plainByReceiver : _plainByCaller));
        Outcome memory outcome = _run(each, address(payment.receiver));
        VM.chainId(_home);
        _assertSame(outcome, plain);
        return plain.success;
    }

    /// @dev The reference runs first, and says whether the receiver must emit the event.
    function _run(Case memory each, address receiver) private returns (Outcome memory outcome) {
        Payment memory payment = each.payment;
        (address currency, address caller) = (payment.currency, payment.caller);
        address payee = currency == address(0) ? NATIVE_PAYEE : SOLVER;
        _fundWith(each.funds, currency, caller, receiver);
        uint256 held = _balanceOf(currency, caller);
        uint256 before = _balanceOf(currency, payee);
        if (receiver == address(payment.receiver) && _isExpected) _expectDeposited(payment, caller);
        VM.prank(caller);
        (outcome.success, outcome.reason) = receiver.call{value: each.value}(each.data);
        _isExpected = outcome.success;
        outcome.depositor = ReferenceReceiver(receiver).depositorOf(payment.requestId);
        outcome.spent = held - _balanceOf(currency, caller);
        outcome.arrived = _balanceOf(currency, payee) - before;
        outcome.kept = _balanceOf(currency, receiver);
        if (currency != address(0)) outcome.allowance = LocalToken(currency).allowance(caller, receiver);
    }

    function _assertSame(Outcome memory outcome, Outcome memory plain) private pure {
        _assertEq(outcome.success, plain.success);
        _assertSameReason(outcome.reason, plain.reason);
        _assertEq(outcome.depositor, plain.depositor);
        _assertEq(outcome.spent, plain.spent);
        _assertEq(outcome.arrived, plain.arrived);
        _assertEq(outcome.kept, 0);
        _assertEq(outcome.allowance, plain.allowance);
    }

    /// @dev The reference has no reason for calldata and tokens that it cannot read. The token's own reason names its caller.
    function _assertSameReason(bytes memory reason, bytes memory plain) private pure {
        bytes4 selector = TransferWithId.TokenTransferFailed.selector;
        if (bytes4(plain) == selector) _assertSelector(reason, selector);
        else if (plain.length != 0) _assertEq(reason, plain);
    }

    function _assertBatchesAgree(
        IRecordReceiver.Payment[] memory payments,
        bool bindsCaller,
        uint256 value
    ) private {
        address[2] memory receivers =
            bindsCaller
                ? [address(_plainByCaller), address(_byCaller)]
                : [address(_plainByReceiver), address(_byReceiver)];
        bytes[2] memory outcomes;
        bytes[2] memory reasons;
        for (uint256 i; i < 2; ++i) {
            for (uint256 j; j < payments.length; ++j) {
                address currency = payments[j].currency;
                if (currency == address(0)) continue;
                _fundWith(payments[j].amount, currency, DEPOSITOR, receivers[i]);
                VM.prank(DEPOSITOR);
                LocalToken(currency).approve(receivers[i], type(uint256).max);
            }
            VM.deal(DEPOSITOR, value);
            uint256[3] memory before = _payeeBalances();
            VM.prank(DEPOSITOR);
            (bool success, bytes memory reason) = receivers[i].call{value: value}(
                abi.encodeCall(IRecordReceiver.depositAll, (payments))
            );
            uint256[3] memory arrived = _payeeBalances();
            address[] memory depositors = new address[](payments.length);
            for (uint256 j; j < 3; ++j) arrived[j] -= before[j];
            for (uint256 j; j < payments.length; ++j) {
                depositors[j] = ReferenceReceiver(receivers[i]).depositorOf(payments[j].requestId);
            }
            (outcomes[i], reasons[i]) = (abi.encode(success, arrived, depositors, DEPOSITOR.balance), reason);
        }
        _assertEq(outcomes[1], outcomes[0]);
        _assertSameReason(reasons[1], reasons[0]);
    }

    function _payeeBalances() private view returns (uint256[3] memory) {
        return [NATIVE_PAYEE.balance, _token.balanceOf(SOLVER), _otherToken.balanceOf(SOLVER)];
    }

    function _fundWith(uint256 amount, address currency, address caller, address receiver) private {
        if (currency == address(0)) {
            VM.deal(caller, amount);
            return;
        }
        LocalToken(currency).mint(caller, amount);
        VM.prank(caller);
        LocalToken(currency).approve(receiver, amount);
    }

    /// @dev A signed payment. Ids repeat.
    function _case(uint256 seed, bool bindsCaller) private view returns (Case memory each) {
        Draw memory draw = Draw({
            amount: _bound(seed >> 32, 2, type(uint64).max),
            requestId: seed % 4 == 0 ? bytes32((seed >> 128) % 8) : keccak256(abi.encode("id", seed)),
            destinationChainId: seed >> 200,
            destinationUser: keccak256(abi.encode(seed)),
            isNative: false,
            bindsCaller: bindsCaller,
            compact: seed % 7 == 0
        });
        address currency = [address(0), address(_token), address(_otherToken)][(seed >> 16) % 3];
        each.payment = _signedPayment(draw, DEPOSITOR, currency);
    }

    /// @dev Changes a term, or how it is signed. A changed term is signed only where stated.
    function _changePayment(Case memory each, uint256 change, uint256 value) private view {
        Payment memory payment = each.payment;
        if (change == 1) payment.amount += 1;
        if (change == 2) payment.amount -= 1;
        if (change == 3) payment.amount = value % type(uint64).max;
        if (change == 4) payment.requestId = bytes32(value);
        if (change == 5) payment.destinationChainId ^= 1;
        if (change == 6) payment.destinationUser ^= bytes32(uint256(1) << (value % 256));
        if (change == 7) payment.currency = address(_otherToken);
        if (change == 8) payment.currency = address(0);
        if (change == 9) payment.amount = 0;
        if (change == 10) payment.destinationChainId = value;
        // Signed.
        if (change == 9 || change == 10) _sign(SOLVER_KEY, payment);
        if (change == 11) _sign(_boundKey(value), payment);
        if (change == 12) payment.signature = _signDigest(SOLVER_KEY, _recordHash(_recordOf(payment)));
        if (change > 12) _changeSignature(payment, change, value);
    }

    function _changeSignature(Payment memory payment, uint256 change, uint256 value) private view {
        bytes memory signature = _signDigest(SOLVER_KEY, _digest(_recordOf(payment)));
        (bytes32 r, bytes32 s, uint8 v) = _split(signature);
        if (change == 13) payment.signature = abi.encodePacked(r, bytes32(CURVE_ORDER - uint256(s)), 55 - v);
        if (change == 14) payment.signature = abi.encodePacked(r, s, uint8(value));
        if (change == 15) payment.signature = _signDigestCompact(SOLVER_KEY, _digest(_recordOf(payment)));
        if (change == 16) payment.signature = bytes.concat(signature, new bytes(1 + (value % 64)));
        if (change == 17) payment.signature = new bytes(value % 67);
        if (change == 18) payment.signature = abi.encodePacked(r, s ^ bytes32(value >> 1), v);
        if (change == 19) payment.signature = abi.encodePacked(r ^ bytes32(value), s);
    }

    /// @dev Changes the caller, the receiver, the money, the chain, or the calldata.
    function _changeCall(Case memory each, uint256 change, uint256 value) private {
        Payment memory payment = each.payment;
        if (change == 20) payment.caller = STRANGER;
        if (change == 21) payment.receiver = value % 2 == 0 ? _byReceiver : _byCaller;
        if (change == 22 && payment.currency != address(0)) each.funds = value % payment.amount;
        if (change == 23 && payment.currency != address(0)) {
            payment.currency = _feeToken;
            _sign(SOLVER_KEY, payment);
            each.data = _callOf(payment);
        }
        if (change == 24) VM.chainId(1 + (value % type(uint64).max));
        if (change == 25) each.data = _changeData(each.data, value);
    }

    /// @dev Cuts the calldata, flips one bit of it, or moves the signature one word back.
    function _changeData(bytes memory data, uint256 value) private pure returns (bytes memory changed) {
        if (value % 3 == 1)
            data[4 + ((value >> 2) % (data.length - 4))] ^= bytes1(uint8(1 << ((value >> 64) % 8)));
        if (value % 3 != 2) {
            uint256 length = value % 3 == 0 ? data.length - 1 - (value % 64) : data.length;
            assembly ("memory-safe") {
                mstore(data, length)
            }
            return data;
        }
        // The offset is the last of the arguments, before the signature.
        uint256 head = 4 + (data.length > 270 ? 6 : 4) * 32;
        for (uint256 i; i < data.length + 32; ++i) {
            bytes1 moved =
                i < head
                    ? data[i]
                    : i < head + 32
                        ? bytes1(0)
                        : data[i - 32];
            changed = bytes.concat(changed, moved);
        }
        changed[head - 1] = bytes1(uint8(changed[head - 1]) + 32);
    }
}
