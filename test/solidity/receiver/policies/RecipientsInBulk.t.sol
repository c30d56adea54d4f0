// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecipientAllowList} from "../../../../contracts/interfaces/receiver/policies/IRecipientAllowList.sol";
import {Test} from "../../support/Test.sol";
import {PolicyDesk} from "./PolicyDesk.sol";

/// @title RecipientsInBulkTest
/// @notice Changing the recipient list by none, and by several at once.
contract RecipientsInBulkTest is Test {
    PolicyDesk private _desk;

    function setUp() public {
        _desk = new PolicyDesk(address(this));
    }

    function testFuzz_SeveralRecipientsAreListedAndTakenOffAtOnce(uint256 count, uint256 chainId) public {
        count = _bound(count, 2, 20);
        IRecipientAllowList.Recipient[] memory recipients = new IRecipientAllowList.Recipient[](count);
        for (uint256 i; i < count; ++i) {
            recipients[i] = IRecipientAllowList.Recipient({chainId: chainId, account: bytes32(i + 1)});
        }
        _desk.setRecipients(recipients, true);
        for (uint256 i; i < count; ++i) _desk.checkRecipient(chainId, bytes32(i + 1));
        _assertEq(_desk.isRecipientListed(chainId, bytes32(count + 1)), false);

        _desk.setRecipients(recipients, false);
        for (uint256 i; i < count; ++i) _assertEq(_desk.isRecipientListed(chainId, bytes32(i + 1)), false);
    }

    function testFuzz_AChangeOfNobodyLeavesTheListAsItIs(uint256 chainId, bool isAllowed) public {
        IRecipientAllowList.Recipient[] memory one = new IRecipientAllowList.Recipient[](1);
        one[0] = IRecipientAllowList.Recipient({chainId: chainId, account: bytes32(uint256(1))});
        _desk.setRecipients(one, true);
        _desk.setRecipients(new IRecipientAllowList.Recipient[](0), isAllowed);
        _assertEq(_desk.isRecipientListed(chainId, bytes32(uint256(1))), true);
        _assertEq(_desk.isRecipientListed(chainId, bytes32(uint256(2))), false);
    }

    function testFuzz_RevertWhen_NobodyIsAmongSeveralRecipientsAndNoneIsListed(uint256 chainId) public {
        IRecipientAllowList.Recipient[] memory recipients = new IRecipientAllowList.Recipient[](2);
        recipients[0] = IRecipientAllowList.Recipient({chainId: chainId, account: bytes32(uint256(1))});
        recipients[1] = IRecipientAllowList.Recipient({chainId: chainId, account: 0});
        VM.expectRevert(
            abi.encodeWithSelector(IRecipientAllowList.RecipientNotAllowed.selector, chainId, bytes32(0))
        );
        _desk.setRecipients(recipients, true);
        _assertEq(_desk.isRecipientListed(chainId, bytes32(uint256(1))), false);
    }
}
