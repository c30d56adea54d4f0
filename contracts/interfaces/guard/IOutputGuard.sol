// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title A guard that makes a batch of calls revert unless money arrived
/// @notice A client puts `noteBalance` first and `requireGain` last into a batch whose calls in between it cannot read, such as
/// a multicall of the service's router with swaps in it. Whatever those calls do, the account has gained the minimum, or the
/// whole batch reverts. `requireBalance` does the same for an account that keeps nothing, such as the router itself.
///
/// Notes last until the transaction ends. Give each batch an id of its own: otherwise a second batch of the transaction must
/// exceed the larger balance that the first one noted.
///
/// The zero address is the native currency. The guard needs no money, has no owner, and keeps nothing beyond a transaction.
///
/// Assumptions: all calls are in one transaction; the caller reverts when one of them does; nothing but the batch
/// pays the account in the same transaction; `balanceOf` of the currency returns true balances.
interface IOutputGuard {
    /// @notice Thrown when a balance is below the required minimum.
    /// @param currency The token; zero for the native currency.
    /// @param account Holder of the balance.
    /// @param balance Its balance, in the currency's smallest unit.
    /// @param minimum The required balance. The largest uint256 when a gain was required without a noted balance.
    error BalanceTooLow(address currency, address account, uint256 balance, uint256 minimum);

    /// @notice Stores an account's balance until the transaction ends, for the caller and the id alone. Of several balances
    /// noted under one id the largest counts, so a call in between can only make `requireGain` stricter.
    /// @param id Chosen by the caller; another for each batch of a transaction.
    /// @param currency The token; zero for the native currency.
    /// @param account Holder of the balance.
    function noteBalance(bytes32 id, address currency, address account) external;

    /// @notice Reverts with `BalanceTooLow` unless an account has `gain` more than the caller noted under the id in this
    /// transaction. A call without `noteBalance` before it reverts unless the account has the largest uint256.
    /// @param id The id of the noted balance.
    /// @param currency The token; zero for the native currency.
    /// @param account Holder of the balance.
    /// @param gain Required gain, in the currency's smallest unit.
    function requireGain(bytes32 id, address currency, address account, uint256 gain) external view;

    /// @notice Reverts with `BalanceTooLow` unless an account has at least `minimum`.
    /// @param currency The token; zero for the native currency.
    /// @param account Holder of the balance.
    /// @param minimum Required balance, in the currency's smallest unit.
    function requireBalance(address currency, address account, uint256 minimum) external view;
}
