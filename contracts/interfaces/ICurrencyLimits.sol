// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title A minimum and a maximum for each currency
/// @notice A currency without limits is refused. The other default would accept whatever token anybody deploys, tokens that
/// take a fee or call back included; so the owner names what is accepted. A currency that shall have no upper limit gets the
/// highest one there is, `type(uint128).max`, and one that shall have no lower limit gets zero.
///
/// Limits of the native currency are kept in millionths of it, 10^12 wei, and go up to 1,099,511.627774 of it or are
/// unlimited; so they fit beside the other policies' state and a native deposit reads one slot less. Those of tokens are exact.
///
/// Limits hold from the next deposit on, without delay: an owner who lowers a maximum answers to something.
interface ICurrencyLimits {
    /// @notice The limits of one currency.
    /// @param currency The token; zero is the chain's native currency.
    /// @param minimum The least a deposit may be, in the currency's smallest unit.
    /// @param maximum The most a deposit may be; zero refuses the currency.
    struct CurrencyLimit {
        address currency;
        uint128 minimum;
        uint128 maximum;
    }

    /// @notice Emitted when the limits of a currency change.
    /// @param currency The token; zero is the chain's native currency.
    /// @param minimum The least a deposit may be from now on.
    /// @param maximum The most a deposit may be from now on; zero refuses the currency.
    event CurrencyLimitsChanged(address indexed currency, uint128 minimum, uint128 maximum);

    /// @notice Thrown when the currency has no limits, or was refused by a maximum of zero.
    /// @param currency The token; zero is the chain's native currency.
    error CurrencyNotAccepted(address currency);

    /// @notice Thrown when a deposit is too small.
    /// @param currency The token; zero is the chain's native currency.
    /// @param amount What would be deposited.
    /// @param minimum The least a deposit may be.
    error AmountBelowMinimum(address currency, uint256 amount, uint256 minimum);

    /// @notice Thrown when a deposit is too large.
    /// @param currency The token; zero is the chain's native currency.
    /// @param amount What would be deposited.
    /// @param maximum The most a deposit may be.
    error AmountAboveMaximum(address currency, uint256 amount, uint256 maximum);

    /// @notice Thrown when limits are set that no amount fulfils.
    /// @param minimum The minimum in question.
    /// @param maximum The maximum it exceeds.
    error LimitsContradict(uint256 minimum, uint256 maximum);

    /// @notice Thrown when a limit of the native currency is not a multiple of the unit, or too high.
    /// @param limit The limit in question.
    /// @param unit What it has to be a multiple of, in wei.
    /// @param highest The highest one but for `type(uint128).max`, which as a maximum stands for none.
    error NativeLimitNotStorable(uint256 limit, uint256 unit, uint256 highest);

    /// @notice Sets the limits of a currency, both inclusive. Only the owner may.
    /// @dev Reverts with `LimitsContradict` when the minimum exceeds the maximum, or with `NativeLimitNotStorable`.
    /// @param limit The currency and its limits; zero for both refuses the currency.
    function setCurrencyLimits(CurrencyLimit calldata limit) external;

    /// @notice The limits of a currency.
    /// @param currency The token; zero is the chain's native currency.
    /// @return minimum The least a deposit may be.
    /// @return maximum The most a deposit may be; zero when the currency is refused.
    function currencyLimits(address currency) external view returns (uint256 minimum, uint256 maximum);

    /// @notice Reverts with `CurrencyNotAccepted`, `AmountBelowMinimum` or `AmountAboveMaximum` when the amount is refused.
    /// @param currency The token; zero is the chain's native currency.
    /// @param amount What would be deposited.
    function checkLimits(address currency, uint256 amount) external view;
}
