// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {StandingApproval} from "../../../contracts/libraries/StandingApproval.sol";
import {Test} from "../support/Test.sol";

/// @title StandingApprovalTest
/// @notice Which functions count as approving.
contract StandingApprovalTest is Test {
    string[12] private _approving = [
        "approve(address,uint256)",
        "increaseAllowance(address,uint256)",
        "approveAndCall(address,uint256)",
        "approveAndCall(address,uint256,bytes)",
        "setApprovalForAll(address,bool)",
        "increaseApproval(address,uint256)",
        "authorizeOperator(address)",
        "setOperator(address,bool)",
        "approve(address,uint256,uint256)",
        "approve(address,address,uint160,uint48)",
        "allow(address,bool)",
        "authorizeOperator(address,uint256,bytes)"
    ];

    function test_ApprovingFunctionsOfTheStandardsAreRecognisedByTheirSignatures() public view {
        for (uint256 i; i < _approving.length; ++i) {
            _assertEq(StandingApproval.isGivenBy(bytes4(keccak256(bytes(_approving[i])))), true);
        }
    }

    function testFuzz_NoOtherSelectorIsRefused(bytes4 selector) public view {
        bool isApproving;
        for (uint256 i; i < _approving.length; ++i) {
            if (selector == bytes4(keccak256(bytes(_approving[i])))) isApproving = true;
        }
        _assertEq(StandingApproval.isGivenBy(selector), isApproving);
    }
}
