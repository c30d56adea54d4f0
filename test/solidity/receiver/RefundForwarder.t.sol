// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IOrderReceiver} from "../../../contracts/interfaces/receiver/IOrderReceiver.sol";
import {IRecordReceiver} from "../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {IRefundForwarder} from "../../../contracts/interfaces/receiver/IRefundForwarder.sol";
import {IRefundReceiver} from "../../../contracts/interfaces/receiver/IRefundReceiver.sol";
import {ReentrantToken} from "../../../contracts/mocks/ReentrantToken.sol";
import {RefundForwarder} from "../../../contracts/receiver/RefundForwarder.sol";
import {TransientGuard} from "../../../contracts/receiver/TransientGuard.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {MoneyPaths} from "./MoneyPaths.sol";

/// @title ForwardDesk
/// @notice The forwarder alone; any account may record a deposit.
contract ForwardDesk is RefundForwarder {
    constructor(address refundPayee_, bool isOptional) RefundForwarder(refundPayee_, isOptional) {}

    function consume(bytes32 requestId, address depositor) external {
        _consume(requestId, depositor);
    }
}

/// @title RefundForwarderTest
/// @notice A refund reaches the depositor of its request at once; other money reaches the refund payee. `HostileTokensTest`
/// and `HostilePayeesTest` meet awkward tokens and payees.
contract RefundForwarderTest is MoneyPaths {
    bytes32 private constant ID = keccak256("a request");

    ForwardDesk private _desk;

    function setUp() public {
        _deployPaths();
        _desk = new ForwardDesk(REFUND_PAYEE, false);
        _desk.consume(ID, DEPOSITOR);
    }

    function testFuzz_ANativeRefundWithItsIdReachesTheDepositorAtOnce(uint96 amount) public {
        VM.assume(amount != 0);
        CHEATS.expectEmit(address(_desk));
        emit IRefundForwarder.RefundForwarded(ID, DEPOSITOR, address(0), amount);
        _assertSent(abi.encode(ID), amount, true, "");
        _assertEq(DEPOSITOR.balance, amount);
        _assertEq(address(_desk).balance, 0);
    }

    function testFuzz_ATokenRefundMovesFromItsPayerToTheDepositor(uint128 amount) public {
        VM.assume(amount != 0);
        _fundStranger(_token, amount);
        CHEATS.expectEmit(address(_desk));
        emit IRefundForwarder.RefundForwarded(ID, DEPOSITOR, address(_token), amount);
        VM.prank(STRANGER);
        _desk.refundErc20(ID, address(_token), amount);
        _assertEq(_token.balanceOf(DEPOSITOR), amount);
        _assertEq(_token.balanceOf(address(_desk)), 0);
    }

    function testFuzz_RevertWhen_ARefundIsForAnUnpaidRequest(uint256 seed, uint96 amount) public {
        bytes32 id = keccak256(abi.encode(seed));
        bytes memory reason = abi.encodeWithSelector(IRefundReceiver.RequestNotConsumed.selector, id);
        _assertSent(abi.encode(id), amount, false, reason);
        _fundStranger(_token, amount);
        VM.expectRevert(reason);
        VM.prank(STRANGER);
        _desk.refundErc20(id, address(_token), amount);
    }

    function test_RevertWhen_ARefundIsZero() public {
        bytes memory reason = abi.encodePacked(IRecordReceiver.AmountIsZero.selector);
        _assertSent(abi.encode(ID), 0, false, reason);
        VM.expectRevert(reason);
        _desk.refundErc20(ID, address(_token), 0);
    }

    function testFuzz_RevertWhen_CalldataIsNeitherACallNorAnId(uint256 length, uint96 amount) public {
        length = _bound(length, 1, 256);
        VM.assume(length != 32);
        bytes4 selector = IRefundReceiver.CalldataNotUnderstood.selector;
        // No function has a selector of zeros.
        _assertSent(new bytes(length), amount, false, abi.encodeWithSelector(selector, length));
    }

    /// @dev The payer keeps its money and can refund by `refundErc20` or without an id.
    function testFuzz_RevertWhen_AnIdBeginsWithTheSelectorOfAnyFunction(uint224 rest, uint96 amount) public {
        bytes4[10] memory selectors = [
            IRecordReceiver.deposit.selector,
            IRecordReceiver.depositErc20.selector,
            IRecordReceiver.depositErc20WithPermit.selector,
            IRecordReceiver.depositErc20WithPermit2.selector,
            IRecordReceiver.depositErc20WithAuthorization.selector,
            IRecordReceiver.depositAll.selector,
            IRecordReceiver.binding.selector,
            IRefundReceiver.refundErc20.selector,
            IRefundReceiver.depositorOf.selector,
            IRefundForwarder.sweep.selector
        ];
        amount = uint96(_bound(amount, 1, type(uint96).max));
        for (uint256 i; i < selectors.length; ++i) {
            VM.deal(STRANGER, amount);
            VM.prank(STRANGER);
            (bool success, ) = address(_byReceiver).call{value: amount}(abi.encodePacked(selectors[i], rest));
            _assertEq(success, false);
            _assertEq(STRANGER.balance, amount);
        }
        VM.prank(STRANGER);
        (bool isOrder, ) = address(_orders).call{value: amount}(
            abi.encodePacked(IOrderReceiver.deposit.selector, rest)
        );
        _assertEq(isOrder, false);
    }

    function testFuzz_ARefundByTheDepositorItselfPassesThroughAndFailsInTokens(uint96 amount) public {
        VM.assume(amount != 0);
        VM.deal(DEPOSITOR, amount);
        VM.prank(DEPOSITOR);
        (bool success, ) = address(_desk).call{value: amount}(abi.encode(ID));
        _assertEq(success, true);
        _assertEq(DEPOSITOR.balance, amount);
        _token.mint(DEPOSITOR, amount);
        VM.prank(DEPOSITOR);
        _token.approve(address(_desk), amount);
        bytes4 selector = IRecordReceiver.ArrivedAmountMismatch.selector;
        VM.expectRevert(abi.encodeWithSelector(selector, _token, amount, 0));
        VM.prank(DEPOSITOR);
        _desk.refundErc20(ID, address(_token), amount);
    }

    function testFuzz_MoneyWithoutAnIdGoesToTheRefundPayeeInPartsByAnyAccountsCall(
        uint96 amount,
        uint96 part,
        bool isNative,
        bool isForced
    ) public {
        amount = uint96(_bound(amount, 2, type(uint96).max));
        part = uint96(_bound(part, 1, amount - 1));
        address currency = isNative ? address(0) : address(_token);
        if (!isNative) _token.mint(address(_desk), amount);
        else if (isForced) VM.deal(address(_desk), amount);
        else {
            CHEATS.expectEmit(address(_desk));
            emit IRefundReceiver.UnattributedNativeReceived(STRANGER, amount);
            _assertSent("", amount, true, "");
        }
        bytes4 selector = IRefundReceiver.ExceedsUncredited.selector;
        VM.expectRevert(abi.encodeWithSelector(selector, currency, uint256(amount) + 1, amount));
        _desk.sweep(uint256(amount) + 1, currency);
        CHEATS.expectEmit(address(_desk));
        emit IRefundForwarder.Swept(currency, part);
        VM.prank(STRANGER);
        _desk.sweep(part, currency);
        _assertEq(_balanceOf(currency, REFUND_PAYEE), part);
        _desk.sweep(amount - part, currency);
        _assertEq(_balanceOf(currency, REFUND_PAYEE), amount);
        VM.expectRevert(abi.encodePacked(IRecordReceiver.AmountIsZero.selector));
        _desk.sweep(0, currency);
    }

    function test_RevertWhen_ATokensHookSweepsOrRefundsDuringARefund() public {
        ReentrantToken token = new ReentrantToken();
        _token.mint(address(_desk), AMOUNT);
        bytes[2] memory calls = [
            abi.encodeCall(_desk.sweep, (AMOUNT, address(_token))),
            abi.encodeCall(_desk.refundErc20, (ID, address(_token), 1))
        ];
        for (uint256 i; i < calls.length; ++i) {
            _fundStranger(LocalToken(address(token)), AMOUNT);
            token.arm(address(_desk), calls[i]);
            VM.prank(STRANGER);
            _desk.refundErc20(ID, address(token), AMOUNT);
            _assertEq(token.lastReturnData(), abi.encodePacked(TransientGuard.Reentrancy.selector));
        }
        _assertEq(token.balanceOf(DEPOSITOR), 2 * AMOUNT);
        _assertEq(_token.balanceOf(address(_desk)), AMOUNT);
    }

    function test_RevertWhen_TheRefundPayeeIsZeroUnlessOptionalOrTheForwarderItself() public {
        VM.expectRevert(abi.encodePacked(IRecordReceiver.AddressIsZero.selector));
        new ForwardDesk(address(0), false);
        address next = _nextDeployment();
        VM.expectRevert(abi.encodeWithSelector(IRefundReceiver.RecipientCannotHold.selector, next));
        new ForwardDesk(next, false);
    }

    function testFuzz_WithoutARefundPayeeOnlyRefundsAreAccepted(uint96 amount) public {
        VM.assume(amount != 0);
        _desk = new ForwardDesk(address(0), true);
        _desk.consume(ID, DEPOSITOR);
        bytes memory reason = abi.encodePacked(IRefundForwarder.NoRefundPayee.selector);
        _assertSent("", amount, false, reason);
        VM.expectRevert(reason);
        _desk.sweep(1, address(0));
        _assertSent(abi.encode(ID), amount, true, "");
        _assertEq(DEPOSITOR.balance, amount);
    }

    function _fundStranger(LocalToken token, uint256 amount) private {
        token.mint(STRANGER, amount);
        VM.prank(STRANGER);
        token.approve(address(_desk), amount);
    }

    function _assertSent(bytes memory data, uint256 amount, bool succeeds, bytes memory expected) private {
        VM.deal(STRANGER, amount);
        VM.prank(STRANGER);
        (bool success, bytes memory reason) = address(_desk).call{value: amount}(data);
        _assertEq(success, succeeds);
        _assertEq(reason, expected);
        _assertEq(STRANGER.balance, succeeds ? 0 : amount);
    }
}
