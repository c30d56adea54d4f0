// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TermsChecker} from "../../../contracts/mocks/TermsChecker.sol";
import {Order} from "../../../contracts/records/Order.sol";
import {OrderTerms} from "../../../contracts/records/OrderTerms.sol";
import {TermsReference} from "../reference/TermsReference.sol";

/// @title OrderTermsTest
/// @notice `OrderTerms` agrees with a plain version that shares no code with it, reason by reason.
contract OrderTermsTest is TermsReference {
    uint256 private constant NOW = 1_790_000_000;
    uint256 private constant ORDER_CHANGES = 36;
    uint256 private constant TERMS_CHANGES = 14;
    uint256 private constant SIGNATURE_CHANGES = 5;

    TermsChecker private _checker;

    /// @dev Inputs of one run.
    struct Case {
        Order.Data order;
        bytes signature;
        Wanted wanted;
        uint256 key;
    }

    function setUp() public {
        _checker = new TermsChecker();
        VM.warp(NOW);
    }

    function testFuzz_AcceptsEveryOrderThatSatisfiesItsTermsAndReturnsItsId(uint256 seed) public view {
        Case memory each = _case(seed);
        (bool isAccepted, bytes memory answer) = _run(each);
        _assertEq(isAccepted, true);
        _assertEq(abi.decode(answer, (bytes32)), _plainHash(each.order));
    }

    function testFuzz_GivesTheReasonOfThePlainVersionAfterOneChange(
        uint256 seed,
        uint256 change
    ) public view {
        Case memory each = _case(seed);
        uint256 kind = change % (ORDER_CHANGES + TERMS_CHANGES + SIGNATURE_CHANGES);
        uint256 value = uint256(keccak256(abi.encode(seed, change)));
        if (kind < 14) _changeInput(each, kind, value);
        else if (kind < ORDER_CHANGES) _changeOutput(each, kind, value);
        else if (kind < ORDER_CHANGES + TERMS_CHANGES) _changeTerms(each, kind - ORDER_CHANGES, value);
        // Half of the changed orders are signed anew, so that terms decide about them, not the signature.
        if (kind < ORDER_CHANGES && value % 2 == 0) each.signature = _sign(each);
        if (kind >= ORDER_CHANGES + TERMS_CHANGES) _changeSignature(each, kind, value);

        bytes memory expected = _reason(each.order, each.signature, each.wanted);
        (bool isAccepted, bytes memory answer) = _run(each);
        _assertEq(isAccepted, expected.length == 0);
        _assertEq(answer, isAccepted ? abi.encode(_plainHash(each.order)) : expected);
    }

    /// @dev The fuzzer may miss a kind of change; every one is made here, with a dozen values.
    function test_GivesTheReasonOfThePlainVersionAfterEveryKindOfChange() public view {
        uint256 kinds = ORDER_CHANGES + TERMS_CHANGES + SIGNATURE_CHANGES;
        for (uint256 i; i < 12 * kinds; ++i) {
            uint256 seed = uint256(keccak256(abi.encode("order", i)));
            testFuzz_GivesTheReasonOfThePlainVersionAfterOneChange(seed, i);
        }
    }

    function testFuzz_AcceptsTheShortFormOfTheSignature(uint256 seed) public view {
        Case memory each = _case(seed);
        each.signature = _signDigestCompact(each.key, _ethereumMessage(_plainHash(each.order)));
        (bool isAccepted, ) = _run(each);
        _assertEq(isAccepted, true);
    }

    function testFuzz_RefusesAPassedDeadlineThatTheTermsAllow(uint256 seed, uint256 deadline) public view {
        Case memory each = _case(seed);
        OrderTerms.Terms memory terms = each.wanted.terms;
        terms.earliestDeadline = 0;
        each.order.output.deadline = uint32(_bound(deadline, 0, NOW - 1));
        each.signature = _sign(each);
        (bool isAccepted, bytes memory answer) = _run(each);
        _assertEq(isAccepted, false);
        bytes4 selector = OrderTerms.DeadlineOutsideWindow.selector;
        deadline = each.order.output.deadline;
        _assertEq(answer, abi.encodeWithSelector(selector, deadline, NOW, terms.latestDeadline));
        each.order.output.deadline = uint32(NOW);
        each.signature = _sign(each);
        (isAccepted, ) = _run(each);
        _assertEq(isAccepted, true);
    }

    /// @dev Empty terms name the zero address as solver, and a failed recovery yields it.
    function testFuzz_RefusesASignatureOfNobodyForTermsWithoutASolver(uint256 seed) public view {
        Case memory each = _case(seed);
        (each.order.solver, each.wanted.terms.solver) = (address(0), address(0));
        each.signature = abi.encodePacked(bytes32(uint256(1)), bytes32(uint256(1)), uint8(0));
        (bool isAccepted, bytes memory answer) = _run(each);
        _assertEq(isAccepted, false);
        bytes4 selector = OrderTerms.SignerDiffers.selector;
        _assertEq(answer, abi.encodeWithSelector(selector, address(0), address(0)));
    }

    function test_RefusesAZeroDepositorAndTheContractItself() public {
        VM.expectRevert(abi.encodeWithSelector(OrderTerms.DepositorInvalid.selector, address(0)));
        _checker.checkDepositor(address(0));
        VM.expectRevert(abi.encodeWithSelector(OrderTerms.DepositorInvalid.selector, _checker));
        _checker.checkDepositor(address(_checker));
        _checker.checkDepositor(address(this));
    }

    function _run(Case memory each) private view returns (bool, bytes memory) {
        return
            address(_checker).staticcall(
                abi.encodeWithSelector(
                    TermsChecker.check.selector,
                    each.order,
                    each.signature,
                    each.wanted.terms
                )
            );
    }

    function _sign(Case memory each) private pure returns (bytes memory) {
        return _signOrder(each.key, _plainHash(each.order));
    }

    /// @dev An order with terms that it satisfies exactly. Odd parts vary by the seed: address lengths, calls, fees,
    /// number and recipients of refunds.
    function _case(uint256 seed) private pure returns (Case memory each) {
        each.key = _boundKey(seed);
        Wanted memory wanted = each.wanted;
        OrderTerms.Terms memory terms = wanted.terms;
        terms.solver = VM.addr(each.key);
        (wanted.originChain, wanted.destinationChain) = ("base", "solana");
        wanted.recipient = _content(seed >> 8, 16 + (seed % 18));
        wanted.outputCurrency = _content(seed >> 16, 16 + ((seed >> 4) % 18));
        wanted.anyCurrency = seed % 5 == 0;
        wanted.calls = new bytes[](seed % 3);
        for (uint256 i; i < wanted.calls.length; ++i) wanted.calls[i] = _content(seed >> i, (seed >> 9) % 90);
        terms.originChain = keccak256("base");
        terms.destinationChain = keccak256("solana");
        terms.currency = seed % 2 == 0 ? address(0) : address(uint160(seed >> 3));
        terms.amount = seed >> 5;
        terms.refundTo = address(uint160((seed >> 7) | 1));
        terms.recipient = keccak256(wanted.recipient);
        terms.outputCurrency =
            wanted.anyCurrency ? OrderTerms.ANY_CURRENCY : keccak256(wanted.outputCurrency);
        terms.minimumAmount = (seed >> 11) + 1;
        terms.callsHash = wanted.calls.length == 0 ? bytes32(0) : _hashCalls(wanted.calls);
        terms.earliestDeadline = NOW + ((seed >> 13) % 1_000);
        terms.latestDeadline = terms.earliestDeadline + ((seed >> 15) % 1_000);
        _fill(each, seed);
        each.signature = _sign(each);
    }

    function _fill(Case memory each, uint256 seed) private pure {
        Wanted memory wanted = each.wanted;
        OrderTerms.Terms memory terms = wanted.terms;
        Order.Data memory order = each.order;
        (order.version, order.solverChainId, order.solver, order.salt) = ("v1", "base", terms.solver, seed);
        order.inputs = new Order.Input[](1);
        bytes memory currency = abi.encodePacked(terms.currency);
        order.inputs[0].payment = Order.InputPayment("base", currency, terms.amount, 1);
        uint32 deadline = uint32(_bound(seed >> 20, terms.earliestDeadline, terms.latestDeadline));
        order.inputs[0].refunds = new Order.InputRefund[](1 + (seed % 4));
        for (uint256 i; i <= seed % 4; ++i) {
            bool isOrigin = i == seed % 2 || seed % 4 == 0;
            bytes memory refundTo = abi.encodePacked(terms.refundTo);
            order.inputs[0].refunds[i] = Order.InputRefund({
                chainId: isOrigin ? "base" : "solana",
                recipient: isOrigin || wanted.calls.length != 0 || seed % 7 < 3 ? refundTo : wanted.recipient,
                currency: isOrigin ? currency : _content(seed, 32),
                minimumAmount: seed >> 30,
                deadline: isOrigin ? deadline + uint32(i) : uint32(seed),
                extraData: _content(seed, 32)
            });
        }
        order.output.chainId = "solana";
        order.output.payments = new Order.OutputPayment[](1);
        order.output.payments[0] = Order.OutputPayment({
            recipient: wanted.recipient,
            currency: wanted.outputCurrency,
            minimumAmount: terms.minimumAmount,
            expectedAmount: seed
        });
        order.output.deadline = deadline;
        // A copy: a changed call of the order must not change the terms.
        order.output.calls = abi.decode(abi.encode(wanted.calls), (bytes[]));
        order.output.extraData = _content(seed, seed % 70);
        _addFees(each, seed, currency);
    }

    function _addFees(Case memory each, uint256 seed, bytes memory currency) private pure {
        each.order.fees = new Order.Fee[](seed % 11 == 0 ? 2 : 0);
        for (uint256 i; i < each.order.fees.length; ++i) {
            each.order.fees[i] = Order.Fee("base", _content(seed, 20), "base", currency, (seed >> 100) + i);
            each.wanted.terms.maximumFees += (seed >> 100) + i;
        }
    }

    function _changeInput(Case memory each, uint256 kind, uint256 value) private pure {
        Order.Data memory order = each.order;
        Order.Input memory input = order.inputs[0];
        Order.InputRefund memory refund = input.refunds[value % input.refunds.length];
        if (kind == 0) order.version = _text(value);
        if (kind == 1) order.solverChainId = _text(value);
        if (kind == 2) order.solver = address(uint160(value));
        if (kind == 3) order.salt = value;
        if (kind == 4) order.inputs = new Order.Input[](value % 3 == 1 ? 0 : value % 3);
        if (kind == 5) input.payment.chainId = _text(value);
        if (kind == 6) input.payment.currency = _address(value);
        if (kind == 7) input.payment.amount = value;
        if (kind == 8) input.payment.weight = value % 3;
        if (kind == 9) input.refunds = new Order.InputRefund[](0);
        if (kind == 10) refund.chainId = _text(value);
        if (kind == 11) refund.recipient = value % 3 == 0 ? each.wanted.recipient : _address(value);
        if (kind == 12) refund.currency = _address(value);
        if (kind == 13) refund.deadline = uint32(value % 4 == 0 ? value : order.output.deadline - 1);
    }

    function _changeOutput(Case memory each, uint256 kind, uint256 value) private pure {
        Order.Data memory order = each.order;
        Order.Output memory output = order.output;
        Order.InputRefund memory refund = order.inputs[0].refunds[0];
        Order.OutputPayment memory payment = output.payments[0];
        if (kind == 14) refund.minimumAmount = value;
        if (kind == 15) refund.extraData = _address(value);
        if (kind == 16) output.chainId = _text(value);
        if (kind == 17) output.deadline = uint32(value % 2 == 0 ? value : NOW + (value % 2_500));
        if (kind == 18) output.extraData = _address(value);
        if (kind == 19) output.payments = new Order.OutputPayment[](value % 3 == 1 ? 0 : value % 3);
        if (kind == 20) payment.recipient = _address(value);
        if (kind == 21) payment.currency = _address(value);
        if (kind == 22) payment.minimumAmount = value % 4 == 0 ? value : payment.minimumAmount - 1;
        if (kind == 23) payment.expectedAmount = value;
        if (kind == 24) output.calls = new bytes[](value % 4);
        if (kind == 25 && output.calls.length != 0) output.calls[0] = _address(value);
        if (kind > 25) _changeFees(order, kind, value);
    }

    function _changeFees(Order.Data memory order, uint256 kind, uint256 value) private pure {
        if (kind < 29) {
            order.fees = new Order.Fee[](1);
            order.fees[0] = Order.Fee("base", "", _text(value), _address(value), value % 3);
        }
        if (kind == 29 && order.fees.length != 0) order.fees[0].amount = value;
        if (kind == 30 && order.fees.length != 0) order.fees[1].amount = type(uint256).max;
        if (kind == 31 && order.fees.length != 0) order.fees[1].currency = _address(value);
        if (kind == 32 && order.fees.length != 0) order.fees[1].currencyChainId = _text(value);
        if (kind == 33 && order.fees.length != 0) order.fees[0].recipient = _address(value);
        if (kind == 34 && order.fees.length != 0) order.fees[0].recipientChainId = _text(value);
        if (kind == 35) order.fees = new Order.Fee[](0);
    }

    function _changeTerms(Case memory each, uint256 kind, uint256 value) private pure {
        Wanted memory wanted = each.wanted;
        OrderTerms.Terms memory terms = wanted.terms;
        if (kind == 0) terms.solver = value % 2 == 0 ? address(0) : address(uint160(value));
        if (kind == 1) (terms.originChain, wanted.originChain) = (0, "?");
        if (kind == 2) terms.currency = address(uint160(value));
        if (kind == 3) terms.amount = value;
        if (kind == 4) terms.refundTo = value % 2 == 0 ? address(0) : address(uint160(value));
        if (kind == 5) (terms.destinationChain, wanted.destinationChain) = (0, "?");
        if (kind == 6) (terms.recipient, wanted.recipient) = (keccak256(_address(value)), _address(value));
        if (kind == 7) {
            (terms.outputCurrency, wanted.outputCurrency) = (keccak256(_address(value)), _address(value));
            wanted.anyCurrency = false;
        }
        if (kind == 8) terms.minimumAmount = value % 2 == 0 ? 0 : value;
        if (kind == 9) (terms.callsHash, wanted.calls) = (0, new bytes[](0));
        if (kind == 10) terms.earliestDeadline = NOW + (value % 2_500);
        if (kind == 11) terms.latestDeadline = NOW + (value % 2_500);
        if (kind == 12) terms.maximumFees = value % 2 == 0 ? 0 : value;
        if (kind == 13) {
            // The order pays the zero recipient that the terms demand.
            wanted.recipient = new bytes(value % 40);
            each.order.output.payments[0].recipient = wanted.recipient;
            terms.recipient = keccak256(wanted.recipient);
            for (uint256 i; i < each.order.inputs[0].refunds.length; ++i) {
                each.order.inputs[0].refunds[i].recipient = abi.encodePacked(terms.refundTo);
            }
        }
    }

    function _changeSignature(Case memory each, uint256 kind, uint256 value) private pure {
        (bytes32 r, bytes32 s, uint8 v) = _split(each.signature);
        kind -= ORDER_CHANGES + TERMS_CHANGES;
        if (kind == 0) each.signature = _content(value, value % 70);
        if (kind == 1) each.signature = abi.encodePacked(r, bytes32(CURVE_ORDER - uint256(s)), 55 - v);
        if (kind == 2) each.signature = abi.encodePacked(r, s, uint8(value));
        if (kind == 3) each.signature = abi.encodePacked(r, s ^ bytes32(value >> 1));
        if (kind == 4) each.signature = abi.encodePacked(r ^ bytes32(value), s, v);
    }

    function _text(uint256 value) private pure returns (string memory) {
        if (value % 5 == 0) return "base";
        if (value % 5 == 1) return "solana";
        return string(_content(value, value % 40));
    }

    /// @dev Often 20 bytes, often a prefix of zeros, sometimes empty.
    function _address(uint256 value) private pure returns (bytes memory) {
        if (value % 4 == 0) return new bytes(value % 36);
        return _content(value, value % 4 == 1 ? 20 : value % 36);
    }

    function _content(uint256 seed, uint256 length) private pure returns (bytes memory content) {
        content = new bytes(length);
        for (uint256 i; i < length; ++i) content[i] = bytes1(uint8(seed >> (i % 31)) | 1);
    }
}
