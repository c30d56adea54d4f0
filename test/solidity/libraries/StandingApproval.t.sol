// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {StandingApproval} from "../../../contracts/libraries/StandingApproval.sol";
import {Test} from "../support/Test.sol";

/// @title StandingApprovalTest
/// @notice The list knows some approving functions and no other.
contract StandingApprovalTest is Test {
    string[7] private _approving = [
        "approve(address,uint256)",
        "increaseAllowance(address,uint256)",
        "setApprovalForAll(address,bool)",
        "increaseApproval(address,uint256)",
        "authorizeOperator(address)",
        "approve(address,address,uint160,uint48)",
        "allow(address,bool)"
    ];

    function testFuzz_OnlyTheListedApprovingFunctionsAreRecognised(bytes4 selector) public view {
        bool isApproving;
        for (uint256 i; i < _approving.length; ++i) {
            bytes4 approving = bytes4(keccak256(bytes(_approving[i])));
            _assertEq(StandingApproval.isGivenBy(approving), true);
            if (selector == approving) isApproving = true;
        }
        _assertEq(StandingApproval.isGivenBy(selector), isApproving);
    }
}
