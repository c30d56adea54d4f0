// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {IBatchDeposits} from "./IBatchDeposits.sol";
import {ISignedPulls} from "./ISignedPulls.sol";

/// @title A receiver of the solver's signed records
/// @notice The receiver rebuilds the solver's record from the payment and the chain, and checks the solver's signature
/// over it. A payment that differs in any field recovers another signer and is rejected. `IManagedReceiverLens` names
/// the field.
///
/// | payment                         | caller                       | payer      | what binds the money to the request |
/// |---------------------------------|------------------------------|------------|-------------------------------------|
/// | `deposit`, `depositErc20`       | the owner of the money       | the caller | only the owner can call             |
/// | `depositErc20WithPermit`        | the owner of the tokens      | the caller | only the owner can call             |
/// | `depositErc20WithPermit2`       | a relayer, within `binding`  | the signer | the witness                         |
/// | `depositErc20WithAuthorization` | a relayer, within `binding`  | the signer | the nonce, which is the witness     |
/// | `depositAll`                    | the owner of the money       | the caller | only the owner can call             |
///
/// The payer is the depositor, in the events and of refunds: a relayer that submits a signature has no claim to them.
/// With `Binding.Receiver` any account may be the relayer and pay the gas; an account that front-runs its call has the
/// same effect. With `Binding.Caller` the record names its only caller.
///
/// The witness is the EIP-712 struct hash of
/// `DepositWitness(bytes32 requestId,uint256 destinationChainId,bytes32 destinationUser,address receiver)`, where
/// `receiver` is this contract. The signed transfer covers token and amount, and the signature's domain the chain.
///
/// `signature` is the solver's, followed by the data of policies, see `IDepositPolicies`: none here, the 96 bytes of
/// `IExpiryCoSignature` in a managed receiver.
///
/// Assumptions:
/// - The solver's key signs records of both versions and nothing else of 224 bytes. One signature fits both versions:
///   a version 2 record has an account in the word where a version 1 record has the destination chain id.
///   `RecordOfOtherVersion` rejects it, unless that account is at most 2^64 - 1, such as the zero address or a
///   precompile: it then passes as a version 1 record whose amount is its destination chain id. Request no version 2
///   record for such a recipient.
/// - `originUser` is the `user` of the quote. With `Binding.Receiver`, request quotes with `user` = this contract and
///   an explicit `refundTo` where the receiver forwards refunds. With `Binding.Caller`, only the `user` of the quote
///   can make the deposit.
/// - With `Binding.Receiver`, any account may pay for a request and is its depositor; the fill still goes to the
///   signed recipient.
/// - Two receivers on one chain that share a solver and use `Binding.Caller` each count consumed ids separately.
/// - The solver keeps what it receives. If its token hook forwards money at once, every deposit of that token fails
///   with `ArrivedAmountMismatch`. If the payee of native money delegates to code that rejects calldata (EIP-7702),
///   every native deposit fails with `PayeeRejectedNative`.
interface IRecordReceiver is IBatchDeposits {
    /// @notice Account that the record must name as `originUser`.
    enum Binding {
        /// This contract: the record can be spent at no other receiver.
        Receiver,
        /// The caller: no other account can spend its record.
        Caller
    }

    /// @notice One payment of several.
    /// @param currency The signed `originCurrency`: a token, or zero for the chain's native currency.
    /// @param amount The signed `originAmount`, in the currency's smallest unit.
    /// @param requestId The service's id of the request.
    /// @param destinationChainId The chain of the fill.
    /// @param destinationUser Recipient of the fill: an EVM address left-padded, or the 32 bytes of an SVM address.
    /// @param signature The solver's, as `GET /requests/{requestId}/signature` returns it, and the data of policies.
    struct Payment {
        address currency;
        uint256 amount;
        bytes32 requestId;
        uint256 destinationChainId;
        bytes32 destinationUser;
        bytes signature;
    }

    /// @notice Emitted when native money is accepted, before it is forwarded.
    /// @param requestId The paid request.
    /// @param depositor Account that paid.
    /// @param amount Wei.
    event NativeDeposited(bytes32 indexed requestId, address indexed depositor, uint256 amount);

    /// @notice Emitted when a token payment is accepted, before the tokens move.
    /// @param requestId The paid request.
    /// @param depositor Account that paid.
    /// @param token Token of the payment.
    /// @param amount Amount in the token's smallest unit: the solver's balance grew by exactly that, or the call
    /// reverted.
    event Erc20Deposited(bytes32 indexed requestId, address indexed depositor, address token, uint256 amount);

    /// @notice Thrown when a required address is zero.
    error AddressIsZero();

    /// @notice Thrown when the amount is zero.
    error AmountIsZero();

    /// @notice Thrown when the request or order was paid before.
    /// @param requestId The requestId or orderId.
    error RequestAlreadyConsumed(bytes32 requestId);

    /// @notice Thrown when the record is of version 2: it has an account where version 1 has the destination chain id.
    /// Read as version 1, it would have an amount that the solver did not sign.
    /// @param word The value in place of the chain id.
    /// @param limit The highest chain id.
    error RecordOfOtherVersion(uint256 word, uint256 limit);

    /// @notice Thrown when the recipient of native money reverts.
    /// @param payee The recipient.
    /// @param amount Wei.
    /// @param reason Its revert data, cut to 1,024 bytes.
    error PayeeRejectedNative(address payee, uint256 amount, bytes reason);

    /// @notice Thrown when the arrived amount differs from the payment, e.g. because the token takes a fee.
    /// @param token Token of the payment.
    /// @param expected Amount of the payment.
    /// @param arrived The growth of the recipient's balance. The recipient is the solver, the depository, or the
    /// depositor of a refund; this contract where the tokens pass through it.
    error ArrivedAmountMismatch(address token, uint256 expected, uint256 arrived);

    /// @notice Thrown when a payment changes this receiver's balance of the token, e.g. because the token charges its
    /// sender on top of the amount.
    /// @param token Token of the payment.
    /// @param balance The balance after the payment.
    /// @param expected The balance before it.
    error TokenBalanceChanged(address token, uint256 balance, uint256 expected);

    /// @notice Pays for a request in the chain's native currency; `msg.value` is the signed `originAmount` in wei.
    /// @dev The calldata of the forwarding call is exactly the requestId. Reverts with `AmountIsZero`,
    /// `RequestAlreadyConsumed`, `PolicyDataMissing`, `RecordOfOtherVersion`, an error of `SolverSignature`,
    /// `RecordNotSignedBySolver` or the errors of `ISolverSet`, an error of a policy, `PolicySkipped` or
    /// `PayeeRejectedNative`, in this order.
    /// @param requestId The service's id of the request.
    /// @param destinationChainId The chain of the fill.
    /// @param destinationUser Recipient of the fill: an EVM address left-padded, or the 32 bytes of an SVM address.
    /// @param signature The solver's, as `GET /requests/{requestId}/signature` returns it, and the data of policies.
    function deposit(
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature
    ) external payable;

    /// @notice Pays for a request in a token, directly from the caller to the solver; needs an allowance for this
    /// contract.
    /// @dev The requestId follows the standard calldata of the token's `transferFrom`. Reverts with
    /// `Reentrancy`, for the reasons of `deposit` except the last, or with `TokenHasNoCode`, `TokenReadFailed`,
    /// `TokenTransferFailed` or `ArrivedAmountMismatch`; where refunds are credited, also with `CreditsNotCovered`.
    /// @param token The signed `originCurrency`.
    /// @param amount The signed `originAmount`, in the token's smallest unit.
    /// @param requestId The service's id of the request.
    /// @param destinationChainId The chain of the fill.
    /// @param destinationUser Recipient of the fill: an EVM address left-padded, or the 32 bytes of an SVM address.
    /// @param signature The solver's, as `GET /requests/{requestId}/signature` returns it, and the data of policies.
    function depositErc20(
        address token,
        uint256 amount,
        bytes32 requestId,
        uint256 destinationChainId,
        bytes32 destinationUser,
        bytes calldata signature
    ) external;

    /// @notice Pays for a request in a token, directly from the caller to the solver, by the caller's ERC-2612 permit.
    /// @dev Only the owner of the tokens can call: a permit does not name its purpose. A permit that was used at the
    /// token before is accepted while the allowance lasts. Reverts for the reasons of `depositErc20`, or with
    /// `PermitRefused`.
    /// @param token The signed `originCurrency`.
    /// @param amount The signed `originAmount`, in the token's smallest unit.
    /// @param requestId The service's id of the request.
    /// @param destinationChainId The chain of the fill.
    /// @param destinationUser Recipient of the fill: an EVM address left-padded, or the 32 bytes of an SVM address.
    /// @param signature The solver's, as `GET /requests/{requestId}/signature` returns it, and the data of policies.
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
    /// `AddressIsZero` for the zero owner, `Permit2TransferRefused` or `TokenBalanceChanged`.
    /// @param token The signed `originCurrency`.
    /// @param amount The signed `originAmount`, in the token's smallest unit.
    /// @param requestId The service's id of the request.
    /// @param destinationChainId The chain of the fill.
    /// @param destinationUser Recipient of the fill: an EVM address left-padded, or the 32 bytes of an SVM address.
    /// @param signature The solver's, as `GET /requests/{requestId}/signature` returns it, and the data of policies.
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
    /// names the owner as depositor. Reverts for the reasons of `depositErc20`, or with `AddressIsZero` for the zero owner,
    /// `AuthorizationRefused` or `TokenBalanceChanged`.
    /// @param token The signed `originCurrency`.
    /// @param amount The signed `originAmount`, in the token's smallest unit.
    /// @param requestId The service's id of the request.
    /// @param destinationChainId The chain of the fill.
    /// @param destinationUser Recipient of the fill: an EVM address left-padded, or the 32 bytes of an SVM address.
    /// @param signature The solver's, as `GET /requests/{requestId}/signature` returns it, and the data of policies.
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

    /// @notice Account that the record must name as `originUser`.
    /// @return The mode chosen at deployment.
    function binding() external view returns (Binding);
}
