// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {IRefundLedger} from "../../../../contracts/interfaces/receiver/policies/IRefundLedger.sol";
import {IRefundReceiver} from "../../../../contracts/interfaces/receiver/IRefundReceiver.sol";
import {TransferWithId} from "../../../../contracts/libraries/TransferWithId.sol";
import {TokenReads} from "../../../../contracts/libraries/TokenReads.sol";
import {HookedToken} from "../../../../contracts/mocks/HookedToken.sol";
import {HookRegistry} from "../../../../contracts/mocks/HookRegistry.sol";
import {ReentrantTarget} from "../../../../contracts/mocks/ReentrantTarget.sol";
import {RejectingRecipient} from "../../../../contracts/mocks/RejectingRecipient.sol";
import {PinnedReceiver} from "../../../../contracts/receiver/PinnedReceiver.sol";
import {LocalToken} from "../../../../contracts/service/currencies/LocalToken.sol";
import {Test} from "../../support/Test.sol";
import {AnsweringToken} from "./AnsweringToken.sol";
import {RefundDesk} from "./RefundDesk.sol";

/// @title RefundLedgerTest
/// @notice Only the depositor of a request withdraws its refund.
contract RefundLedgerTest is Test {
    bytes32 private constant ID = keccak256("a request");
    address private immutable DEPOSITOR = _account("depositor");
    address private immutable RECIPIENT = _account("recipient");
    address private immutable ATTRIBUTOR = _account("attributor");
    address private immutable PAYER = _account("payer");

    RefundDesk private _desk;
    LocalToken private _token;

    function setUp() public {
        _desk = new RefundDesk(address(this));
        _desk.setAttributor(ATTRIBUTOR);
        _desk.consume(ID, DEPOSITOR);
        _token = new LocalToken("Token", "ONE", 6, address(this));
    }

    function testFuzz_RevertWhen_ANativeRefundIsForAnUnpaidRequest(uint256 seed, uint96 amount) public {
        // Hashed, because the runner's dictionary holds selectors of functions, which no id begins with.
        bytes32 id = keccak256(abi.encode(seed));
        _assertNativeRefused(
            abi.encode(id),
            amount,
            abi.encodeWithSelector(IRefundReceiver.RequestNotConsumed.selector, id)
        );
    }

    function test_RevertWhen_ANativeRefundIsZero() public {
        _assertNativeRefused(abi.encode(ID), 0, abi.encodePacked(IRecordReceiver.AmountIsZero.selector));
    }

    function testFuzz_RevertWhen_CalldataIsNeitherACallNorAnId(uint256 length, uint96 amount) public {
        length = _bound(length, 1, 256);
        VM.assume(length != 32);
        // No function has a selector of zeros.
        _assertNativeRefused(
            new bytes(length),
            amount,
            abi.encodeWithSelector(IRefundReceiver.CalldataNotUnderstood.selector, length)
        );
    }

    function testFuzz_ANativeRefundWithItsIdIsCreditedAndWithdrawn(uint96 one, uint96 other) public {
        VM.assume(one != 0 && other != 0);
        uint256 sum = uint256(one) + other;
        CHEATS.expectEmit(address(_desk));
        emit IRefundLedger.RefundCredited(ID, DEPOSITOR, address(0), one);
        _assertEq(_sendNative(abi.encode(ID), one), true);
        _assertEq(_sendNative(abi.encode(ID), other), true);
        _assertEq(_desk.creditOf(ID, address(0)), sum);
        _assertEq(_desk.creditedTotal(address(0)), sum);
        _assertEq(_desk.uncredited(address(0)), 0);

        // A part first; more than the rest is refused.
        CHEATS.expectEmit(address(_desk));
        emit IRefundLedger.RefundWithdrawn(ID, RECIPIENT, address(0), 1);
        _withdraw(address(0), 1);
        VM.expectRevert(
            abi.encodeWithSelector(IRefundLedger.ExceedsCredit.selector, ID, address(0), sum, sum - 1)
        );
        _withdraw(address(0), sum);
        _withdraw(address(0));
        _assertEq(RECIPIENT.balance, sum);
        _assertEq(_desk.creditOf(ID, address(0)), 0);
        _assertEq(_desk.creditedTotal(address(0)), 0);
    }

    function testFuzz_NativeMoneyWithoutAnIdStaysUncredited(uint96 amount) public {
        CHEATS.expectEmit(address(_desk));
        emit IRefundReceiver.UnattributedNativeReceived(PAYER, amount);
        _assertEq(_sendNative("", amount), true);
        _assertEq(_desk.uncredited(address(0)), amount);
        _assertEq(_desk.creditedTotal(address(0)), 0);
    }

    function testFuzz_ATokenRefundWithItsIdIsCreditedAndWithdrawn(uint128 amount) public {
        VM.assume(amount != 0);
        _refundToken(ID, amount);
        _assertEq(_desk.creditOf(ID, address(_token)), amount);

        _withdraw(address(_token));
        _assertEq(_token.balanceOf(RECIPIENT), amount);
        _assertEq(_desk.creditedTotal(address(_token)), 0);
    }

    function testFuzz_RevertWhen_ATokenRefundIsForAnUnpaidRequest(bytes32 id, uint128 amount) public {
        VM.assume(id != ID);
        _token.mint(PAYER, amount);
        VM.prank(PAYER);
        _token.approve(address(_desk), amount);
        VM.expectRevert(abi.encodeWithSelector(IRefundReceiver.RequestNotConsumed.selector, id));
        VM.prank(PAYER);
        _desk.refundErc20(id, address(_token), amount);
        _assertEq(_token.balanceOf(PAYER), amount);
    }

    function test_RevertWhen_ATokenRefundIsZeroOrNative() public {
        VM.expectRevert(abi.encodePacked(IRecordReceiver.AmountIsZero.selector));
        _desk.refundErc20(ID, address(_token), 0);
        VM.expectRevert(abi.encodeWithSelector(TokenReads.TokenHasNoCode.selector, address(0)));
        _desk.refundErc20(ID, address(0), 1);
    }

    /// @notice A depositor could otherwise take another depositor's refund that is not attributed yet.
    function testFuzz_RevertWhen_AnotherAccountAttributesTheDepositorIncluded(address caller) public {
        VM.assume(caller != address(this) && caller != ATTRIBUTOR);
        _token.mint(address(_desk), 1);
        address[2] memory callers = [caller, DEPOSITOR];
        for (uint256 i; i < callers.length; ++i) {
            bytes4 selector = IRefundLedger.CallerNotAttributor.selector;
            VM.expectRevert(abi.encodeWithSelector(selector, callers[i], ATTRIBUTOR));
            VM.prank(callers[i]);
            _desk.creditRefund(ID, address(_token), 1);
        }
    }

    function testFuzz_OwnerAndAttributorCreditUncreditedMoney(
        uint128 amount,
        bool isOwner,
        bool isNative
    ) public {
        VM.assume(amount != 0);
        address currency = _stray(isNative, amount);
        VM.prank(isOwner ? address(this) : ATTRIBUTOR);
        _desk.creditRefund(ID, currency, amount);
        _assertEq(_desk.creditOf(ID, currency), amount);
        _assertEq(_desk.uncredited(currency), 0);
    }

    function test_RevertWhen_AnAttributionIsZeroOrForAnUnpaidRequest() public {
        VM.expectRevert(abi.encodePacked(IRecordReceiver.AmountIsZero.selector));
        _desk.creditRefund(ID, address(0), 0);
        VM.deal(address(_desk), 1);
        VM.expectRevert(
            abi.encodeWithSelector(IRefundReceiver.RequestNotConsumed.selector, bytes32(uint256(1)))
        );
        _desk.creditRefund(bytes32(uint256(1)), address(0), 1);
    }

    function testFuzz_RevertWhen_AnotherAccountThanTheDepositorWithdraws(address caller) public {
        VM.assume(caller != DEPOSITOR);
        _sendNative(abi.encode(ID), 1);
        VM.expectRevert(abi.encodeWithSelector(IRefundLedger.CallerNotDepositor.selector, caller, DEPOSITOR));
        VM.prank(caller);
        _desk.withdrawRefund(ID, address(0), caller, 1);
    }

    function test_RevertWhen_NothingIsCreditedOrItWasWithdrawn() public {
        bytes4 selector = IRefundLedger.ExceedsCredit.selector;
        bytes memory exceeds = abi.encodeWithSelector(selector, ID, address(0), 1, 0);
        VM.expectRevert(exceeds);
        _withdraw(address(0), 1);

        _sendNative(abi.encode(ID), 1);
        _withdraw(address(0), 1);
        VM.expectRevert(exceeds);
        _withdraw(address(0), 1);
        VM.expectRevert(abi.encodePacked(IRecordReceiver.AmountIsZero.selector));
        _withdraw(address(0), 0);
    }

    function test_RevertWhen_TheRecipientOfAPayoutIsZeroOrTheLedger() public {
        _sendNative(abi.encode(ID), 1);
        address[2] memory recipients = [address(0), address(_desk)];
        for (uint256 i; i < recipients.length; ++i) {
            bytes4 selector = IRefundReceiver.RecipientCannotHold.selector;
            VM.expectRevert(abi.encodeWithSelector(selector, recipients[i]));
            VM.prank(DEPOSITOR);
            _desk.withdrawRefund(ID, address(0), recipients[i], 1);
            VM.expectRevert(abi.encodeWithSelector(selector, recipients[i]));
            _desk.rescue(address(0), recipients[i], 0);
        }
    }

    function test_RevertWhen_TheRecipientRejectsEtherUntilAnotherIsNamed() public {
        _sendNative(abi.encode(ID), 1);
        RejectingRecipient rejecting = new RejectingRecipient();
        VM.expectRevert(
            abi.encodeWithSelector(
                IRecordReceiver.PayeeRejectedNative.selector,
                rejecting,
                1,
                abi.encodeWithSelector(RejectingRecipient.Rejected.selector, 1)
            )
        );
        VM.prank(DEPOSITOR);
        _desk.withdrawRefund(ID, address(0), address(rejecting), 1);
        _assertEq(_desk.creditOf(ID, address(0)), 1);

        _withdraw(address(0));
        _assertEq(RECIPIENT.balance, 1);
    }

    function testFuzz_RescueAndAttributionNeverTouchCredits(
        uint128 credited,
        uint128 stray,
        uint256 amount,
        bool isNative
    ) public {
        VM.assume(credited != 0);
        address currency = _stray(isNative, credited);
        _desk.creditRefund(ID, currency, credited);
        _stray(isNative, stray);

        uint256 more = _bound(amount, uint256(stray) + 1, type(uint256).max);
        bytes4 selector = IRefundReceiver.ExceedsUncredited.selector;
        VM.expectRevert(abi.encodeWithSelector(selector, currency, more, stray));
        _desk.rescue(currency, RECIPIENT, more);
        VM.expectRevert(abi.encodeWithSelector(selector, currency, more, stray));
        _desk.creditRefund(ID, currency, more);

        uint256 allowed = _bound(amount, 0, stray);
        CHEATS.expectEmit(address(_desk));
        emit IRefundLedger.Rescued(currency, RECIPIENT, allowed);
        _desk.rescue(currency, RECIPIENT, allowed);
        _assertEq(_desk.uncredited(currency), stray - allowed);
        _withdraw(currency);
        _assertEq(_balanceOf(currency, RECIPIENT), uint256(credited) + allowed);
    }

    function testFuzz_OnlyAnEmptyAnswerAndTrueCountAsATransfer(bytes memory answer) public {
        AnsweringToken token = new AnsweringToken(address(_desk), answer);
        _desk.creditRefund(ID, address(token), 1);
        if (answer.length != 0 && (answer.length < 32 || bytes32(answer) != bytes32(uint256(1)))) {
            bytes4 selector = TransferWithId.TokenTransferFailed.selector;
            VM.expectRevert(abi.encodeWithSelector(selector, token, answer));
        }
        _withdraw(address(token), 1);
    }

    function test_TrueFollowedByOtherBytesCountsAsATransfer() public {
        bytes[4] memory answers = [
            bytes(""),
            abi.encode(true),
            abi.encode(true, 2),
            abi.encodePacked(uint248(0), uint16(1))
        ];
        for (uint256 i; i < answers.length; ++i)
            testFuzz_OnlyAnEmptyAnswerAndTrueCountAsATransfer(answers[i]);
    }

    function testFuzz_RevertGiven_TheLedgersBalanceOfATokenShrank(uint128 amount, uint128 lost) public {
        VM.assume(amount != 0);
        lost = uint128(_bound(lost, 1, amount));
        _refundToken(ID, amount);
        VM.prank(address(_desk));
        _token.transfer(PAYER, lost);

        _assertEq(_desk.uncredited(address(_token)), 0);
        VM.expectRevert(abi.encodeWithSelector(IRefundReceiver.ExceedsUncredited.selector, _token, 1, 0));
        _desk.rescue(address(_token), RECIPIENT, 1);

        // A third party covers the difference, and the depositor gets the whole credit.
        VM.prank(PAYER);
        _token.transfer(address(_desk), lost);
        _withdraw(address(_token));
        _assertEq(_token.balanceOf(RECIPIENT), amount);
    }

    function testFuzz_AuditA7_AUnitThatIsMissingDoesNotLockTheRest(uint128 amount, uint128 lost) public {
        amount = uint128(_bound(amount, 2, type(uint128).max));
        lost = uint128(_bound(lost, 1, amount - 1));
        _refundToken(ID, amount);
        VM.prank(address(_desk));
        _token.transfer(PAYER, lost);

        _withdraw(address(_token), amount - lost);
        _assertEq(_token.balanceOf(RECIPIENT), amount - lost);
        _assertEq(_desk.creditOf(ID, address(_token)), lost);
        _assertEq(_desk.creditedTotal(address(_token)), lost);
    }

    /// @notice A limit that `IRefundLedger` names: the attributor is trusted with uncredited money like the owner.
    function test_AuditA11_TheAttributorCreditsUncreditedMoneyToARequestOfItsOwn() public {
        _desk.consume("own", ATTRIBUTOR);
        address currency = _stray(true, 5);
        VM.prank(ATTRIBUTOR);
        _desk.creditRefund("own", currency, 5);
        VM.prank(ATTRIBUTOR);
        _desk.withdrawRefund("own", currency, ATTRIBUTOR, 5);
        _assertEq(ATTRIBUTOR.balance, 5);
    }

    /// @notice A limit that `IRefundLedger` names: the call is a function, so its money stays uncredited.
    function test_AuditA11_ARefundWhoseIdIsAHandoverSelectorStaysUncredited() public {
        bytes32 id = bytes32(_desk.requestOwnershipHandover.selector);
        _desk.consume(id, DEPOSITOR);
        _assertEq(_sendNative(abi.encode(id), 5), true);
        _assertEq(_desk.creditOf(id, address(0)), 0);
        _assertEq(_desk.uncredited(address(0)), 5);
    }

    function test_ATokenRefundCreditsNoMoneyThatItsSendersHookBringsIn() public {
        VM.etch(0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24, type(HookRegistry).runtimeCode);
        HookedToken token = new HookedToken();
        // Money of other requests waits in a receiver, and anyone may sweep it into the ledger.
        address solver = _account("solver");
        PinnedReceiver receiver = new PinnedReceiver(
            solver,
            solver,
            IRecordReceiver.Binding.Receiver,
            address(_desk)
        );
        token.mint(address(receiver), 50);
        ReentrantTarget hook = new ReentrantTarget();
        hook.arm(address(receiver), abi.encodeCall(receiver.sweep, (50, address(token))));
        VM.prank(PAYER);
        HookRegistry(0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24).setInterfaceImplementer(
            PAYER,
            keccak256("ERC777TokensSender"),
            address(hook)
        );

        token.mint(PAYER, 1);
        VM.prank(PAYER);
        token.approve(address(_desk), 1);
        VM.prank(PAYER);
        _desk.refundErc20(ID, address(token), 1);
        _assertEq(hook.lastSuccess(), true);
        _assertEq(_desk.creditOf(ID, address(token)), 1);
        _assertEq(_desk.uncredited(address(token)), 50);
    }

    function testFuzz_RevertGiven_TheRequestWasConsumed(bytes32 id) public {
        VM.assume(id != ID);
        _assertEq(_desk.depositorOf(id), address(0));
        _desk.consume(id, DEPOSITOR);
        bytes memory reason = abi.encodeWithSelector(IRecordReceiver.RequestAlreadyConsumed.selector, id);
        VM.expectRevert(reason);
        _desk.consume(id, RECIPIENT);
        _assertEq(_desk.depositorOf(id), DEPOSITOR);
    }

    /// @dev Money that arrives without an id.
    function _stray(bool isNative, uint256 amount) private returns (address currency) {
        if (isNative) VM.deal(address(_desk), address(_desk).balance + amount);
        else _token.mint(address(_desk), amount);
        return isNative ? address(0) : address(_token);
    }

    /// @dev Withdraws the whole credit.
    function _withdraw(address currency) private {
        _withdraw(currency, _desk.creditOf(ID, currency));
    }

    function _withdraw(address currency, uint256 amount) private {
        VM.prank(DEPOSITOR);
        _desk.withdrawRefund(ID, currency, RECIPIENT, amount);
    }

    function _refundToken(bytes32 id, uint256 amount) private {
        _token.mint(PAYER, amount);
        VM.prank(PAYER);
        _token.approve(address(_desk), amount);
        VM.prank(PAYER);
        _desk.refundErc20(id, address(_token), amount);
    }

    function _sendNative(bytes memory data, uint256 amount) private returns (bool success) {
        VM.deal(PAYER, amount);
        VM.prank(PAYER);
        (success, ) = address(_desk).call{value: amount}(data);
    }

    function _assertNativeRefused(bytes memory data, uint256 amount, bytes memory expected) private {
        VM.deal(PAYER, amount);
        VM.prank(PAYER);
        (bool success, bytes memory reason) = address(_desk).call{value: amount}(data);
        _assertEq(success, false);
        _assertEq(reason, expected);
        _assertEq(address(_desk).balance, 0);
    }
}
