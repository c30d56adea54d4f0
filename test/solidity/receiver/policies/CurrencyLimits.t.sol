// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "solady/src/auth/Ownable.sol";
import {ICurrencyLimits} from "../../../../contracts/interfaces/receiver/policies/ICurrencyLimits.sol";
import {Test} from "../../support/Test.sol";
import {PolicyDesk} from "./PolicyDesk.sol";

/// @title CurrencyLimitsTest
/// @notice What is not listed is refused, and limits are exact to the unit.
contract CurrencyLimitsTest is Test {
    uint256 private constant UNIT = 1e12;
    uint256 private constant HIGHEST_UNITS = type(uint40).max - 1;

    PolicyDesk private _desk;

    function setUp() public {
        _desk = new PolicyDesk(address(this));
    }

    function testFuzz_RevertWhen_AnybodyElseSetsLimits(address caller) public {
        VM.assume(caller != address(this));
        VM.expectRevert(abi.encodePacked(Ownable.Unauthorized.selector));
        VM.prank(caller);
        _desk.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(address(1), 0, 1));
    }

    function testFuzz_RevertGiven_TheCurrencyWasNeverListed(address currency, uint256 amount) public {
        VM.expectRevert(abi.encodeWithSelector(ICurrencyLimits.CurrencyNotAccepted.selector, currency));
        _desk.checkLimits(currency, amount);
    }

    function testFuzz_RevertWhen_LimitsContradict(address currency, uint128 one, uint128 other) public {
        VM.assume(one != other);
        (uint128 minimum, uint128 maximum) = one > other ? (one, other) : (other, one);
        VM.expectRevert(abi.encodeWithSelector(ICurrencyLimits.LimitsContradict.selector, minimum, maximum));
        _desk.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(currency, minimum, maximum));
    }

    function testFuzz_LimitsOfATokenAreExactAndInclusive(
        address token,
        uint128 one,
        uint128 other,
        uint256 amount
    ) public {
        VM.assume(token != address(0) && (one != 0 || other != 0));
        (uint128 minimum, uint128 maximum) = one > other ? (other, one) : (one, other);
        _assertLimits(token, minimum, maximum, amount);
        _assertLimits(token, minimum, maximum, minimum);
        _assertLimits(token, minimum, maximum, maximum);
        _assertLimits(token, minimum, maximum, uint256(maximum) + 1);
        if (minimum > 0) _assertLimits(token, minimum, maximum, minimum - 1);
    }

    function testFuzz_LimitsOfTheNativeCurrencyAreExactAndInclusiveToTheirUnit(
        uint256 one,
        uint256 other,
        uint256 amount
    ) public {
        (one, other) = (_bound(one, 0, HIGHEST_UNITS), _bound(other, 1, HIGHEST_UNITS));
        (uint256 minimum, uint256 maximum) = one > other
            ? (other * UNIT, one * UNIT)
            : (one * UNIT, other * UNIT);
        _assertLimits(address(0), minimum, maximum, amount);
        _assertLimits(address(0), minimum, maximum, minimum);
        _assertLimits(address(0), minimum, maximum, maximum);
        _assertLimits(address(0), minimum, maximum, maximum + 1);
        if (minimum > 0) _assertLimits(address(0), minimum, maximum, minimum - 1);
    }

    function testFuzz_TheHighestMaximumOfTheNativeCurrencyIsNone(uint256 amount) public {
        _assertLimits(address(0), 0, type(uint128).max, _bound(amount, 0, type(uint128).max));
        _assertLimits(address(0), 0, type(uint128).max, type(uint128).max);
    }

    function testFuzz_RevertWhen_ANativeLimitIsNoMultipleOfTheUnit(uint256 limit, bool isMinimum) public {
        limit = _bound(limit, 1, HIGHEST_UNITS * UNIT);
        VM.assume(limit % UNIT != 0);
        VM.expectRevert(_notStorable(limit));
        _desk.setCurrencyLimits(
            ICurrencyLimits.CurrencyLimit(
                address(0),
                isMinimum ? uint128(limit) : 0,
                isMinimum ? type(uint128).max : uint128(limit)
            )
        );
    }

    function testFuzz_RevertWhen_ANativeLimitIsTooHigh(uint256 units, bool isMinimum) public {
        units = _bound(units, HIGHEST_UNITS + 1, (type(uint128).max - 1) / UNIT);
        uint128 limit = uint128(units * UNIT);
        VM.expectRevert(_notStorable(limit));
        _desk.setCurrencyLimits(
            ICurrencyLimits.CurrencyLimit(
                address(0),
                isMinimum ? limit : 0,
                isMinimum ? type(uint128).max : limit
            )
        );
    }

    function test_NativeLimitsGoUpToTheHighestUnitAndNoFurther() public {
        uint128 highest = uint128(HIGHEST_UNITS * UNIT);
        _assertLimits(address(0), highest, highest, highest);
        _assertLimits(address(0), highest, highest, highest - 1);
        _assertLimits(address(0), highest, highest, highest + 1);
        // The next unit stands for no maximum, and is therefore no limit.
        uint128[3] memory refused = [highest + uint128(UNIT), highest + 1, highest - 1];
        for (uint256 i; i < refused.length; ++i) {
            VM.expectRevert(_notStorable(refused[i]));
            _desk.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(address(0), 0, refused[i]));
            VM.expectRevert(_notStorable(refused[i]));
            _desk.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(address(0), refused[i], type(uint128).max));
        }
    }

    function test_AMinimumOfOneUnitRefusesOneWeiLess() public {
        _assertLimits(address(0), UNIT, UNIT, UNIT);
        _assertLimits(address(0), UNIT, UNIT, UNIT - 1);
        _assertLimits(address(0), UNIT, UNIT, UNIT + 1);
        _assertLimits(address(1), 5, 5, 5);
        _assertLimits(address(1), 5, 5, 4);
        _assertLimits(address(1), 5, 5, 6);
    }

    function testFuzz_ACurrencyCanBeRefusedAgain(address currency) public {
        _desk.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(currency, 0, type(uint128).max));
        _desk.checkLimits(currency, 1);
        _desk.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(currency, 0, 0));
        VM.expectRevert(abi.encodeWithSelector(ICurrencyLimits.CurrencyNotAccepted.selector, currency));
        _desk.checkLimits(currency, 1);
    }

    function testFuzz_LimitsOfOneCurrencyAreNotThoseOfAnother(
        address one,
        address other,
        uint256 amount
    ) public {
        VM.assume(one != other);
        _desk.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(one, 0, type(uint128).max));
        VM.expectRevert(abi.encodeWithSelector(ICurrencyLimits.CurrencyNotAccepted.selector, other));
        _desk.checkLimits(other, amount);
    }

    function _assertLimits(address currency, uint256 minimum, uint256 maximum, uint256 amount) private {
        _desk.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(currency, uint128(minimum), uint128(maximum)));
        (uint256 storedMinimum, uint256 storedMaximum) = _desk.currencyLimits(currency);
        _assertEq(storedMinimum, minimum);
        _assertEq(storedMaximum, maximum);
        if (amount < minimum) {
            VM.expectRevert(
                abi.encodeWithSelector(ICurrencyLimits.AmountBelowMinimum.selector, currency, amount, minimum)
            );
        } else if (amount > maximum) {
            VM.expectRevert(
                abi.encodeWithSelector(ICurrencyLimits.AmountAboveMaximum.selector, currency, amount, maximum)
            );
        }
        _desk.checkLimits(currency, amount);
    }

    function _notStorable(uint256 limit) private pure returns (bytes memory) {
        return
            abi.encodeWithSelector(
                ICurrencyLimits.NativeLimitNotStorable.selector,
                limit,
                UNIT,
                HIGHEST_UNITS * UNIT
            );
    }
}
