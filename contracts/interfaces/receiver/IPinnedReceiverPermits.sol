// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {IBatchDeposits} from "./IBatchDeposits.sol";
import {IPinnedReceiver} from "./IPinnedReceiver.sol";
import {ISignedPulls} from "./ISignedPulls.sol";

/// @title A pinned receiver with every way to pay
/// @notice Adds to `IPinnedReceiver` payments by ERC-2612 permit, by Permit2, by ERC-3009, and of several requests at
/// once. Validation and immutability are the same. It is a separate contract because every entry point adds gas to the
/// others.
///
/// | payment                         | caller                       | payer      | what binds the money to the request |
/// |---------------------------------|------------------------------|------------|-------------------------------------|
/// | `depositErc20WithPermit`        | the owner of the tokens      | the caller | only the owner can call             |
/// | `depositErc20WithPermit2`       | a relayer, within `binding`  | the signer | the witness                         |
/// | `depositErc20WithAuthorization` | a relayer, within `binding`  | the signer | the nonce, which is the witness     |
/// | `depositAll`                    | the owner of the money       | the caller | only the owner can call             |
///
/// With `Binding.Receiver` any account may be the relayer and pay the gas; an account that front-runs its call has the
/// same effect. With `Binding.Caller` the record names its only caller.
///
/// The witness is the EIP-712 struct hash of
/// `DepositWitness(bytes32 requestId,uint256 destinationChainId,bytes32 destinationUser,address receiver)`, where
/// `receiver` is this contract. The signed transfer covers token and amount, and the signature's domain the chain.
interface IPinnedReceiverPermits is IPinnedReceiver, IBatchDeposits {
    /// @notice One payment of several.
    /// @param currency The signed `originCurrency`: a token, or zero for the chain's native currency.
    /// @param amount The signed `originAmount`, in the currency's smallest unit.
    /// @param requestId The service's id of the request.
    /// @param destinationChainId The chain of the fill.
    /// @param destinationUser Recipient of the fill: an EVM address left-padded, or the 32 bytes of an SVM address.
    /// @param signature The solver's, as `GET /requests/{requestId}/signature` returns it.
    struct Payment {
        address currency;
        uint256 amount;
        bytes32 requestId;
        uint256 destinationChainId;
        bytes32 destinationUser;
        bytes signature;
    }

    /// @notice Pays for a request in a token, directly from the caller to the solver, by the caller's ERC-2612 permit.
    /// @dev Only the owner of the tokens can call: a permit does not name its purpose. A permit that was used at the
    /// token before is accepted while the allowance lasts. Reverts for the reasons of `depositErc20`, or with
    /// `PermitRefused`.
    /// @param token The signed `originCurrency`.
    /// @param amount The signed `originAmount`, in the token's smallest unit.
    /// @param requestId The service's id of the request.
    /// @param destinationChainId The chain of the fill.
    /// @param destinationUser Recipient of the fill: an EVM address left-padded, or the 32 bytes of an SVM address.
    /// @param signature The solver's, as `GET /requests/{requestId}/signature` returns it.
    /// @param permit The caller's permit for this contract.
    function depositErc20WithPermit(
        address token,
        uint256 amount,
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature,
        ISignedPulls.Permit calldata permit
    ) external;

    /// @notice Pays for a request in a token by a Permit2 transfer whose witness names the request.
    /// @dev The tokens pass through this contract, because Permit2 cannot append the requestId to the token's calldata;
    /// the `transfer` to the solver carries it. The owner signs the exact amount, this contract as spender, and the
    /// witness. The event names the owner as depositor. Reverts for the reasons of `depositErc20`, or with
    /// `Permit2TransferRefused`.
    /// @param token The signed `originCurrency`.
    /// @param amount The signed `originAmount`, in the token's smallest unit.
    /// @param requestId The service's id of the request.
    /// @param destinationChainId The chain of the fill.
    /// @param destinationUser Recipient of the fill: an EVM address left-padded, or the 32 bytes of an SVM address.
    /// @param signature The solver's, as `GET /requests/{requestId}/signature` returns it.
    /// @param permit The owner's signed transfer.
    function depositErc20WithPermit2(
        address token,
        uint256 amount,
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature,
        ISignedPulls.Permit2Transfer calldata permit
    ) external;

    /// @notice Pays for a request in a token by an ERC-3009 authorization that names the request.
    /// @dev The owner signs a `ReceiveWithAuthorization` to this contract over the amount; its nonce is the witness.
    /// The tokens pass through this contract: an attacker could submit an authorization for the solver directly to the
    /// token and leave the request unpaid. The requestId follows the calldata of `transfer` to the solver. The event
    /// names the owner as depositor. Reverts for the reasons of `depositErc20`, or with `AuthorizationRefused`.
    /// @param token The signed `originCurrency`.
    /// @param amount The signed `originAmount`, in the token's smallest unit.
    /// @param requestId The service's id of the request.
    /// @param destinationChainId The chain of the fill.
    /// @param destinationUser Recipient of the fill: an EVM address left-padded, or the 32 bytes of an SVM address.
    /// @param signature The solver's, as `GET /requests/{requestId}/signature` returns it.
    /// @param authorization The owner's.
    function depositErc20WithAuthorization(
        address token,
        uint256 amount,
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature,
        ISignedPulls.Authorization calldata authorization
    ) external;

    /// @notice Pays for several requests, in any mix of currencies, all or none.
    /// @dev Tokens go directly from the caller to the solver under its allowance. Rules and errors of `deposit` and
    /// `depositErc20` hold for each payment; the first payment that fails is the one reported: see `IBatchDeposits`.
    /// Reverts with `BatchIsEmpty` when there are none, and with `NativeSumMismatch` unless `msg.value` is the sum of
    /// the native amounts.
    /// @param payments Payments in the order they are made; no request twice.
    function depositAll(Payment[] calldata payments) external payable;
}
