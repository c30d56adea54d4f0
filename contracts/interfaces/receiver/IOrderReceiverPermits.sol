// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {Order} from "../../records/Order.sol";
import {IBatchDeposits} from "./IBatchDeposits.sol";
import {IOrderReceiver} from "./IOrderReceiver.sol";
import {ISignedPulls} from "./ISignedPulls.sol";

/// @title A receiver of orders with every way to pay
/// @notice Adds to `IOrderReceiver` payments by ERC-2612 permit, by Permit2, by ERC-3009, and of several orders at
/// once. Validation and immutability are the same. It is a separate contract because every entry point adds gas to
/// the others.
///
/// | payment                         | caller                        | payer      | what binds the money to the order |
/// |---------------------------------|-------------------------------|------------|-----------------------------------|
/// | `depositErc20WithPermit`        | the owner of the tokens       | the caller | only the owner can call           |
/// | `depositErc20WithPermit2`       | any account, e.g. a relayer   | the signer | the witness                       |
/// | `depositErc20WithAuthorization` | any account, e.g. a relayer   | the signer | the nonce, which is the witness   |
/// | `depositAll`                    | the owner of the money        | the caller | only the owner can call           |
///
/// The witness is the EIP-712 struct hash of `OrderDepositWitness(bytes32 orderId,address receiver)`, where
/// `receiver` is this contract. The orderId is the hash of the whole order, so no other field is repeated. Token and
/// amount are signed in the transfer, and the chain by the signature's domain. The caller chooses `inputIndex`, which
/// must name an input of exactly that token and amount; the depository does not record it.
interface IOrderReceiverPermits is IOrderReceiver, IBatchDeposits {
    /// @notice One payment of several. Amount and currency are those of the named input.
    /// @param order The whole order, as the quote carries it.
    /// @param inputIndex Index of the input to pay.
    /// @param recipientProofs A Merkle proof for each payment of the output; empty without an allow-list.
    /// @param orderSignature The solver's, as `protocol.v2.orderSignature` of the quote carries it.
    struct OrderPayment {
        Order.Data order;
        uint256 inputIndex;
        bytes32[][] recipientProofs;
        bytes orderSignature;
    }

    /// @notice Pays one input of an order in a token by the caller's ERC-2612 permit.
    /// @dev Only the owner of the tokens can call: a permit does not name its purpose. A permit that was used at the
    /// token before is accepted while the allowance lasts. Reverts for the reasons of `depositErc20`, or with
    /// `PermitRefused`.
    /// @param token The input's currency.
    /// @param amount The input's amount, in the token's smallest unit.
    /// @param order The whole order, as the quote carries it.
    /// @param inputIndex Index of the input to pay.
    /// @param recipientProofs A Merkle proof for each payment of the output; empty without an allow-list.
    /// @param orderSignature The solver's, as `protocol.v2.orderSignature` of the quote carries it.
    /// @param permit The caller's permit for this contract.
    function depositErc20WithPermit(
        address token,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex,
        bytes32[][] calldata recipientProofs,
        bytes calldata orderSignature,
        ISignedPulls.Permit calldata permit
    ) external;

    /// @notice Pays one input of an order in a token by a Permit2 transfer whose witness names the order.
    /// @dev The owner signs exactly the amount, this contract as spender, and the witness; the owner is the
    /// depositor. Reverts for the reasons of `depositErc20`, with `AddressIsZero` for the zero owner, or with
    /// `Permit2TransferRefused`.
    /// @param token The input's currency.
    /// @param amount The input's amount, in the token's smallest unit.
    /// @param order The whole order, as the quote carries it.
    /// @param inputIndex Index of the input to pay.
    /// @param recipientProofs A Merkle proof for each payment of the output; empty without an allow-list.
    /// @param orderSignature The solver's, as `protocol.v2.orderSignature` of the quote carries it.
    /// @param permit The owner's signed transfer.
    function depositErc20WithPermit2(
        address token,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex,
        bytes32[][] calldata recipientProofs,
        bytes calldata orderSignature,
        ISignedPulls.Permit2Transfer calldata permit
    ) external;

    /// @notice Pays one input of an order in a token by an ERC-3009 authorization that names the order.
    /// @dev The owner signs a `ReceiveWithAuthorization` to this contract over the amount; its nonce is the witness;
    /// the owner is the depositor. Reverts for the reasons of `depositErc20`, with `AddressIsZero` for the zero
    /// owner, or with `AuthorizationRefused`.
    /// @param token The input's currency.
    /// @param amount The input's amount, in the token's smallest unit.
    /// @param order The whole order, as the quote carries it.
    /// @param inputIndex Index of the input to pay.
    /// @param recipientProofs A Merkle proof for each payment of the output; empty without an allow-list.
    /// @param orderSignature The solver's, as `protocol.v2.orderSignature` of the quote carries it.
    /// @param authorization The owner's.
    function depositErc20WithAuthorization(
        address token,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex,
        bytes32[][] calldata recipientProofs,
        bytes calldata orderSignature,
        ISignedPulls.Authorization calldata authorization
    ) external;

    /// @notice Pays one input of each of several orders, in any mix of currencies, all or none.
    /// @dev Tokens come from the caller under its allowance. Rules and errors of `deposit` and `depositErc20` hold for each
    /// payment; the first payment that fails is the one reported: see `IBatchDeposits`. Reverts with `BatchIsEmpty` when there
    /// are none, and with `NativeSumMismatch` unless `msg.value` is the sum of the native amounts.
    /// @param payments Payments in the order they are made; no order twice.
    function depositAll(OrderPayment[] calldata payments) external payable;
}
