// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ICurrencyLimits} from "../../interfaces/receiver/policies/ICurrencyLimits.sol";
import {PolicyChecks} from "../PolicyChecks.sol";
import {TwoStepOwner} from "./TwoStepOwner.sol";

/// @title CurrencyLimits
/// @notice Accepts listed currencies within their limits only.
abstract contract CurrencyLimits is ICurrencyLimits, PolicyChecks, TwoStepOwner {
    address private constant NATIVE = address(0);
    uint256 private constant NATIVE_UNIT = 1e12;
    uint256 private constant UNLIMITED = type(uint128).max;
    uint40 private constant NATIVE_UNLIMITED = type(uint40).max;

    /// @dev One slot. A maximum of zero, the initial value, rejects the currency.
    struct Limits {
        uint128 minimum;
        uint128 maximum;
    }

    mapping(address token => Limits) private _limits;

    /// @dev In units, and after the mapping, so that small variables of other policies share its slot.
    uint40 private _nativeMinimum;
    uint40 private _nativeMaximum;

    /// @inheritdoc ICurrencyLimits
    function setCurrencyLimits(CurrencyLimit calldata limit) external override onlyOwner {
        _setCurrencyLimits(limit);
    }

    /// @inheritdoc ICurrencyLimits
    function currencyLimits(
        address currency
    ) external view override returns (uint256 minimum, uint256 maximum) {
        return _limitsOf(currency);
    }

    function _authorize(
        bytes32 id,
        address depositor,
        address currency,
        uint256 amount,
        bytes calldata policyData
    ) internal virtual override returns (bytes32) {
        _checkLimits(currency, amount);
        return super._authorize(id, depositor, currency, amount, policyData);
    }

    function _checkPolicy(
        uint256 index,
        Attempt calldata attempt
    ) internal view virtual override returns (bool) {
        if (index != 0) return super._checkPolicy(index - 1, attempt);
        _checkLimits(attempt.currency, attempt.amount);
        return true;
    }

    function _checkLimits(address currency, uint256 amount) private view {
        (uint256 minimum, uint256 maximum) = _limitsOf(currency);
        if (maximum == 0) revert CurrencyNotAccepted(currency);
        if (amount < minimum) revert AmountBelowMinimum(currency, amount, minimum);
        if (amount > maximum) revert AmountAboveMaximum(currency, amount, maximum);
    }

    function _setCurrencyLimits(CurrencyLimit memory limit) internal {
        if (limit.minimum > limit.maximum) revert LimitsContradict(limit.minimum, limit.maximum);
        if (limit.currency == NATIVE) {
            _nativeMinimum = _nativeUnits(limit.minimum);
            _nativeMaximum = limit.maximum == UNLIMITED ? NATIVE_UNLIMITED : _nativeUnits(limit.maximum);
        } else {
            _limits[limit.currency] = Limits({minimum: limit.minimum, maximum: limit.maximum});
        }
        emit CurrencyLimitsChanged(limit.currency, limit.minimum, limit.maximum);
    }

    function _limitsOf(address currency) private view returns (uint256 minimum, uint256 maximum) {
        if (currency == NATIVE) {
            minimum = _nativeMinimum * NATIVE_UNIT;
            maximum = _nativeMaximum == NATIVE_UNLIMITED ? UNLIMITED : _nativeMaximum * NATIVE_UNIT;
        } else {
            Limits storage limits = _limits[currency];
            (minimum, maximum) = (limits.minimum, limits.maximum);
        }
    }

    function _nativeUnits(uint256 amount) private pure returns (uint40) {
        uint256 units = amount / NATIVE_UNIT;
        if (units * NATIVE_UNIT != amount || units >= NATIVE_UNLIMITED) {
            revert NativeLimitNotStorable(amount, NATIVE_UNIT, (NATIVE_UNLIMITED - 1) * NATIVE_UNIT);
        }
        return uint40(units);
    }
}
