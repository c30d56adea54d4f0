// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecipientAllowListMapping} from "../../../../contracts/interfaces/receiver/policies/IRecipientAllowListMapping.sol";
import {Test} from "../../support/Test.sol";
import {PolicyDesk} from "./PolicyDesk.sol";

/// @title RecipientAllowListMappingTest
/// @notice A recipient is allowed on the chain it is listed for, or on any chain while the list is open; zero never is.
contract RecipientAllowListMappingTest is Test {
    PolicyDesk private _desk;

    function setUp() public {
        _desk = new PolicyDesk(address(this));
    }

    function testFuzz_RevertWhen_AListedAccountIsOnAnotherChain(
        uint256 chainId,
        uint256 other,
        bytes32 account
    ) public {
        VM.assume(account != 0 && chainId != other);
        _desk.setRecipients(_recipients(chainId, account, 1), true);
        _desk.checkRecipient(chainId, account);
        _assertNotAllowed(other, account);
    }

    // @spec signature/recipients
    function testFuzz_RevertGiven_TheRecipientWasNeverListedOrWasRemoved(
        uint256 chainId,
        bytes32 account
    ) public {
        VM.assume(account != 0);
        _assertNotAllowed(chainId, account);
        _desk.setRecipients(_recipients(chainId, account, 1), true);
        _assertEq(_desk.isRecipientListed(chainId, account), true);
        _desk.setRecipients(_recipients(chainId, account, 1), false);
        _assertEq(_desk.isRecipientListed(chainId, account), false);
        _assertNotAllowed(chainId, account);
    }

    function testFuzz_AnOpenListAllowsAnyRecipientExceptZero(uint256 chainId, bytes32 account) public {
        VM.assume(account != 0);
        _desk.setRecipientListOpen(true);
        _assertEq(_desk.isRecipientListOpen(), true);
        _desk.checkRecipient(chainId, account);
        _assertNotAllowed(chainId, 0);

        _desk.setRecipientListOpen(false);
        _assertNotAllowed(chainId, account);
    }

    function testFuzz_SeveralRecipientsAreListedAndRemovedAtOnce(uint256 count, uint256 chainId) public {
        count = _bound(count, 2, 20);
        IRecipientAllowListMapping.Recipient[] memory recipients = _recipients(
            chainId,
            bytes32(uint256(1)),
            count
        );
        _desk.setRecipients(recipients, true);
        for (uint256 i; i < count; ++i) _desk.checkRecipient(chainId, bytes32(i + 1));
        _assertEq(_desk.isRecipientListed(chainId, bytes32(count + 1)), false);

        _desk.setRecipients(recipients, false);
        for (uint256 i; i < count; ++i) _assertEq(_desk.isRecipientListed(chainId, bytes32(i + 1)), false);
    }

    function testFuzz_AnEmptyChangeLeavesTheListAsItIs(uint256 chainId, bool isAllowed) public {
        _desk.setRecipients(_recipients(chainId, bytes32(uint256(1)), 1), true);
        _desk.setRecipients(new IRecipientAllowListMapping.Recipient[](0), isAllowed);
        _assertEq(_desk.isRecipientListed(chainId, bytes32(uint256(1))), true);
        _assertEq(_desk.isRecipientListed(chainId, bytes32(uint256(2))), false);
    }

    function testFuzz_RevertWhen_ZeroIsListedAloneOrAmongOthers(uint256 chainId, bool isAlone) public {
        IRecipientAllowListMapping.Recipient[] memory recipients = _recipients(
            chainId,
            bytes32(uint256(1)),
            2
        );
        recipients[1].account = 0;
        if (isAlone) recipients = _recipients(chainId, 0, 1);
        VM.expectRevert(_notAllowed(chainId, 0));
        _desk.setRecipients(recipients, true);
        _assertEq(_desk.isRecipientListed(chainId, bytes32(uint256(1))), false);
    }

    /// @dev `count` accounts from `first` on.
    function _recipients(
        uint256 chainId,
        bytes32 first,
        uint256 count
    ) private pure returns (IRecipientAllowListMapping.Recipient[] memory recipients) {
        recipients = new IRecipientAllowListMapping.Recipient[](count);
        for (uint256 i; i < count; ++i) {
            recipients[i] = IRecipientAllowListMapping.Recipient(chainId, bytes32(uint256(first) + i));
        }
    }

    function _assertNotAllowed(uint256 chainId, bytes32 account) private {
        VM.expectRevert(_notAllowed(chainId, account));
        _desk.checkRecipient(chainId, account);
    }

    function _notAllowed(uint256 chainId, bytes32 account) private pure returns (bytes memory) {
        return
            abi.encodeWithSelector(IRecipientAllowListMapping.RecipientNotAllowed.selector, chainId, account);
    }
}
