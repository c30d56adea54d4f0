// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Ownership that is handed over in two steps and cannot be renounced
/// @notice A new owner first calls `requestOwnershipHandover()`, which proves that it controls its address. Within 48
/// hours the present owner calls `completeOwnershipHandover(address)`. So a mistyped address can never become the
/// owner. The handover's functions and events are those of Solady's `Ownable`.
///
/// Assumption: the owner is a multisignature wallet or a timelock. Each policy states what its owner can do.
interface ITwoStepOwner {
    /// @notice Thrown on a transfer of ownership in one step.
    /// @param newOwner Account that must call `requestOwnershipHandover()` first.
    error OwnershipNeedsHandover(address newOwner);

    /// @notice Thrown on a renunciation of ownership: a pause or a retired solver could not be undone afterwards.
    error OwnershipIsKept();

    /// @notice Thrown when the contract would be its own owner: it never calls itself, so no policy could be set.
    /// @param owner The contract's address.
    error OwnerCannotAct(address owner);
}
