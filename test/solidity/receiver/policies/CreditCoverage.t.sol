// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRefundLedger} from "../../../../contracts/interfaces/receiver/policies/IRefundLedger.sol";
import {SenderTaxToken} from "../../../../contracts/mocks/SenderTaxToken.sol";
import {NativeAsToken} from "../../support/NativeAsToken.sol";
import {Test} from "../../support/Test.sol";
import {RefundDesk} from "./RefundDesk.sol";

/// @title CreditCoverageTest
/// @notice Payouts that would leave less than is credited: of tokens that tax their sender, and of native money as a token.
contract CreditCoverageTest is Test {
    bytes32 private constant ID = keccak256("a request");
    bytes32 private constant OTHER_ID = keccak256("another request");
    address private immutable DEPOSITOR = _account("depositor");
    address private immutable RECIPIENT = _account("recipient");

    RefundDesk private _desk;
    SenderTaxToken private _token;
    NativeAsToken private _native;

    function setUp() public {
        _desk = new RefundDesk(address(this));
        _desk.consume(ID, DEPOSITOR);
        _desk.consume(OTHER_ID, DEPOSITOR);
        _token = new SenderTaxToken();
        _native = new NativeAsToken();
    }

    function testFuzz_RevertWhen_AWithdrawalsTaxWouldComeOutOfAnotherDepositorsCredit(
        uint64 one,
        uint64 other,
        uint64 tax
    ) public {
        VM.assume(one != 0 && other != 0 && tax != 0);
        tax = uint64(_bound(tax, 1, other));
        _credit(ID, one);
        _credit(OTHER_ID, other);
        _token.setTax(tax, address(0));
        VM.expectRevert(
            abi.encodeWithSelector(IRefundLedger.CreditsNotCovered.selector, _token, other - tax, other)
        );
        VM.prank(DEPOSITOR);
        _desk.withdrawRefund(ID, address(_token), RECIPIENT);
        _assertEq(_desk.creditOf(ID, address(_token)), one);
    }

    function testFuzz_AWithdrawalsTaxMayComeOutOfMoneyThatIsCreditedToNobody(uint64 one, uint64 tax) public {
        VM.assume(one != 0);
        _credit(ID, one);
        _token.mint(address(_desk), tax);
        _token.setTax(tax, address(0));
        VM.prank(DEPOSITOR);
        _desk.withdrawRefund(ID, address(_token), RECIPIENT);
        _assertEq(_token.balanceOf(RECIPIENT), one);
        _assertEq(_token.balanceOf(address(_desk)), 0);
    }

    function testFuzz_RevertWhen_ARescuesTaxWouldComeOutOfCredits(uint64 credited, uint64 stray) public {
        VM.assume(credited != 0);
        _credit(ID, credited);
        _token.mint(address(_desk), stray);
        _token.setTax(1, address(0));
        bytes memory reason = abi.encodeWithSelector(
            IRefundLedger.CreditsNotCovered.selector,
            _token,
            credited - 1,
            credited
        );
        VM.expectRevert(reason);
        _desk.rescue(address(_token), RECIPIENT, stray);
    }

    function testFuzz_RevertWhen_RescuingNativeMoneyAsATokenWouldTakeCreditedNativeMoney(
        uint96 credited,
        uint96 stray,
        uint96 more
    ) public {
        VM.assume(credited != 0);
        more = uint96(_bound(more, 1, credited));
        _refundNative(credited);
        VM.deal(address(_desk), uint256(credited) + stray);
        _desk.rescue(address(_native), RECIPIENT, stray);
        _assertEq(RECIPIENT.balance, stray);

        // Last, because a revert does not undo what the cheatcode of the token moved.
        VM.expectRevert(
            abi.encodeWithSelector(
                IRefundLedger.CreditsNotCovered.selector,
                address(0),
                credited - more,
                credited
            )
        );
        _desk.rescue(address(_native), RECIPIENT, more);
    }

    /// @notice The limit of the guard, as the assumptions of `IRefundLedger` name it: money credited under the token's address
    /// is not protected from a rescue of native money.
    function testFuzz_ARescueOfNativeMoneyTakesWhatIsCreditedUnderTheTokensAddress(uint96 credited) public {
        VM.assume(credited != 0);
        VM.deal(address(this), credited);
        _native.approve(address(_desk), credited);
        _desk.refundErc20(ID, address(_native), credited);
        _assertEq(_desk.creditedTotal(address(_native)), credited);
        _assertEq(_desk.uncredited(address(0)), credited);
        _desk.rescue(address(0), RECIPIENT, credited);
        _assertEq(_desk.creditedTotal(address(_native)), credited);
        _assertEq(address(_desk).balance, 0);
    }

    function testFuzz_AWithdrawalUnderTheTokensAddressLeavesCreditedNativeMoney(
        uint96 one,
        uint96 other
    ) public {
        VM.assume(one != 0 && other != 0);
        _refundNative(one);
        VM.deal(address(this), other);
        _native.approve(address(_desk), other);
        _desk.refundErc20(OTHER_ID, address(_native), other);
        VM.prank(DEPOSITOR);
        _desk.withdrawRefund(OTHER_ID, address(_native), RECIPIENT);
        _assertEq(address(_desk).balance, one);
        VM.prank(DEPOSITOR);
        _desk.withdrawRefund(ID, address(0), RECIPIENT);
        _assertEq(RECIPIENT.balance, uint256(one) + other);
    }

    function _credit(bytes32 id, uint256 amount) private {
        _token.mint(address(_desk), amount);
        _desk.creditRefund(id, address(_token), amount);
    }

    function _refundNative(uint256 amount) private {
        VM.deal(address(this), amount);
        (bool success, ) = address(_desk).call{value: amount}(abi.encode(ID));
        _assertEq(success, true);
    }
}
