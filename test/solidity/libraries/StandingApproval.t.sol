// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {StandingApproval} from "../../../contracts/libraries/StandingApproval.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {ShortAnswer} from "../support/ShortAnswer.sol";
import {Test} from "../support/Test.sol";

/// @title StandingApprovalTest
/// @notice Which functions count as approving, and what an allowance reads as when a token does not answer.
contract StandingApprovalTest is Test {
    string[5] private _approving = [
        "approve(address,uint256)",
        "increaseAllowance(address,uint256)",
        "approveAndCall(address,uint256)",
        "approveAndCall(address,uint256,bytes)",
        "setApprovalForAll(address,bool)"
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

    function testFuzz_AllowanceIsWhatTheTokenSays(address spender, uint256 amount) public {
        VM.assume(spender != address(0));
        LocalToken token = new LocalToken("Token", "ONE", 6, address(this));
        token.approve(spender, amount);
        _assertEq(StandingApproval.allowance(address(token), address(this), spender), amount);
    }

    function testFuzz_AllowanceIsZeroWhenTheTokenHasNoCode(address token, address spender) public view {
        VM.assume(token.code.length == 0 && uint160(token) > 0xff);
        _assertEq(StandingApproval.allowance(token, address(this), spender), 0);
    }

    function testFuzz_AllowanceIsZeroWhenTheAnswerIsShorterThanAWord(uint256 length) public {
        length = _bound(length, 0, 64);
        ShortAnswer token = new ShortAnswer(length);
        uint256 expected = length < 32 ? 0 : type(uint256).max;
        _assertEq(StandingApproval.allowance(address(token), address(this), address(1)), expected);
    }
}
