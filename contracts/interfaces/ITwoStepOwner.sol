// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Ownership that changes hands in two steps and is never given up
/// @notice A new owner first asks with `requestOwnershipHandover()`, which proves that somebody holds its key; within 48 hours
/// the present owner answers with `completeOwnershipHandover(address)`. A mistyped address can therefore never become the
/// owner. The functions and events of the handover are those of Solady's `Ownable`.
///
/// Assumption: the owner is a multisignature wallet or a timelock. What an owner can and cannot do is said by each policy.
interface ITwoStepOwner {
    /// @notice Thrown when ownership would change in one step.
    /// @param newOwner Who has to call `requestOwnershipHandover()` first.
    error OwnershipNeedsHandover(address newOwner);

    /// @notice Thrown when ownership would be given up, after which a pause or a retired solver could not be undone.
    error OwnershipIsKept();

    /// @notice Thrown when the contract would be deployed as its own owner: it never calls itself, so no policy could be set.
    /// @param owner The address in question.
    error OwnerCannotAct(address owner);
}
