// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TokenReads} from "../../../contracts/libraries/TokenReads.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {ShortAnswer} from "../support/ShortAnswer.sol";
import {Test} from "../support/Test.sol";
import {TokenReadsDesk} from "../support/TokenReadsDesk.sol";

/// @title TokenReadsTest
/// @notice A read is what the token says, or an error; never zero for want of an answer.
contract TokenReadsTest is Test {
    TokenReadsDesk private _desk;

    function setUp() public {
        _desk = new TokenReadsDesk();
    }

    function testFuzz_BalanceAndAllowanceAreWhatTheTokenSays(
        address account,
        uint256 amount,
        uint256 allowed
    ) public {
        VM.assume(account != address(0) && account != address(this));
        LocalToken token = new LocalToken("Token", "ONE", 6, address(this));
        token.mint(account, amount);
        token.approve(account, allowed);
        _assertEq(_desk.balanceOf(address(token), account), amount);
        _assertEq(_desk.allowance(address(token), address(this), account), allowed);
    }

    function testFuzz_RevertWhen_TheTokenHasNoCode(address token, address account) public {
        VM.assume(token.code.length == 0 && uint160(token) > 0xff);
        bytes memory reason = abi.encodeWithSelector(TokenReads.TokenHasNoCode.selector, token);
        VM.expectRevert(reason);
        _desk.balanceOf(token, account);
        VM.expectRevert(reason);
        _desk.allowance(token, account, account);
    }

    function testFuzz_RevertWhen_TheAnswerIsShorterThanAWord(uint256 length) public {
        address token = address(new ShortAnswer(_bound(length, 0, 31)));
        bytes memory reason = abi.encodeWithSelector(TokenReads.TokenReadFailed.selector, token);
        VM.expectRevert(reason);
        _desk.balanceOf(token, address(1));
        VM.expectRevert(reason);
        _desk.allowance(token, address(1), address(2));
    }

    function testFuzz_ALongerAnswerIsReadByItsFirstWord(uint256 length) public {
        address token = address(new ShortAnswer(_bound(length, 32, 128)));
        _assertEq(_desk.balanceOf(token, address(1)), type(uint256).max);
        _assertEq(_desk.allowance(token, address(1), address(2)), type(uint256).max);
    }

    function testFuzz_AReadThatRunsOutOfGasIsNeverZero(uint256 gasLimit) public {
        LocalToken token = new LocalToken("Token", "ONE", 6, address(this));
        token.mint(address(1), 1);
        // Around what a warm read takes: sometimes the token gets enough to answer, sometimes not.
        (bool success, bytes memory answer) = address(_desk).call{gas: _bound(gasLimit, 0, 4_000)}(
            abi.encodeCall(TokenReadsDesk.balanceOf, (address(token), address(1)))
        );
        if (success) _assertEq(abi.decode(answer, (uint256)), 1);
        else if (answer.length != 0) _assertEq(bytes4(answer), TokenReads.TokenReadFailed.selector);
    }
}
