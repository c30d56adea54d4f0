// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title IMulticaller
/// @notice Makes several calls in one transaction, all or none.
/// @dev Assumptions for callers: targets see this contract as their caller; a call to a target without code succeeds with
/// no data; native currency left here can be taken by any account that may call `aggregate`.
interface IMulticaller {
    /// @notice The lists of targets, calldata and values differ in length.
    error ArrayLengthsMismatch();

    /// @notice Makes the calls in their order, and reverts with the reason of the first that fails.
    /// @param targets the accounts that are called
    /// @param data the calldata of each call
    /// @param values the native value of each call
    /// @param refundTo recipient of all native currency that is left: none for the zero address, the caller for `address(1)`
    /// @return results what each call returned
    function aggregate(
        address[] calldata targets,
        bytes[] calldata data,
        uint256[] calldata values,
        address refundTo
    ) external payable returns (bytes[] memory results);
}
