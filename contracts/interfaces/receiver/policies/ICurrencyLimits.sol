// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title A minimum and a maximum for each currency
/// @notice A currency without limits is rejected, so that an attacker cannot deposit a token of its own, one that takes
/// a fee or one that calls back. The owner lists what is accepted. A minimum of zero means no lower limit. A maximum
/// of `type(uint128).max` means no upper limit for the native currency, and that amount for a token.
///
/// Limits of the native currency are stored in units of 10^12 wei. They reach at most 1,099,511.627774 of the currency,
/// or are unlimited. They share a slot with other policies, so that a native deposit reads one slot less. Limits of
/// tokens are exact.
///
/// Limits apply from the next deposit, without delay, so that an owner can respond to an incident.
interface ICurrencyLimits {
    /// @notice The limits of one currency.
    /// @param currency The token; zero is the chain's native currency.
    /// @param minimum Minimum of a deposit, in the currency's smallest unit.
    /// @param maximum Maximum of a deposit; zero rejects the currency.
    struct CurrencyLimit {
        address currency;
        uint128 minimum;
        uint128 maximum;
    }

    /// @notice Emitted when the limits of a currency change.
    /// @param currency The token; zero is the chain's native currency.
    /// @param minimum New minimum of a deposit.
    /// @param maximum New maximum of a deposit; zero rejects the currency.
    event CurrencyLimitsChanged(address indexed currency, uint128 minimum, uint128 maximum);

    /// @notice Thrown when the currency has no limits, or was refused by a maximum of zero.
    /// @param currency The token; zero is the chain's native currency.
    error CurrencyNotAccepted(address currency);

    /// @notice Thrown when a deposit is too small.
    /// @param currency The token; zero is the chain's native currency.
    /// @param amount Amount of the deposit.
    /// @param minimum Minimum of a deposit.
    error AmountBelowMinimum(address currency, uint256 amount, uint256 minimum);

    /// @notice Thrown when a deposit is too large.
    /// @param currency The token; zero is the chain's native currency.
    /// @param amount Amount of the deposit.
    /// @param maximum Maximum of a deposit.
    error AmountAboveMaximum(address currency, uint256 amount, uint256 maximum);

    /// @notice Thrown when a minimum exceeds its maximum.
    /// @param minimum The minimum.
    /// @param maximum The maximum it exceeds.
    error LimitsContradict(uint256 minimum, uint256 maximum);

    /// @notice Thrown when a limit of the native currency is not a multiple of the unit, or too high.
    /// @param limit The rejected limit.
    /// @param unit The limit must be a multiple of this, in wei.
    /// @param highest The highest storable limit, except `type(uint128).max`, which as a maximum means unlimited.
    error NativeLimitNotStorable(uint256 limit, uint256 unit, uint256 highest);

    /// @notice Sets the limits of a currency, both inclusive. Only the owner may.
    /// @dev Reverts with `LimitsContradict` when the minimum exceeds the maximum, or with `NativeLimitNotStorable`.
    /// @param limit The currency and its limits; zero for both rejects the currency.
    function setCurrencyLimits(CurrencyLimit calldata limit) external;

    /// @notice The limits of a currency.
    /// @param currency The token; zero is the chain's native currency.
    /// @return minimum Minimum of a deposit.
    /// @return maximum Maximum of a deposit; zero when the currency is rejected.
    function currencyLimits(address currency) external view returns (uint256 minimum, uint256 maximum);
}
