// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TokenReads} from "../../../contracts/libraries/TokenReads.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {Test} from "../support/Test.sol";

/// @title ShortAnswer
/// @notice Answers every call with a number of 0xff bytes.
contract ShortAnswer {
    uint256 private immutable LENGTH;

    constructor(uint256 length) {
        LENGTH = length;
    }

    fallback(bytes calldata) external returns (bytes memory answer) {
        answer = new bytes(LENGTH);
        for (uint256 i; i < LENGTH; ++i) answer[i] = 0xff;
    }
}

/// @title TokenReadsTest
/// @notice A read returns the token's answer or reverts; a missing answer is never zero.
contract TokenReadsTest is Test {
    /// @notice External, so that reverts can be expected and gas limited.
    function balanceOf(address token, address account) external view returns (uint256) {
        return TokenReads.balanceOf(token, account);
    }

    function allowance(address token, address owner, address spender) external view returns (uint256) {
        return TokenReads.allowance(token, owner, spender);
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
        _assertEq(this.balanceOf(address(token), account), amount);
        _assertEq(this.allowance(address(token), address(this), account), allowed);
    }

    function testFuzz_RevertWhen_TheTokenHasNoCode(address token, address account) public {
        VM.assume(token.code.length == 0 && uint160(token) > 0xff);
        bytes memory reason = abi.encodeWithSelector(TokenReads.TokenHasNoCode.selector, token);
        VM.expectRevert(reason);
        this.balanceOf(token, account);
        VM.expectRevert(reason);
        this.allowance(token, account, account);
    }

    function test_RevertWhen_TheAnswerIsShorterThanAWord() public {
        for (uint256 length; length < 32; ++length) {
            address token = address(new ShortAnswer(length));
            bytes memory reason = abi.encodeWithSelector(TokenReads.TokenReadFailed.selector, token);
            VM.expectRevert(reason);
            this.balanceOf(token, address(1));
            VM.expectRevert(reason);
            this.allowance(token, address(1), address(2));
        }
    }

    function testFuzz_ALongerAnswerIsReadByItsFirstWord(uint256 length) public {
        address token = address(new ShortAnswer(_bound(length, 32, 128)));
        _assertEq(this.balanceOf(token, address(1)), type(uint256).max);
        _assertEq(this.allowance(token, address(1), address(2)), type(uint256).max);
    }

    function testFuzz_AReadThatRunsOutOfGasIsNeverZero(uint256 gasLimit) public {
        LocalToken token = new LocalToken("Token", "ONE", 6, address(this));
        token.mint(address(1), 1);
        // Around the cost of a warm read, so that some runs give the token too little gas to answer.
        (bool success, bytes memory answer) = address(this).call{gas: _bound(gasLimit, 0, 4_000)}(
            abi.encodeCall(this.balanceOf, (address(token), address(1)))
        );
        if (success) _assertEq(abi.decode(answer, (uint256)), 1);
        else if (answer.length != 0) _assertEq(bytes4(answer), TokenReads.TokenReadFailed.selector);
    }
}
