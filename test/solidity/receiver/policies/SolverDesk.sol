// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SolverSet} from "../../../../contracts/receiver/policies/SolverSet.sol";
import {TwoStepOwner} from "../../../../contracts/receiver/policies/TwoStepOwner.sol";

/// @title SolverDesk
/// @notice The solver set alone.
contract SolverDesk is SolverSet {
    /// @param owner_ who rotates
    /// @param delay how long after its announcement a solver starts at the soonest
    /// @param solvers who starts at once
    constructor(
        address owner_,
        uint256 delay,
        InitialSolver[] memory solvers
    ) TwoStepOwner(owner_) SolverSet(delay, solvers) {}
}
