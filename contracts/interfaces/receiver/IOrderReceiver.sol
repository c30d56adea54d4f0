// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {Order} from "../../records/Order.sol";
import {IBatchDeposits} from "./IBatchDeposits.sol";
import {IRefundForwarder} from "./IRefundForwarder.sol";
import {ISignedPulls} from "./ISignedPulls.sol";

/// @title A receiver that accepts exactly the payment of an order the solver signed
/// @notice The caller passes the whole order. The receiver checks the payment against one input, the deadlines against
/// the clock. It hashes the order, checks the solver's signature over the hash, and deposits the money at the service's
/// depository under the orderId. It is immutable, has no owner and holds no money.
///
/// Signed and unsigned fields:
///
/// | check                                 | order                | this receiver                                         |
/// |---------------------------------------|----------------------|-------------------------------------------------------|
/// | amount sent                           | signed, by input     | `msg.value`, or what arrived at the depository        |
/// | origin chain and currency             | signed, by input     | this chain's name and chain id, fixed at deployment   |
/// | order id valid, not forged            | signed               | hashed here from the order                            |
/// | solver                                | signed               | the one solver, fixed at deployment                   |
/// | not paid twice                        | –                    | consumed ids, set before any external call            |
/// | not expired                           | signed deadlines     | the output's, and those of the paid input's refunds   |
/// | recipient, fees, calls                | signed               | passed to the policies; without policies not checked  |
/// | minimum output                        | signed               | at least one payment, each with a minimum above zero  |
/// | destination currency                  | signed               | not checked                                           |
/// | refund recipient and minimum          | signed               | not checked                                           |
/// | settlement chain, version, extra data | signed               | not checked                                           |
/// | this receiver and no other            | –                    | not enforced: an order names no contract              |
///
/// A contract that inherits it together with policies has those policies, see `IDepositPolicies`. To a policy about
/// recipients, such as `IRecipientAllowListMapping`, an order passes all of these, and each must be allowed:
///
/// | part of the order            | chain                                        | account                            |
/// |------------------------------|----------------------------------------------|------------------------------------|
/// | each payment of the output   | `keccak256(bytes(output.chainId))`           | `keccak256(payment.recipient)`     |
/// | each call of the output      | `keccak256(bytes(output.chainId))`           | `keccak256(call)`                  |
/// | each fee                     | `keccak256(bytes(fee.recipientChainId))`     | `keccak256(fee.recipient)`         |
///
/// The hashes are of the bytes as the order carries them, of any length, without padding; the chain's is read as a
/// number. So a recipient of 20 bytes and the same one padded to 32 bytes are two accounts, and a list of an order
/// receiver has other entries than one of a record receiver.
///
/// | payment                         | caller                        | payer      | what binds the money to the order |
/// |---------------------------------|-------------------------------|------------|-----------------------------------|
/// | `deposit`, `depositErc20`       | the owner of the money        | the caller | only the owner can call           |
/// | `depositErc20WithPermit`        | the owner of the tokens       | the caller | only the owner can call           |
/// | `depositErc20WithPermit2`       | any account, e.g. a relayer   | the signer | the witness                       |
/// | `depositErc20WithAuthorization` | any account, e.g. a relayer   | the signer | the nonce, which is the witness   |
/// | `depositAll`                    | the owner of the money        | the caller | only the owner can call           |
///
/// The witness is the EIP-712 struct hash of `OrderDepositWitness(bytes32 orderId,address receiver)`, where
/// `receiver` is this contract. The orderId is the hash of the whole order, so no other field is repeated. Token and
/// amount are signed in the transfer, and the chain by the signature's domain. The caller chooses `inputIndex`, which
/// must name an input of exactly that token and amount; the event names it.
///
/// Assumptions:
/// - The solver's key signs orders of this form, and no other 32 bytes that could be an orderId.
/// - The name given at deployment is the protocol's name of the chain the receiver is deployed on.
/// - The depository is the service's: it keeps the money and names the orderId in its event.
/// - Any account may pay for an order. The fill still goes to the order's recipients, and a refund to its refund
///   recipients, not to the payer: check both before paying.
/// - Of an order with several inputs on this chain, only one can be paid here, once. The first payer chooses it: a
///   stranger that pays an input of one unit stops the payment of the others here. Request orders with one input.
/// - An input without refunds has no refund deadline and is accepted.
/// - An account that policies allow keeps what it receives. Do not list a contract that makes calls for others, such as
///   the service's router, and list calls by their exact bytes only.
/// - Two receivers on one chain that share a solver count consumed ids separately, and the depository accepts direct
///   payments. The service counts payments by orderId.
/// - Money sent here outside a deposit goes to `refundPayee`, see `IRefundForwarder`. A refund that names the orderId
///   goes to the depositor: the caller, or the owner of a payment by signature. The depository's event names the same
///   depositor. `refundPayee` cannot be zero, because an order binds no caller.
/// - The solver is a key: the service settles no order of a contract.
interface IOrderReceiver is IRefundForwarder, IBatchDeposits {
    /// @notice One payment of several. Amount and currency are those of the named input.
    /// @param order The whole order, as the quote carries it.
    /// @param inputIndex Index of the input to pay.
    /// @param orderSignature The solver's, as `protocol.v2.orderSignature` of the quote carries it, and the data of
    /// policies.
    struct OrderPayment {
        Order.Data order;
        uint256 inputIndex;
        bytes orderSignature;
    }

    /// @notice Emitted when a payment is accepted for an order, before its money moves.
    /// @param orderId The paid order.
    /// @param depositor Account that paid.
    /// @param inputIndex Index of the paid input.
    /// @param currency Currency of the payment; zero is the chain's native currency.
    /// @param amount Amount in the currency's smallest unit.
    event OrderDeposited(
        bytes32 indexed orderId,
        address indexed depositor,
        uint256 inputIndex,
        address currency,
        uint256 amount
    );

    /// @notice Thrown by the constructor when the depository has no code.
    /// @param depository The depository's address.
    error DepositoryHasNoCode(address depository);

    /// @notice Thrown by the constructor when this chain's protocol name is empty.
    error ChainNameIsEmpty();

    /// @notice Thrown by the constructor and by deposits on a chain other than the one given at deployment.
    /// @param actual Chain id of this chain.
    /// @param expected Chain id given at deployment.
    error ChainIdMismatch(uint256 actual, uint256 expected);

    /// @notice Thrown when the order names another solver.
    /// @param actual Solver that the order names.
    /// @param expected Solver of this receiver.
    error OrderSolverMismatch(address actual, address expected);

    /// @notice Thrown when the order has no input at the index.
    /// @param inputIndex The index.
    /// @param inputCount Number of inputs of the order.
    error InputIndexOutOfRange(uint256 inputIndex, uint256 inputCount);

    /// @notice Thrown when the input must be paid on another chain.
    /// @param chainId The chain's protocol name in the input.
    /// @param expectedHash The keccak256 of this chain's name.
    error InputChainMismatch(string chainId, bytes32 expectedHash);

    /// @notice Thrown when the input must be paid in another currency.
    /// @param currency The currency in the input.
    /// @param expected Currency of the payment; the zero address for native money. Only its 20 bytes match.
    error InputCurrencyMismatch(bytes currency, address expected);

    /// @notice Thrown when the payment differs from the input's amount.
    /// @param amount Amount of the payment.
    /// @param expected The input's amount.
    error InputAmountMismatch(uint256 amount, uint256 expected);

    /// @notice Thrown when the deadline of a refund of the paid input has passed.
    /// @param refundIndex Index among the input's refunds.
    /// @param deadline The last second for the refund.
    /// @param timestamp The block's timestamp.
    error RefundDeadlinePassed(uint256 refundIndex, uint256 deadline, uint256 timestamp);

    /// @notice Thrown when the deadline of the fill has passed.
    /// @param deadline The last second for the fill.
    /// @param timestamp The block's timestamp.
    error OutputDeadlinePassed(uint256 deadline, uint256 timestamp);

    /// @notice Thrown when the output has no payments, so that only calls and fees could move the money.
    error OutputPaysNobody();

    /// @notice Thrown when a payment of the output has a minimum of zero: a fill of nothing would settle it.
    /// @param paymentIndex Index among the output's payments.
    error OutputPaymentIsZero(uint256 paymentIndex);

    /// @notice Thrown when the solver did not sign exactly this order.
    /// @param recovered Signer recovered for the order as given. Arbitrary, unless another key signed this order.
    /// @param solver The required signer.
    error OrderNotSignedBySolver(address recovered, address solver);

    /// @notice Thrown when the depository reverts.
    /// @param depository The depository.
    /// @param reason Its revert data, cut to 1,024 bytes.
    error DepositoryRejected(address depository, bytes reason);

    /// @notice Pays one input of an order in the chain's native currency; `msg.value` is the input's amount in wei.
    /// @dev Checks in this order: `ChainIdMismatch`, `AmountIsZero`, `OrderSolverMismatch`, `InputIndexOutOfRange`,
    /// `InputChainMismatch`, `InputCurrencyMismatch`, `InputAmountMismatch`, `RefundDeadlinePassed`,
    /// `OutputDeadlinePassed`, `RequestAlreadyConsumed`, `PolicyDataMissing`, an error of `SolverSignature`,
    /// `OrderNotSignedBySolver`, an error of a policy about the deposit or `PolicySkipped`, `OutputPaysNobody`; for each
    /// payment `OutputPaymentIsZero` or an error of a policy about recipients, then that of each call and fee;
    /// `DepositoryRejected`.
    /// @param order The whole order, as the quote carries it.
    /// @param inputIndex Index of the input to pay.
    /// @param orderSignature The solver's, as `protocol.v2.orderSignature` of the quote carries it, and the data of
    /// policies.
    function deposit(
        Order.Data calldata order,
        uint256 inputIndex,
        bytes calldata orderSignature
    ) external payable;

    /// @notice Pays one input of an order in a token; needs an allowance for this contract.
    /// @dev The tokens pass through this contract to the depository in one call; both transfers are measured. The
    /// orderId follows the standard calldata of the first `transferFrom`. Reverts for the reasons of `deposit`, and
    /// with `ArrivedAmountMismatch`, `TokenBalanceChanged`, `TokenHasNoCode`, `TokenReadFailed`, `TokenTransferFailed`,
    /// `ApproveFailed` or `Reentrancy`.
    /// @param token The input's currency.
    /// @param amount The input's amount, in the token's smallest unit.
    /// @param order The whole order, as the quote carries it.
    /// @param inputIndex Index of the input to pay.
    /// @param orderSignature The solver's, as `protocol.v2.orderSignature` of the quote carries it, and the data of
    /// policies.
    function depositErc20(
        address token,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex,
        bytes calldata orderSignature
    ) external;

    /// @notice Pays one input of an order in a token by the caller's ERC-2612 permit.
    /// @dev Only the owner of the tokens can call: a permit does not name its purpose. A permit that was used at the
    /// token before is accepted while the allowance lasts. Reverts for the reasons of `depositErc20`, or with
    /// `PermitRefused`.
    /// @param token The input's currency.
    /// @param amount The input's amount, in the token's smallest unit.
    /// @param order The whole order, as the quote carries it.
    /// @param inputIndex Index of the input to pay.
    /// @param orderSignature The solver's, as `protocol.v2.orderSignature` of the quote carries it, and the data of
    /// policies.
    /// @param permit The caller's permit for this contract.
    function depositErc20WithPermit(
        address token,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex,
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
    /// @param orderSignature The solver's, as `protocol.v2.orderSignature` of the quote carries it, and the data of
    /// policies.
    /// @param permit The owner's signed transfer.
    function depositErc20WithPermit2(
        address token,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex,
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
    /// @param orderSignature The solver's, as `protocol.v2.orderSignature` of the quote carries it, and the data of
    /// policies.
    /// @param authorization The owner's.
    function depositErc20WithAuthorization(
        address token,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex,
        bytes calldata orderSignature,
        ISignedPulls.Authorization calldata authorization
    ) external;

    /// @notice Pays one input of each of several orders, in any mix of currencies, all or none.
    /// @dev Tokens come from the caller under its allowance. Rules and errors of `deposit` and `depositErc20` hold for each
    /// payment; the first payment that fails is the one reported: see `IBatchDeposits`. Reverts with `BatchIsEmpty` when there
    /// are none, and with `NativeSumMismatch` unless `msg.value` is the sum of the native amounts.
    /// @param payments Payments in the order they are made; no order twice.
    function depositAll(OrderPayment[] calldata payments) external payable;

    /// @notice The solver that orders must name and that must have signed them.
    /// @return The solver's address.
    function solver() external view returns (address);

    /// @notice The service's depository on this chain, which receives the money.
    /// @return The depository's address.
    function depository() external view returns (address);

    /// @notice The keccak256 of this chain's protocol name.
    /// @return The required keccak256 of a paid input's `chainId`.
    function chainNameHash() external view returns (bytes32);

    /// @notice Chain id of the chain that this contract was deployed on.
    /// @return The required `block.chainid` of deposits.
    function thisChainId() external view returns (uint256);
}
