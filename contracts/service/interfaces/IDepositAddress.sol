// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title IDepositAddress
/// @notice An account that takes plain transfers for one request. The service moves what arrived into the depository.
/// @dev Assumptions for callers:
/// - The address receives money before it has code. Its code accepts native currency within a 2,300 gas stipend.
/// - Only the factory that created the account moves its money.
interface IDepositAddress {
    /// @notice A deposit of money that the account holds.
    /// @param depository the depository that receives it
    /// @param depositor the account that the deposit names as its payer
    /// @param currency the token; the zero address is native currency
    /// @param amount smallest units
    /// @param id the `orderId` that the deposit pays for
    struct Sweep {
        address depository;
        address depositor;
        address currency;
        uint256 amount;
        bytes32 id;
    }

    /// @notice Thrown when the depository received less of a token than the deposit states.
    /// @param expected the stated amount
    /// @param received the growth of the depository's balance
    error DepositTooSmall(uint256 expected, uint256 received);

    /// @notice Thrown when a sweep names no amount.
    error NothingToSweep();

    /// @notice Thrown when an account other than the factory calls `sweep`.
    error Unauthorized();

    /// @notice Accepts native currency.
    receive() external payable;

    /// @notice Deposits an amount of one currency into the depository. Factory only.
    /// @param deposit what is deposited, and for which order
    function sweep(Sweep calldata deposit) external;
}
