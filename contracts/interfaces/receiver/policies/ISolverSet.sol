// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Solvers and the time each one is active
/// @notice Each solver is active from one moment until another. To rotate, the owner adds the new solver with a start,
/// and retires the old one at a later moment. In between both are accepted, so that quotes signed by either can be
/// paid.
///
/// Changes that widen trust are delayed; changes that narrow it are not:
/// - A solver starts at least `activationDelay` after the owner announced it with its payee, so that users can leave
///   before an unknown solver can sign. The delay is at most 365 days. Only the solvers given at deployment start at
///   once.
/// - A retirement may be set for any moment from now on. It can be brought forward, never postponed.
/// - A payee changes only by retiring the solver and adding it again.
///
/// Every solver of a set is trusted with the ids of all: requests are counted by id, not by solver. One solver can sign
/// a record with another's request id and spend that id.
///
/// Do not add both a key and a contract that the key controls: one signature of the key then serves for both, and the
/// depositor chooses which one is paid.
///
/// Forms of a solver's signature:
/// - 65 or 64 bytes: a key's, in the forms of `SolverSignature`.
/// - Any other length: the 20 bytes of a contract solver's address, then the signature for its ERC-1271
///   `isValidSignature`. A wallet whose own signatures are 44 or 45 bytes long must therefore pad them.
///
/// Signature bytes are never stored: a contract may accept many, and a key has two forms of one. Payments are counted
/// by request id.
interface ISolverSet {
    /// @notice Entry of a solver.
    /// @param nativePayee Recipient of native money: the solver, or the service's receiver that forwards to it. It is
    /// called with the requestId as calldata; a wallet that has only a `receive` function reverts.
    /// @param activeFrom First second in which its signatures are accepted.
    /// @param activeUntil First second in which they are no longer accepted; the highest value until retired.
    /// @param usesErc1271 Whether it is a contract that verifies signatures itself.
    struct Solver {
        address nativePayee;
        uint40 activeFrom;
        uint40 activeUntil;
        bool usesErc1271;
    }

    /// @notice A solver given at deployment.
    /// @param solver Its address, which also receives token payments.
    /// @param nativePayee Recipient of native money.
    /// @param usesErc1271 Whether it is a contract that verifies signatures itself.
    struct InitialSolver {
        address solver;
        address nativePayee;
        bool usesErc1271;
    }

    /// @notice Emitted when a solver is announced.
    /// @param solver The solver.
    /// @param nativePayee Recipient of native money.
    /// @param activeFrom First second in which its signatures are accepted.
    /// @param usesErc1271 Whether it is a contract that verifies signatures itself.
    event SolverAdded(
        address indexed solver,
        address indexed nativePayee,
        uint256 activeFrom,
        bool usesErc1271
    );

    /// @notice Emitted when a solver's end is set or brought forward.
    /// @param solver The solver.
    /// @param activeUntil First second in which its signatures are no longer accepted.
    event SolverRetired(address indexed solver, uint256 activeUntil);

    /// @notice Thrown when the recovered signer is no solver. A record with any altered field recovers such a signer.
    /// @param signer The recovered signer.
    error SignerNotSolver(address signer);

    /// @notice Thrown when the solver is not yet active, or no longer active.
    /// @param solver The solver.
    /// @param activeFrom First second in which its signatures are accepted.
    /// @param activeUntil First second in which they are no longer accepted.
    /// @param timestamp The block's timestamp.
    error SolverNotActive(address solver, uint256 activeFrom, uint256 activeUntil, uint256 timestamp);

    /// @notice Thrown when a key's signature names a solver that verifies signatures itself.
    /// @param solver The solver.
    error SolverUsesErc1271(address solver);

    /// @notice Thrown when a contract solver rejects the signature.
    /// @param solver The contract.
    /// @param answer Its return or revert data, cut to 1,024 bytes.
    error ContractSignatureRefused(address solver, bytes answer);

    /// @notice Thrown when a solver would start before the delay ends.
    /// @param activeFrom The requested start.
    /// @param earliest The earliest allowed start.
    error ActivationTooSoon(uint256 activeFrom, uint256 earliest);

    /// @notice Thrown by the constructor when the delay is too long.
    /// @param delay The delay in seconds.
    /// @param limit The longest delay.
    error ActivationDelayTooLong(uint256 delay, uint256 limit);

    /// @notice Thrown when the added solver is active or announced; retire it first.
    /// @param solver The solver.
    /// @param activeUntil End of its activity.
    error SolverAlreadyAdded(address solver, uint256 activeUntil);

    /// @notice Thrown when the retired account is no solver of the set.
    /// @param solver The account.
    error SolverNotAdded(address solver);

    /// @notice Thrown when a retirement lies in the past, where payments were already accepted.
    /// @param activeUntil The requested end.
    /// @param earliest The earliest allowed end: now.
    error RetirementInPast(uint256 activeUntil, uint256 earliest);

    /// @notice Thrown when a retirement would be postponed.
    /// @param activeUntil The requested end.
    /// @param latest The end set before.
    error RetirementPutOff(uint256 activeUntil, uint256 latest);

    /// @notice Announces a solver. Only the owner may.
    /// @dev Reverts with `AddressIsZero`, `SolverAlreadyAdded` or `ActivationTooSoon`, and with `RecipientCannotHold`
    /// if solver or payee is this contract. Deployment reverts with the same errors.
    /// @param solver The solver, which also receives token payments.
    /// @param nativePayee Recipient of native money: the solver, or the service's receiver for it.
    /// @param activeFrom First second in which its signatures are accepted.
    /// @param usesErc1271 Whether it is a contract that verifies signatures itself.
    function addSolver(address solver, address nativePayee, uint40 activeFrom, bool usesErc1271) external;

    /// @notice Sets a solver's end, or brings it forward. Only the owner may.
    /// @dev Reverts with `SolverNotAdded`, `RetirementInPast` or `RetirementPutOff`.
    /// @param solver The solver.
    /// @param activeUntil First second in which its signatures are no longer accepted; the current second retires it at
    /// once.
    function retireSolver(address solver, uint40 activeUntil) external;

    /// @notice Least time between a solver's announcement and its start.
    /// @return Seconds.
    function activationDelay() external view returns (uint256);

    /// @notice Entry of a solver.
    /// @param solver The solver.
    /// @return Its entry; all zero if never added.
    function solverOf(address solver) external view returns (Solver memory);

    /// @notice Whether a solver's signatures are accepted now.
    /// @param solver The solver.
    /// @return True while the solver is active.
    function isActiveSolver(address solver) external view returns (bool);
}
