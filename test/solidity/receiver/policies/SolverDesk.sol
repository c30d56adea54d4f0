// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SolverSet} from "../../../../contracts/receiver/policies/SolverSet.sol";
import {TwoStepOwner} from "../../../../contracts/receiver/policies/TwoStepOwner.sol";

/// @title SolverDesk
/// @notice The solver set alone.
contract SolverDesk is SolverSet {
    constructor(
        address owner_,
        uint256 delay,
        InitialSolver[] memory solvers
    ) TwoStepOwner(owner_) SolverSet(delay, solvers) {}

    function checkSignature(
        bytes32 digest,
        bytes calldata signature
    ) external view returns (address solver, address nativePayee) {
        return _checkSolver(digest, signature);
    }
}
