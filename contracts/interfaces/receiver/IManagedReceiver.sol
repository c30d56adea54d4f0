// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {ICurrencyLimits} from "./policies/ICurrencyLimits.sol";
import {IDepositPolicies} from "./policies/IDepositPolicies.sol";
import {IRecordReceiver} from "./IRecordReceiver.sol";
import {ISolverSet} from "./policies/ISolverSet.sol";

/// @title A receiver with every policy
/// @notice Accepts the payments of `IRecordReceiver` under policies that its owner sets. A deposit reverts with the
/// first reason; `IManagedReceiverLens` lists all of them, and names the field in which a payment differs from its
/// record.
///
/// Signed fields and policies:
///
/// | check                        | record (version 1) | this receiver                                         |
/// |------------------------------|--------------------|-------------------------------------------------------|
/// | amount sent                  | signed             | `msg.value`, or what arrived at the solver            |
/// | request id valid, not forged | signed             | by a solver active now: `ISolverSet`                  |
/// | not paid twice               | –                  | consumed ids, set before any external call            |
/// | not expired                  | –                  | co-signed: `IExpiryCoSignature`                       |
/// | recipient                    | signed             | allow-list: `IRecipientAllowListMapping`              |
/// | origin chain                 | signed             | `block.chainid`                                       |
/// | currency paid in             | signed             | accepted, within limits: `ICurrencyLimits`            |
/// | minimum output, calls        | –                  | not enforced: the record does not carry them          |
/// | this receiver and no other   | `originUser`       | bound by `binding`                                    |
/// | deposits at all              | –                  | pause: `IPausePolicy`                                 |
///
/// The signature of each deposit ends with the 96 bytes of `IExpiryCoSignature`, also while there is no co-signer.
///
/// The owner can stop deposits, choose solvers (with a delay), the co-signer, recipients and limits, and withdraw
/// uncredited funds. The owner cannot touch a deposit, which leaves in the same transaction, nor a credited refund: see
/// `IRefundLedger`. The assumptions of `IRecordReceiver` hold.
interface IManagedReceiver is IRecordReceiver {
    /// @notice Initial configuration of a receiver.
    /// @param owner Sets the policies.
    /// @param binding Account that records must name as `originUser`; never changes.
    /// @param activationDelay Least time between a solver's announcement and its start, in seconds; never changes.
    /// @param coSigner Signs deadlines; zero turns that policy off.
    /// @param isRecipientListOpen Whether every recipient is allowed.
    /// @param solvers Solvers that are active from deployment.
    /// @param limits Currencies that are accepted from deployment.
    struct Configuration {
        address owner;
        IRecordReceiver.Binding binding;
        uint256 activationDelay;
        address coSigner;
        bool isRecipientListOpen;
        ISolverSet.InitialSolver[] solvers;
        ICurrencyLimits.CurrencyLimit[] limits;
    }

    /// @notice Makes the check of one policy, for `IManagedReceiverLens`. Reverts with the policy's error when it
    /// rejects the deposit.
    /// @param index Index of the policy, from zero.
    /// @param attempt The deposit.
    /// @return isPolicy False if there is no policy at the index, and none at a higher one.
    function validatePolicy(
        uint256 index,
        IDepositPolicies.Attempt calldata attempt
    ) external view returns (bool isPolicy);
}
