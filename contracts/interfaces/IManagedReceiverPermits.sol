// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {SignatureRecord} from "../records/SignatureRecord.sol";
import {IBatchDeposits} from "./IBatchDeposits.sol";
import {IExpiryCoSignature} from "./IExpiryCoSignature.sol";
import {IManagedReceiver} from "./IManagedReceiver.sol";
import {ISignedPulls} from "./ISignedPulls.sol";

/// @title A managed receiver with every way to pay
/// @notice All of `IManagedReceiver`, and payments under version 1 records by ERC-2612 permit, by Permit2, by ERC-3009, and of
/// several requests at once. Every policy holds for them as for `depositErc20`: `IManagedReceiverLens` lists what is wrong.
/// It is apart because every entry point makes the others a little dearer.
///
/// | payment                         | who calls                          | who pays   | what binds the money to the request |
/// |---------------------------------|------------------------------------|------------|-------------------------------------|
/// | `depositErc20WithPermit`        | the owner of the tokens            | the caller | that only the owner can call        |
/// | `depositErc20WithPermit2`       | whom `binding` allows, for anybody | the signer | the witness                         |
/// | `depositErc20WithAuthorization` | whom `binding` allows, for anybody | the signer | the nonce, which is the witness     |
/// | `depositAll`                    | the owner of the money             | the caller | that only the owner can call        |
///
/// Who pays is the depositor, in the events and in `IRefundLedger`: a relayer that brings a signature has no claim to what
/// comes back. With `Binding.Caller` the record has to name the caller, as ever.
///
/// The witness is the `DepositWitness` of `IPinnedReceiverPermits`, with this contract as its `receiver`.
interface IManagedReceiverPermits is IManagedReceiver, IBatchDeposits {
    /// @notice One payment of several: of the `originAmount` of its record in the `originCurrency` of its record.
    /// @param record The record, as `GET /requests/{requestId}/signature` returns it.
    /// @param signature The solver's, in a form of `ISolverSet`.
    /// @param coSignature The integrator's; ignored while there is no co-signer.
    struct SignedPayment {
        SignatureRecord.Record record;
        bytes signature;
        IExpiryCoSignature.CoSignature coSignature;
    }

    /// @notice Pays for a request in a token, straight from the caller to the solver, by the caller's ERC-2612 permit.
    /// @dev Only the owner of the tokens can call: a permit does not say what it is for. A permit that was brought to the
    /// token before is no obstacle as long as the allowance is there. Reverts as `depositErc20` does, or with `PermitRefused`.
    /// @param token What is sent.
    /// @param amount How much, in the token's smallest unit.
    /// @param record The record, as `GET /requests/{requestId}/signature` returns it.
    /// @param signature The solver's, in a form of `ISolverSet`.
    /// @param coSignature The integrator's; ignored while there is no co-signer.
    /// @param permit The caller's permit for this contract.
    function depositErc20WithPermit(
        address token,
        uint256 amount,
        SignatureRecord.Record calldata record,
        bytes calldata signature,
        IExpiryCoSignature.CoSignature calldata coSignature,
        ISignedPulls.Permit calldata permit
    ) external;

    /// @notice Pays for a request in a token by a Permit2 transfer whose witness names the request.
    /// @dev The tokens pass through this contract; the requestId follows the calldata of `transfer` to the solver. The owner
    /// signs exactly the amount, this contract as spender, and the witness. Reverts as `depositErc20` does, or with
    /// `Permit2TransferRefused`.
    /// @param token What is sent.
    /// @param amount How much, in the token's smallest unit.
    /// @param record The record, as `GET /requests/{requestId}/signature` returns it.
    /// @param signature The solver's, in a form of `ISolverSet`.
    /// @param coSignature The integrator's; ignored while there is no co-signer.
    /// @param permit The owner's signed transfer.
    function depositErc20WithPermit2(
        address token,
        uint256 amount,
        SignatureRecord.Record calldata record,
        bytes calldata signature,
        IExpiryCoSignature.CoSignature calldata coSignature,
        ISignedPulls.Permit2Transfer calldata permit
    ) external;

    /// @notice Pays for a request in a token by an ERC-3009 authorization that names the request.
    /// @dev The owner signs a `ReceiveWithAuthorization` to this contract over the amount; its nonce is the witness. The tokens
    /// pass through this contract; the requestId follows the calldata of `transfer` to the solver. Reverts as `depositErc20`
    /// does, or with `AuthorizationRefused`.
    /// @param token What is sent.
    /// @param amount How much, in the token's smallest unit.
    /// @param record The record, as `GET /requests/{requestId}/signature` returns it.
    /// @param signature The solver's, in a form of `ISolverSet`.
    /// @param coSignature The integrator's; ignored while there is no co-signer.
    /// @param authorization The owner's.
    function depositErc20WithAuthorization(
        address token,
        uint256 amount,
        SignatureRecord.Record calldata record,
        bytes calldata signature,
        IExpiryCoSignature.CoSignature calldata coSignature,
        ISignedPulls.Authorization calldata authorization
    ) external;

    /// @notice Pays for several requests, in any mix of currencies, all or none.
    /// @dev Tokens go straight from the caller to the solvers under its allowance. What `deposit` and `depositErc20` say holds
    /// for each payment, as do their errors; the first payment that fails is the one reported: see `IBatchDeposits`, and
    /// `IManagedReceiverLens` for each. Reverts with `BatchIsEmpty` when there are none, and with `NativeSumMismatch` unless
    /// `msg.value` is the sum of the native amounts.
    /// @param payments What is paid for, in the order it is paid in; no request twice.
    function depositAll(SignedPayment[] calldata payments) external payable;
}
