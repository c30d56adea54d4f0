// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRefundLedger} from "../../../../contracts/interfaces/receiver/policies/IRefundLedger.sol";
import {SenderTaxToken} from "../../../../contracts/mocks/SenderTaxToken.sol";
import {NativeAsToken} from "../../support/NativeAsToken.sol";
import {Test} from "../../support/Test.sol";
import {RefundDesk} from "./RefundDesk.sol";

/// @title RefundLedgerCoverageTest
/// @notice Payouts that would leave less than the credits revert: of tokens that tax their sender, and of native
/// money as a token.
contract RefundLedgerCoverageTest is Test {
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

    function testFuzz_RevertWhen_AWithdrawalsTaxWouldReduceAnotherDepositorsCredit(
        uint64 one,
        uint64 other,
        uint64 tax
    ) public {
        VM.assume(one != 0 && other != 0 && tax != 0);
        tax = uint64(_bound(tax, 1, other));
        _credit(ID, one);
        _credit(OTHER_ID, other);
        _token.setTax(tax, address(0));
        VM.expectRevert(_notCovered(address(_token), other - tax, other));
        _withdraw(ID, address(_token), one);
        _assertEq(_desk.creditOf(ID, address(_token)), one);
    }

    function testFuzz_AWithdrawalsTaxIsPaidFromUncreditedMoney(uint64 one, uint64 tax) public {
        VM.assume(one != 0);
        _credit(ID, one);
        _token.mint(address(_desk), tax);
        _token.setTax(tax, address(0));
        _withdraw(ID, address(_token), one);
        _assertEq(_token.balanceOf(RECIPIENT), one);
        _assertEq(_token.balanceOf(address(_desk)), 0);
    }

    function testFuzz_RevertWhen_ARescuesTaxWouldReduceCredits(uint64 credited, uint64 stray) public {
        VM.assume(credited != 0);
        _credit(ID, credited);
        _token.mint(address(_desk), stray);
        _token.setTax(1, address(0));
        VM.expectRevert(_notCovered(address(_token), credited - 1, credited));
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

        // Last, because a revert does not undo the token's cheatcode.
        VM.expectRevert(_notCovered(address(0), credited - more, credited));
        _desk.rescue(address(_native), RECIPIENT, more);
    }

    /// @notice A limit that the assumptions of `IRefundLedger` name: a rescue of native money can take money credited under
    /// the token's address.
    function testFuzz_ARescueOfNativeMoneyTakesWhatIsCreditedUnderTheTokensAddress(uint96 credited) public {
        VM.assume(credited != 0);
        _refundNativeAsToken(ID, credited);
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
        _refundNativeAsToken(OTHER_ID, other);
        _withdraw(OTHER_ID, address(_native), other);
        _assertEq(address(_desk).balance, one);
        _withdraw(ID, address(0), one);
        _assertEq(RECIPIENT.balance, uint256(one) + other);
    }

    function _withdraw(bytes32 id, address currency, uint256 amount) private {
        VM.prank(DEPOSITOR);
        _desk.withdrawRefund(id, currency, RECIPIENT, amount);
    }

    function _refundNativeAsToken(bytes32 id, uint256 amount) private {
        VM.deal(address(this), amount);
        _native.approve(address(_desk), amount);
        _desk.refundErc20(id, address(_native), amount);
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

    function _notCovered(
        address currency,
        uint256 balance,
        uint256 credited
    ) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IRefundLedger.CreditsNotCovered.selector, currency, balance, credited);
    }
}
