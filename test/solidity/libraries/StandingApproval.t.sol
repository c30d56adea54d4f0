// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {StandingApproval} from "../../../contracts/libraries/StandingApproval.sol";
import {Test} from "../support/Test.sol";

/// @title StandingApprovalTest
/// @notice Only the listed approving functions give a standing approval.
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

    function testFuzz_OnlyTheApprovingFunctionsOfTheStandardsAreRecognised(bytes4 selector) public view {
        bool isApproving;
        for (uint256 i; i < _approving.length; ++i) {
            bytes4 approving = bytes4(keccak256(bytes(_approving[i])));
            _assertEq(StandingApproval.isGivenBy(approving), true);
            if (selector == approving) isApproving = true;
        }
        _assertEq(StandingApproval.isGivenBy(selector), isApproving);
    }
}
