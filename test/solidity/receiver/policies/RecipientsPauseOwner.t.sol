// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "solady/src/auth/Ownable.sol";
import {IPausePolicy} from "../../../../contracts/interfaces/receiver/policies/IPausePolicy.sol";
import {IRecipientAllowList} from "../../../../contracts/interfaces/receiver/policies/IRecipientAllowList.sol";
import {ITwoStepOwner} from "../../../../contracts/interfaces/receiver/policies/ITwoStepOwner.sol";
import {IClock} from "../managed/IClock.sol";
import {Test} from "../../support/Test.sol";
import {PolicyDesk} from "./PolicyDesk.sol";

/// @title RecipientsPauseOwnerTest
/// @notice The recipient list in storage, the pause, and two-step ownership.
contract RecipientsPauseOwnerTest is Test {
    IClock private constant CLOCK = IClock(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    PolicyDesk private _desk;

    function setUp() public {
        _desk = new PolicyDesk(address(this));
    }

    function testFuzz_RevertWhen_AnybodyElseChangesTheListOrThePause(address caller) public {
        VM.assume(caller != address(this));
        bytes memory unauthorized = abi.encodePacked(Ownable.Unauthorized.selector);
        VM.expectRevert(unauthorized);
        VM.prank(caller);
        _desk.setRecipients(_recipients(1, bytes32(uint256(1))), true);
        VM.expectRevert(unauthorized);
        VM.prank(caller);
        _desk.setRecipientListOpen(true);
        VM.expectRevert(unauthorized);
        VM.prank(caller);
        _desk.setPaused(true);
    }

    function testFuzz_RevertGiven_TheRecipientIsNotListed(uint256 chainId, bytes32 account) public {
        VM.expectRevert(_notAllowed(chainId, account));
        _desk.checkRecipient(chainId, account);
    }

    function testFuzz_RevertWhen_NobodyIsListed(uint256 chainId) public {
        VM.expectRevert(_notAllowed(chainId, 0));
        _desk.setRecipients(_recipients(chainId, 0), true);
    }

    function testFuzz_RevertWhen_AListedAccountIsOnAnotherChain(
        uint256 chainId,
        uint256 other,
        bytes32 account
    ) public {
        VM.assume(account != 0 && chainId != other);
        _desk.setRecipients(_recipients(chainId, account), true);
        _desk.checkRecipient(chainId, account);
        VM.expectRevert(_notAllowed(other, account));
        _desk.checkRecipient(other, account);
    }

    function testFuzz_RevertGiven_TheRecipientWasTakenOffTheList(uint256 chainId, bytes32 account) public {
        VM.assume(account != 0);
        _desk.setRecipients(_recipients(chainId, account), true);
        _assertEq(_desk.isRecipientListed(chainId, account), true);
        _desk.setRecipients(_recipients(chainId, account), false);
        _assertEq(_desk.isRecipientListed(chainId, account), false);
        VM.expectRevert(_notAllowed(chainId, account));
        _desk.checkRecipient(chainId, account);
    }

    function testFuzz_AnOpenListAllowsEverybodyButNobodysAccount(uint256 chainId, bytes32 account) public {
        VM.assume(account != 0);
        _desk.setRecipientListOpen(true);
        _assertEq(_desk.isRecipientListOpen(), true);
        _desk.checkRecipient(chainId, account);
        VM.expectRevert(_notAllowed(chainId, 0));
        _desk.checkRecipient(chainId, 0);

        _desk.setRecipientListOpen(false);
        VM.expectRevert(_notAllowed(chainId, account));
        _desk.checkRecipient(chainId, account);
    }

    function test_RevertGiven_DepositsArePaused() public {
        _assertEq(_desk.isPaused(), false);
        _desk.checkNotPaused();
        _desk.setPaused(true);
        _assertEq(_desk.isPaused(), true);
        VM.expectRevert(abi.encodePacked(IPausePolicy.DepositsPaused.selector));
        _desk.checkNotPaused();
        _desk.setPaused(false);
        _desk.checkNotPaused();
    }

    function test_RevertWhen_TheFirstOwnerIsZero() public {
        VM.expectRevert(abi.encodePacked(Ownable.NewOwnerIsZeroAddress.selector));
        new PolicyDesk(address(0));
    }

    function testFuzz_RevertWhen_OwnershipWouldChangeInOneStep(address newOwner) public {
        VM.expectRevert(abi.encodeWithSelector(ITwoStepOwner.OwnershipNeedsHandover.selector, newOwner));
        _desk.transferOwnership(newOwner);
    }

    function test_RevertWhen_OwnershipWouldBeGivenUp() public {
        VM.expectRevert(abi.encodePacked(ITwoStepOwner.OwnershipIsKept.selector));
        _desk.renounceOwnership();
    }

    function testFuzz_RevertWhen_AnybodyElseTriesToEndOwnership(address caller) public {
        VM.assume(caller != address(this));
        VM.expectRevert(abi.encodePacked(Ownable.Unauthorized.selector));
        VM.prank(caller);
        _desk.transferOwnership(caller);
        VM.expectRevert(abi.encodePacked(Ownable.Unauthorized.selector));
        VM.prank(caller);
        _desk.renounceOwnership();
    }

    function testFuzz_OwnershipChangesHandsWhenAskedForAndGranted(address next) public {
        VM.assume(next != address(this));
        VM.prank(next);
        _desk.requestOwnershipHandover();
        _assertEq(_desk.owner(), address(this));
        _desk.completeOwnershipHandover(next);
        _assertEq(_desk.owner(), next);
    }

    function testFuzz_RevertWhen_OwnershipIsGrantedToWhoDidNotAskOrAskedTooLongAgo(address next) public {
        VM.expectRevert(abi.encodePacked(Ownable.NoHandoverRequest.selector));
        _desk.completeOwnershipHandover(next);

        VM.prank(next);
        _desk.requestOwnershipHandover();
        CLOCK.warp(block.timestamp + 48 hours + 1);
        VM.expectRevert(abi.encodePacked(Ownable.NoHandoverRequest.selector));
        _desk.completeOwnershipHandover(next);
    }

    function _recipients(
        uint256 chainId,
        bytes32 account
    ) private pure returns (IRecipientAllowList.Recipient[] memory recipients) {
        recipients = new IRecipientAllowList.Recipient[](1);
        recipients[0] = IRecipientAllowList.Recipient({chainId: chainId, account: account});
    }

    function _notAllowed(uint256 chainId, bytes32 account) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IRecipientAllowList.RecipientNotAllowed.selector, chainId, account);
    }
}
