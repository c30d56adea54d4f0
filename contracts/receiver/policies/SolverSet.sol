// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IRecordReceiver} from "../../interfaces/receiver/IRecordReceiver.sol";
import {IRefundReceiver} from "../../interfaces/receiver/IRefundReceiver.sol";
import {ISolverSet} from "../../interfaces/receiver/policies/ISolverSet.sol";
import {ContractSignature} from "../../records/ContractSignature.sol";
import {SolverSignature} from "../../records/SolverSignature.sol";
import {PolicyChecks} from "../PolicyChecks.sol";
import {TwoStepOwner} from "./TwoStepOwner.sol";

/// @title SolverSet
/// @notice Several solvers, each active for a time.
abstract contract SolverSet is ISolverSet, PolicyChecks, TwoStepOwner {
    uint40 private constant NEVER = type(uint40).max;

    uint256 private constant MAX_ACTIVATION_DELAY = 365 days;

    /// @inheritdoc ISolverSet
    uint256 public immutable override activationDelay;

    mapping(address solver => Solver) private _solvers;

    /// @notice Fixes the delay, and sets the first solvers.
    /// @param activationDelay_ Least time between a solver's announcement and its start, in seconds.
    /// @param solvers Solvers active at once: no user relies on the set before deployment.
    constructor(uint256 activationDelay_, InitialSolver[] memory solvers) {
        if (activationDelay_ > MAX_ACTIVATION_DELAY) {
            revert ActivationDelayTooLong(activationDelay_, MAX_ACTIVATION_DELAY);
        }
        activationDelay = activationDelay_;
        for (uint256 i; i < solvers.length; ++i) {
            InitialSolver memory each = solvers[i];
            // Timestamps fit in 40 bits for the next 34,000 years.
            _addSolver(each.solver, each.nativePayee, uint40(block.timestamp), each.usesErc1271);
        }
    }

    /// @inheritdoc ISolverSet
    function addSolver(
        address solver,
        address nativePayee,
        uint40 activeFrom,
        bool usesErc1271
    ) external override onlyOwner {
        uint256 earliest = block.timestamp + activationDelay;
        if (activeFrom < earliest) revert ActivationTooSoon(activeFrom, earliest);
        _addSolver(solver, nativePayee, activeFrom, usesErc1271);
    }

    /// @inheritdoc ISolverSet
    function retireSolver(address solver, uint40 activeUntil) external override onlyOwner {
        Solver storage entry = _solvers[solver];
        uint256 latest = entry.activeUntil;
        if (latest == 0) revert SolverNotAdded(solver);
        if (activeUntil < block.timestamp) revert RetirementInPast(activeUntil, block.timestamp);
        if (activeUntil > latest) revert RetirementPutOff(activeUntil, latest);
        entry.activeUntil = activeUntil;
        emit SolverRetired(solver, activeUntil);
    }

    /// @inheritdoc ISolverSet
    function solverOf(address solver) external view override returns (Solver memory) {
        return _solvers[solver];
    }

    /// @inheritdoc ISolverSet
    function isActiveSolver(address solver) external view override returns (bool) {
        Solver storage entry = _solvers[solver];
        return entry.activeFrom <= block.timestamp && block.timestamp < entry.activeUntil;
    }

    function _checkPolicy(
        uint256 index,
        Attempt calldata attempt
    ) internal view virtual override returns (bool) {
        if (index != 0) return super._checkPolicy(index - 1, attempt);
        (bytes calldata ofSolver, ) = _cut(attempt.signature);
        _checkSolver(attempt.digest, ofSolver);
        return true;
    }

    function _checkSolver(
        bytes32 digest,
        bytes calldata signature
    ) internal view override returns (address solver, address nativePayee) {
        bool isOfKey;
        (solver, isOfKey) = ContractSignature.signerOf(digest, signature);

        Solver storage entry = _solvers[solver];
        // Adjacent reads: the compiler joins them into one of the slot.
        nativePayee = entry.nativePayee;
        (uint256 activeFrom, uint256 activeUntil) = (entry.activeFrom, entry.activeUntil);
        if (entry.usesErc1271 == isOfKey) {
            if (isOfKey) revert SolverUsesErc1271(solver);
            // Not a contract's signature, so it is a key's, truncated or padded.
            revert SolverSignature.SignatureLengthInvalid(signature.length);
        }
        if (block.timestamp < activeFrom || block.timestamp >= activeUntil) {
            if (activeUntil == 0) revert SignerNotSolver(solver);
            revert SolverNotActive(solver, activeFrom, activeUntil, block.timestamp);
        }
        if (!isOfKey) ContractSignature.check(solver, digest, signature);
    }

    function _addSolver(address solver, address nativePayee, uint40 activeFrom, bool usesErc1271) private {
        if (solver == address(0) || nativePayee == address(0)) revert IRecordReceiver.AddressIsZero();
        // The money would stay here: the request consumed and the solver unpaid.
        if (solver == address(this) || nativePayee == address(this)) {
            revert IRefundReceiver.RecipientCannotHold(address(this));
        }
        uint256 activeUntil = _solvers[solver].activeUntil;
        if (activeUntil > block.timestamp) revert SolverAlreadyAdded(solver, activeUntil);
        _solvers[solver] = Solver({
            nativePayee: nativePayee,
            activeFrom: activeFrom,
            activeUntil: NEVER,
            usesErc1271: usesErc1271
        });
        emit SolverAdded(solver, nativePayee, activeFrom, usesErc1271);
    }
}
