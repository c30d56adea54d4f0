// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {SignatureRecord} from "../../records/SignatureRecord.sol";
import {IBatchDeposits} from "./IBatchDeposits.sol";
import {IExpiryCoSignature} from "./policies/IExpiryCoSignature.sol";
import {IManagedReceiver} from "./IManagedReceiver.sol";
import {ISignedPulls} from "./ISignedPulls.sol";

/// @title A managed receiver with every way to pay
/// @notice Adds to `IManagedReceiver` payments under version 1 records by ERC-2612 permit, by Permit2, by ERC-3009, and
/// of several requests at once. The policies are those of `depositErc20`: `IManagedReceiverLens` lists every error. It
/// is a separate contract because every entry point adds gas to the others.
///
/// | payment                         | caller                       | payer      | what binds the money to the request |
/// |---------------------------------|------------------------------|------------|-------------------------------------|
/// | `depositErc20WithPermit`        | the owner of the tokens      | the caller | only the owner can call             |
/// | `depositErc20WithPermit2`       | a relayer, within `binding`  | the signer | the witness                         |
/// | `depositErc20WithAuthorization` | a relayer, within `binding`  | the signer | the nonce, which is the witness     |
/// | `depositAll`                    | the owner of the money       | the caller | only the owner can call             |
///
/// The payer is the depositor, in the events and in `IRefundLedger`: a relayer that submits a signature has no claim to
/// refunds. With `Binding.Caller` the record must name the caller.
///
/// The witness is the `DepositWitness` of `IPinnedReceiverPermits`, with this contract as its `receiver`.
interface IManagedReceiverPermits is IManagedReceiver, IBatchDeposits {
    /// @notice One payment of several. Amount and currency are the `originAmount` and `originCurrency` of its record.
    /// @param record The record, as `GET /requests/{requestId}/signature` returns it.
    /// @param signature The solver's, in a form of `ISolverSet`.
    /// @param coSignature The integrator's; ignored while there is no co-signer.
    struct SignedPayment {
        SignatureRecord.Record record;
        bytes signature;
        IExpiryCoSignature.CoSignature coSignature;
    }

    /// @notice Pays for a request in a token, directly from the caller to the solver, by the caller's ERC-2612 permit.
    /// @dev Only the owner of the tokens can call: a permit does not name its purpose. A permit that was used at the
    /// token before is accepted while the allowance lasts. Reverts for the reasons of `depositErc20`, or with
    /// `PermitRefused`.
    /// @param token Token of the payment.
    /// @param amount Amount in the token's smallest unit.
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
    /// @dev The tokens pass through this contract; the requestId follows the calldata of `transfer` to the solver. The
    /// owner signs the exact amount, this contract as spender, and the witness. Reverts for the reasons of
    /// `depositErc20`, or with `Permit2TransferRefused`.
    /// @param token Token of the payment.
    /// @param amount Amount in the token's smallest unit.
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
    /// @dev The owner signs a `ReceiveWithAuthorization` to this contract over the amount; its nonce is the witness.
    /// The tokens pass through this contract; the requestId follows the calldata of `transfer` to the solver. Reverts
    /// for the reasons of `depositErc20`, or with `AuthorizationRefused`.
    /// @param token Token of the payment.
    /// @param amount Amount in the token's smallest unit.
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
    /// @dev Tokens go directly from the caller to the solvers under its allowance. Rules and errors of `depositNative`
    /// and `depositErc20` hold for each payment; see `IManagedReceiverLens`. The first payment that fails is the one
    /// reported: see `IBatchDeposits`. Reverts with `BatchIsEmpty` when there are none, and with `NativeSumMismatch`
    /// unless `msg.value` is the sum of the native amounts.
    /// @param payments Payments in the order they are made; no request twice.
    function depositAll(SignedPayment[] calldata payments) external payable;
}
