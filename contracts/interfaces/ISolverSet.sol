// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title The solvers whose signatures count, and when
/// @notice Each solver is active from one moment until another. To rotate, the owner adds the new solver with a moment to
/// start at, and retires the old one at a later moment; in between both are accepted, so that quotes signed by either can
/// be paid.
///
/// What widens trust is delayed, what narrows it is not:
/// - A solver starts no sooner than `activationDelay` after the owner announced it, payee included, so that users can leave
///   before a solver they do not know can sign. Only the solvers given at deployment start at once.
/// - A retirement may be set for any moment from now on, and brought forward, but never put off.
/// - A payee changes only by retiring the solver and adding it again.
///
/// Every solver of a set is trusted with the ids of all: requests are counted by id, not by solver, so that one solver can sign a
/// record with another's request id and spend it.
///
/// Forms of a solver's signature:
/// - 65 or 64 bytes: a key's, as `SolverSignature` reads them.
/// - any other length: the 20 bytes of a contract solver's address, followed by what its ERC-1271 `isValidSignature` takes.
///   A wallet whose own signatures are 44 or 45 bytes long therefore has to pad them.
///
/// A signature's bytes are never remembered: a contract may accept many, and a key has two forms of one. What happens once is
/// counted by request id.
interface ISolverSet {
    /// @notice What is known about a solver.
    /// @param nativePayee Where native money for it goes: itself, or the service's receiver that passes it on to it. It is called
    /// with the requestId for calldata, which a wallet that has only a `receive` function turns away.
    /// @param activeFrom The first second its signatures count in.
    /// @param activeUntil The first second they do not count in any more; the highest value there is while not retired.
    /// @param usesErc1271 Whether it is a contract that verifies signatures itself.
    struct Solver {
        address nativePayee;
        uint40 activeFrom;
        uint40 activeUntil;
        bool usesErc1271;
    }

    /// @notice A solver to begin with.
    /// @param solver Its address, which also gets what is paid in tokens.
    /// @param nativePayee Where native money for it goes.
    /// @param usesErc1271 Whether it is a contract that verifies signatures itself.
    struct InitialSolver {
        address solver;
        address nativePayee;
        bool usesErc1271;
    }

    /// @notice Emitted when a solver is announced.
    /// @param solver The solver.
    /// @param nativePayee Where native money for it goes.
    /// @param activeFrom The first second its signatures count in.
    /// @param usesErc1271 Whether it is a contract that verifies signatures itself.
    event SolverAdded(
        address indexed solver,
        address indexed nativePayee,
        uint256 activeFrom,
        bool usesErc1271
    );

    /// @notice Emitted when a solver's end is set or brought forward.
    /// @param solver The solver.
    /// @param activeUntil The first second its signatures do not count in any more.
    event SolverRetired(address indexed solver, uint256 activeUntil);

    /// @notice Thrown when somebody signed who is no solver. A record of which any field differs from what was signed looks
    /// like this, too.
    /// @param signer Who the signature recovers to.
    error SignerNotSolver(address signer);

    /// @notice Thrown when a solver signed that is not active yet, or not any more.
    /// @param solver The solver.
    /// @param activeFrom The first second its signatures count in.
    /// @param activeUntil The first second they do not count in any more.
    /// @param timestamp The second it is.
    error SolverNotActive(address solver, uint256 activeFrom, uint256 activeUntil, uint256 timestamp);

    /// @notice Thrown when the signature is a key's, but the solver is set to verify signatures itself.
    /// @param solver The solver.
    error SolverUsesErc1271(address solver);

    /// @notice Thrown when a contract solver does not accept the signature.
    /// @param solver The contract.
    /// @param answer What it returned or reverted with, cut to 1,024 bytes.
    error ContractSignatureRefused(address solver, bytes answer);

    /// @notice Thrown when a solver would start sooner than the delay allows.
    /// @param activeFrom The moment asked for.
    /// @param earliest The first one allowed.
    error ActivationTooSoon(uint256 activeFrom, uint256 earliest);

    /// @notice Thrown when a solver is added that is active or announced; it has to be retired first.
    /// @param solver The solver.
    /// @param activeUntil When it stops being active.
    error SolverAlreadyAdded(address solver, uint256 activeUntil);

    /// @notice Thrown when a retirement names nobody in the set.
    /// @param solver Who was named.
    error SolverNotAdded(address solver);

    /// @notice Thrown when a retirement would lie in the past, where payments were already accepted.
    /// @param activeUntil The moment asked for.
    /// @param earliest The first one allowed: now.
    error RetirementInPast(uint256 activeUntil, uint256 earliest);

    /// @notice Thrown when a retirement would be put off.
    /// @param activeUntil The moment asked for.
    /// @param latest The one set before.
    error RetirementPutOff(uint256 activeUntil, uint256 latest);

    /// @notice Announces a solver. Only the owner may.
    /// @dev Reverts with `AddressIsZero`, `SolverAlreadyAdded` or `ActivationTooSoon`, and with `RecipientCannotHold` if solver or
    /// payee is this contract. Deployment reverts with the same errors for the solvers it is given.
    /// @param solver The solver, which also gets what is paid in tokens.
    /// @param nativePayee Where native money for it goes: itself, or the service's receiver for it.
    /// @param activeFrom The first second its signatures count in.
    /// @param usesErc1271 Whether it is a contract that verifies signatures itself.
    function addSolver(address solver, address nativePayee, uint40 activeFrom, bool usesErc1271) external;

    /// @notice Sets a solver's end, or brings it forward. Only the owner may.
    /// @dev Reverts with `SolverNotAdded`, `RetirementInPast` or `RetirementPutOff`.
    /// @param solver The solver.
    /// @param activeUntil The first second its signatures do not count in any more; now ends it at once.
    function retireSolver(address solver, uint40 activeUntil) external;

    /// @notice How long after its announcement a solver starts at the soonest.
    /// @return Seconds.
    function activationDelay() external view returns (uint256);

    /// @notice What is known about a solver.
    /// @param solver The solver.
    /// @return Its entry; all zero when it was never added.
    function solverOf(address solver) external view returns (Solver memory);

    /// @notice Whether a solver's signatures count now.
    /// @param solver The solver.
    /// @return True while they do.
    function isActiveSolver(address solver) external view returns (bool);

    /// @notice Reverts unless an active solver signed. The errors are `SignerNotSolver`, `SolverNotActive`,
    /// `SolverUsesErc1271`, `ContractSignatureRefused` and those of `SolverSignature`.
    /// @param digest What has to be signed.
    /// @param signature In one of the forms above.
    /// @return solver Who signed.
    /// @return nativePayee Where native money for it goes.
    function checkSignature(
        bytes32 digest,
        bytes calldata signature
    ) external view returns (address solver, address nativePayee);
}
