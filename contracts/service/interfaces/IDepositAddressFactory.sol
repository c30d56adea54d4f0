// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IDepositAddress} from "./IDepositAddress.sol";

/// @title IDepositAddressFactory
/// @notice Creates deposit addresses and sweeps them into the depository.
/// @dev Assumptions for callers:
/// - An address follows from the factory and the salt alone, so it is the same on every chain with the factory.
/// - The factory holds no money and no approvals.
interface IDepositAddressFactory {
    /// @notice Thrown when an account other than the service calls `sweep`.
    error Unauthorized();

    /// @notice Sweeps an amount of one currency, after creating the account if it has no code yet. Service only.
    /// @param salt the id of the request that the address was made for
    /// @param deposit what is deposited, and for which order
    function sweep(bytes32 salt, IDepositAddress.Sweep calldata deposit) external;

    /// @notice The address that a salt has, with or without code.
    /// @param salt the id of the request
    /// @return account the deposit address
    function computeDepositAddress(bytes32 salt) external view returns (address account);
}
