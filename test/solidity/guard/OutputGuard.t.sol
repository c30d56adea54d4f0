// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OutputGuard} from "../../../contracts/guard/OutputGuard.sol";
import {IOutputGuard} from "../../../contracts/interfaces/guard/IOutputGuard.sol";
import {TokenReads} from "../../../contracts/libraries/TokenReads.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {Test} from "../support/Test.sol";

/// @title OutputGuardTest
/// @notice A batch passes if the account gained the minimum, and reverts if one unit is missing.
contract OutputGuardTest is Test {
    address private constant ACCOUNT = address(0xa11ce);
    address private constant NATIVE = address(0);
    bytes32 private constant ID = keccak256("batch");

    OutputGuard private _guard;
    LocalToken private _token;

    function setUp() public {
        _guard = new OutputGuard();
        _token = new LocalToken("Token", "ONE", 6, address(this));
    }

    function testFuzz_TheExactGainPassesAndOneUnitMoreReverts(
        bool isNative,
        uint96 before,
        uint96 gain
    ) public {
        address currency = isNative ? NATIVE : address(_token);
        VM.deal(ACCOUNT, before);
        _give(before);
        _guard.noteBalance(ID, currency, ACCOUNT);
        VM.deal(ACCOUNT, uint256(before) + gain);
        _give(gain);
        _guard.requireGain(ID, currency, ACCOUNT, gain);
        _expectTooLow(currency, uint256(before) + gain, uint256(before) + gain + 1);
        _guard.requireGain(ID, currency, ACCOUNT, uint256(gain) + 1);
    }

    function testFuzz_RevertWhen_NoBalanceWasNoted(uint128 balance, uint256 gain) public {
        _give(balance);
        _expectTooLow(address(_token), balance, type(uint256).max);
        _guard.requireGain(ID, address(_token), ACCOUNT, gain);
    }

    function testFuzz_RevertWhen_AnotherCallerNotedTheBalance(address other) public {
        VM.assume(other != address(this) && other != address(VM));
        VM.prank(other);
        _guard.noteBalance(ID, address(_token), ACCOUNT);
        _expectTooLow(address(_token), 0, type(uint256).max);
        _guard.requireGain(ID, address(_token), ACCOUNT, 0);
    }

    function testFuzz_NotingAgainNeverLowersWhatIsRequired(uint96 first, uint96 second, uint96 end) public {
        VM.deal(ACCOUNT, first);
        _guard.noteBalance(ID, NATIVE, ACCOUNT);
        VM.deal(ACCOUNT, second);
        _guard.noteBalance(ID, NATIVE, ACCOUNT);
        VM.deal(ACCOUNT, end);
        uint256 larger = first > second ? first : second;
        if (end < larger) _expectTooLow(NATIVE, end, larger);
        _guard.requireGain(ID, NATIVE, ACCOUNT, 0);
    }

    /// @dev Audit A9. Tests run in one transaction, so that the first batch's note is still there.
    function test_TheLargestBalanceOfAllIsNotForgottenWhenALowerOneIsNoted() public {
        _give(type(uint256).max);
        _guard.noteBalance(ID, address(_token), ACCOUNT);
        VM.prank(ACCOUNT);
        _token.transfer(address(this), type(uint256).max - 10);
        _guard.noteBalance(ID, address(_token), ACCOUNT);
        _expectTooLow(address(_token), 10, type(uint256).max - 1);
        _guard.requireGain(ID, address(_token), ACCOUNT, 0);
    }

    function testFuzz_ASecondBatchWithAnIdOfItsOwnCountsFromItsOwnBalance(
        bytes32 first,
        bytes32 second,
        uint96 rich,
        uint96 poor,
        uint96 gain
    ) public {
        VM.assume(first != second);
        poor = uint96(_bound(poor, 0, rich));
        VM.deal(ACCOUNT, rich);
        _guard.noteBalance(first, NATIVE, ACCOUNT);
        VM.deal(ACCOUNT, poor);
        _guard.noteBalance(second, NATIVE, ACCOUNT);
        VM.deal(ACCOUNT, uint256(poor) + gain);
        _guard.requireGain(second, NATIVE, ACCOUNT, gain);
        _expectTooLow(NATIVE, uint256(poor) + gain, uint256(poor) + gain + 1);
        _guard.requireGain(second, NATIVE, ACCOUNT, uint256(gain) + 1);
        if (uint256(poor) + gain < rich) _expectTooLow(NATIVE, uint256(poor) + gain, rich);
        _guard.requireGain(first, NATIVE, ACCOUNT, 0);
    }

    function testFuzz_RevertWhen_TheBalanceWasNotedUnderAnotherId(bytes32 other, uint128 balance) public {
        VM.assume(other != ID);
        _give(balance);
        _guard.noteBalance(other, address(_token), ACCOUNT);
        _expectTooLow(address(_token), balance, type(uint256).max);
        _guard.requireGain(ID, address(_token), ACCOUNT, 0);
    }

    function testFuzz_RevertWhen_TheGainIsMoreThanAnAccountCanHold(uint96 before, uint256 gain) public {
        gain = _bound(gain, type(uint256).max - before, type(uint256).max);
        VM.deal(ACCOUNT, before);
        _guard.noteBalance(ID, NATIVE, ACCOUNT);
        _expectTooLow(NATIVE, before, type(uint256).max);
        _guard.requireGain(ID, NATIVE, ACCOUNT, gain);
    }

    function testFuzz_ABalanceAtTheMinimumPassesAndBelowItReverts(uint128 balance, uint256 minimum) public {
        _give(balance);
        _guard.requireBalance(address(_token), ACCOUNT, balance);
        _guard.requireBalance(address(_token), ACCOUNT, _bound(minimum, 0, balance));
        minimum = _bound(minimum, uint256(balance) + 1, type(uint256).max);
        _expectTooLow(address(_token), balance, minimum);
        _guard.requireBalance(address(_token), ACCOUNT, minimum);
    }

    function testFuzz_RevertWhen_TheCurrencyHasNoCode(address currency) public {
        VM.assume(currency.code.length == 0 && uint160(currency) > 0xff);
        VM.expectRevert(abi.encodeWithSelector(TokenReads.TokenHasNoCode.selector, currency));
        _guard.noteBalance(ID, currency, ACCOUNT);
        VM.expectRevert(abi.encodeWithSelector(TokenReads.TokenHasNoCode.selector, currency));
        _guard.requireBalance(currency, ACCOUNT, 0);
    }

    function _give(uint256 amount) private {
        _token.mint(ACCOUNT, amount);
    }

    function _expectTooLow(address currency, uint256 balance, uint256 minimum) private {
        bytes4 selector = IOutputGuard.BalanceTooLow.selector;
        VM.expectRevert(abi.encodeWithSelector(selector, currency, ACCOUNT, balance, minimum));
    }
}
