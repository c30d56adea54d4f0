// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IDepositPolicies} from "../interfaces/receiver/policies/IDepositPolicies.sol";

/// @title DepositPolicies
/// @notice The hooks that every deposit passes. Receivers and policies inherit them, so that a policy takes effect
/// wherever it is listed among the bases.
/// @dev A receiver must override each hook of its policies: the compiler sees the hook here and in the policy, and
/// demands it. The override returns `super._authorize(…)` and adds nothing.
abstract contract DepositPolicies is IDepositPolicies {
    /// @dev Private, so that an override can return it only from a base.
    bytes32 private constant AUTHORIZED = keccak256("waybill.receiver.DepositPolicies");

    /// @dev Hook of every deposit: of `amount` of `currency` for the request or order `id`. The id is consumed and the
    /// solver's signature checked before. `policyData` are the last `_policyDataLength()` bytes of the signature. A
    /// policy with data takes its bytes from the end, and passes the rest to `super`.
    function _authorize(
        bytes32 /* id */,
        address /* depositor */,
        address /* currency */,
        uint256 /* amount */,
        bytes calldata /* policyData */
    ) internal virtual returns (bytes32) {
        return AUTHORIZED;
    }

    /// @dev Hook of every account that a deposit pays on the destination chain. A record has one: `chain` is its chain
    /// id and `account` its word. An order has one for each payment and fee, see `IOrderReceiver`: `chain` is the
    /// keccak256 of the chain's name, `account` that of the recipient's bytes. Each call of an order passes as the
    /// keccak256 of its bytes on the output's chain.
    function _authorizeRecipient(
        uint256 /* chain */,
        bytes32 /* account */
    ) internal virtual returns (bytes32) {
        return AUTHORIZED;
    }

    /// @dev Bytes that policies append to the solver's signature. A policy with data returns
    /// `super._policyDataLength()` plus its own.
    function _policyDataLength() internal pure virtual returns (uint256) {
        return 0;
    }

    /// @dev Reverts unless a solver signed `digest`. `nativePayee` receives native money for that solver. Contracts
    /// that choose solvers implement it; the compiler refuses two of them in one receiver.
    function _checkSolver(
        bytes32 digest,
        bytes calldata signature
    ) internal view virtual returns (address solver, address nativePayee);

    /// @dev Reverts unless the answer of a hook comes from its declaration above.
    function _requireAuthorized(bytes32 answer) internal pure {
        if (answer != AUTHORIZED) revert PolicySkipped(answer, AUTHORIZED);
    }

    /// @dev Cuts a signature into the solver's part and the data of policies.
    function _cut(
        bytes calldata signature
    ) internal pure returns (bytes calldata ofSolver, bytes calldata policyData) {
        uint256 needed = _policyDataLength();
        if (needed == 0) return (signature, signature[:0]);
        if (signature.length < needed) revert PolicyDataMissing(signature.length, needed);
        uint256 length = signature.length - needed;
        return (signature[:length], signature[length:]);
    }
}
