// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICurrencyLimits} from "../../../../contracts/interfaces/receiver/policies/ICurrencyLimits.sol";
import {Test} from "../../support/Test.sol";
import {PolicyDesk} from "./PolicyDesk.sol";

/// @title CurrencyLimitsTest
/// @notice A currency that is not listed is refused, and limits are inclusive to the unit.
contract CurrencyLimitsTest is Test {
    uint256 private constant UNIT = 1e12;
    uint256 private constant HIGHEST_UNITS = type(uint40).max - 1;

    PolicyDesk private _desk;

    function setUp() public {
        _desk = new PolicyDesk(address(this));
    }

    function testFuzz_RevertGiven_TheCurrencyWasNeverListed(address currency, uint256 amount) public {
        _assertNotAccepted(currency, amount);
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
        _assertLimitsAndTheirNeighbours(token, one, other, amount);
    }

    function testFuzz_LimitsOfTheNativeCurrencyAreExactAndInclusiveToTheirUnit(
        uint256 one,
        uint256 other,
        uint256 amount
    ) public {
        one = _bound(one, 0, HIGHEST_UNITS) * UNIT;
        other = _bound(other, 1, HIGHEST_UNITS) * UNIT;
        _assertLimitsAndTheirNeighbours(address(0), one, other, amount);
    }

    function testFuzz_TheHighestMaximumOfTheNativeCurrencyIsNone(uint256 amount) public {
        _assertLimits(address(0), 0, type(uint128).max, _bound(amount, 0, type(uint128).max));
        _assertLimits(address(0), 0, type(uint128).max, type(uint128).max);
    }

    function testFuzz_RevertWhen_ANativeLimitIsNoMultipleOfTheUnitOrTooHigh(
        uint256 limit,
        uint256 units,
        bool isMinimum
    ) public {
        limit = _bound(limit, 1, HIGHEST_UNITS * UNIT);
        VM.assume(limit % UNIT != 0);
        _assertNotStorable(limit, isMinimum);
        _assertNotStorable(
            _bound(units, HIGHEST_UNITS + 1, (type(uint128).max - 1) / UNIT) * UNIT,
            isMinimum
        );
    }

    function test_NativeLimitsGoUpToTheHighestUnitAndNoFurther() public {
        uint256 highest = HIGHEST_UNITS * UNIT;
        _assertLimitsAndTheirNeighbours(address(0), highest, highest, highest);
        // The next unit stands for no maximum, and is therefore no limit.
        uint256[3] memory refused = [highest + UNIT, highest + 1, highest - 1];
        for (uint256 i; i < refused.length; ++i) {
            _assertNotStorable(refused[i], false);
            _assertNotStorable(refused[i], true);
        }
    }

    function testFuzz_ACurrencyCanBeRefusedAgain(address currency, address other) public {
        VM.assume(currency != other);
        _desk.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(currency, 0, type(uint128).max));
        _desk.checkLimits(currency, 1);
        _assertNotAccepted(other, 1);
        _desk.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(currency, 0, 0));
        _assertNotAccepted(currency, 1);
    }

    function _assertLimitsAndTheirNeighbours(
        address currency,
        uint256 one,
        uint256 other,
        uint256 amount
    ) private {
        (uint256 minimum, uint256 maximum) = one > other ? (other, one) : (one, other);
        uint256[4] memory amounts = [amount, minimum, maximum, maximum + 1];
        for (uint256 i; i < amounts.length; ++i) _assertLimits(currency, minimum, maximum, amounts[i]);
        if (minimum > 0) _assertLimits(currency, minimum, maximum, minimum - 1);
    }

    function _assertLimits(address currency, uint256 minimum, uint256 maximum, uint256 amount) private {
        _desk.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(currency, uint128(minimum), uint128(maximum)));
        (uint256 storedMinimum, uint256 storedMaximum) = _desk.currencyLimits(currency);
        _assertEq(storedMinimum, minimum);
        _assertEq(storedMaximum, maximum);
        bytes4 selector =
            amount < minimum
                ? ICurrencyLimits.AmountBelowMinimum.selector
                : ICurrencyLimits.AmountAboveMaximum.selector;
        uint256 limit = amount < minimum ? minimum : maximum;
        if (amount < minimum || amount > maximum) {
            VM.expectRevert(abi.encodeWithSelector(selector, currency, amount, limit));
        }
        _desk.checkLimits(currency, amount);
    }

    function _assertNotAccepted(address currency, uint256 amount) private {
        VM.expectRevert(abi.encodeWithSelector(ICurrencyLimits.CurrencyNotAccepted.selector, currency));
        _desk.checkLimits(currency, amount);
    }

    /// @dev As a minimum without a maximum, or as a maximum without a minimum.
    function _assertNotStorable(uint256 limit, bool isMinimum) private {
        bytes4 selector = ICurrencyLimits.NativeLimitNotStorable.selector;
        (uint128 minimum, uint128 maximum) = isMinimum
            ? (uint128(limit), type(uint128).max)
            : (0, uint128(limit));
        VM.expectRevert(abi.encodeWithSelector(selector, limit, UNIT, HIGHEST_UNITS * UNIT));
        _desk.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(address(0), minimum, maximum));
    }
}
