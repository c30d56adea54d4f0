// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPinnedReceiver} from "waybill/contracts/interfaces/receiver/IPinnedReceiver.sol";
import {SignatureRecord} from "waybill/contracts/records/SignatureRecord.sol";
import {LocalToken} from "waybill/contracts/service/currencies/LocalToken.sol";
import {WaybillTest} from "waybill/contracts/testing/WaybillTest.sol";
import {Membership} from "../src/Membership.sol";

/// @notice The kit quotes and signs in the solver's place.
contract MembershipTest is WaybillTest {
    using SignatureRecord for address;

    uint256 private constant FEE = 25e6;
    uint256 private constant CHAIN_ID = 10;
    address private constant TREASURY = address(0xA11CE);
    address private constant MEMBER = address(0xB0B);

    LocalToken private _token;
    Membership private _membership;

    function setUp() external {
        _token = _deployToken("USDC", 6);
        _membership = new Membership(_solver(), address(_token), FEE, CHAIN_ID, TREASURY.word());
    }

    function test_ASignedPaymentMakesAMemberAndPaysTheSolverToTheUnit() external {
        _join(_quote(FEE, TREASURY));
        require(_membership.isMember(MEMBER), "no member");
        require(_token.balanceOf(_solver()) == FEE, "the solver is not paid to the unit");
        require(_token.balanceOf(MEMBER) == 0, "the member paid another amount");
    }

    function testFuzz_RevertWhen_TheSolverSignedAnotherAmount(uint128 amount) external {
        VM.assume(amount != FEE && amount != 0);
        _refused(_quote(amount, TREASURY), Membership.NotTheFee.selector);
    }

    function testFuzz_RevertWhen_TheSolverSignedAnotherRecipient(address recipient) external {
        VM.assume(recipient != TREASURY);
        _refused(_quote(FEE, recipient), Membership.NotTheTreasury.selector);
    }

    function testFuzz_RevertWhen_TheRecordIsForAnotherAmount(uint128 amount) external {
        VM.assume(amount != FEE);
        Quote memory quote = _quote(amount, TREASURY);
        quote.record.originAmount = FEE;
        _refused(quote, IPinnedReceiver.RecordNotSignedBySolver.selector);
    }

    function test_RevertWhen_AnotherKeySigned() external {
        Quote memory quote = _quote(FEE, TREASURY);
        quote.signature = _signRecord(SOLVER_KEY - 1, quote.record);
        _refused(quote, IPinnedReceiver.RecordNotSignedBySolver.selector);
    }

    function test_RevertWhen_TheMemberJoinsAgain() external {
        _join(_quote(FEE, TREASURY));
        try this.join(_quote(FEE, TREASURY)) {
            revert("joined twice");
        } catch (bytes memory reason) {
            require(bytes4(reason) == Membership.AlreadyMember.selector, "another error");
        }
        require(_token.balanceOf(_solver()) == FEE, "the solver is paid twice");
    }

    struct Quote {
        SignatureRecord.Record record;
        bytes signature;
    }

    function join(Quote memory quote) external {
        _join(quote);
    }

    function _quote(uint256 amount, address recipient) private returns (Quote memory quote) {
        (quote.record, quote.signature) = _quoteRecord(MEMBER, address(_token), amount, CHAIN_ID, recipient);
    }

    function _join(Quote memory quote) private {
        SignatureRecord.Record memory record = quote.record;
        _token.mint(MEMBER, record.originAmount);
        VM.prank(MEMBER);
        _token.approve(address(_membership), record.originAmount);
        VM.prank(MEMBER);
        _membership.depositErc20(
            address(_token),
            record.originAmount,
            record.requestId,
            record.destinationChainId,
            record.destinationUser,
            quote.signature
        );
    }

    /// @dev The solver receives nothing, and there is no member.
    function _refused(Quote memory quote, bytes4 selector) private {
        try this.join(quote) {
            revert("the payment is accepted");
        } catch (bytes memory reason) {
            require(bytes4(reason) == selector, "another error");
        }
        require(_token.balanceOf(_solver()) == 0, "the solver is paid");
        require(!_membership.isMember(MEMBER), "a member");
    }
}
