// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {Order} from "../../records/Order.sol";
import {IRefundForwarder} from "./IRefundForwarder.sol";

/// @title A receiver that accepts exactly the payment of an order the solver signed
/// @notice The caller passes the whole order. The receiver checks the payment against one input, the deadlines against
/// the clock and the recipients against an allow-list. It hashes the order, checks the solver's signature over the
/// hash, and deposits the money at the service's depository under the orderId. It is immutable, has no owner and holds
/// no money.
///
/// Signed and unsigned fields:
///
/// | check                                 | order                | this receiver                                         |
/// |---------------------------------------|----------------------|-------------------------------------------------------|
/// | amount sent                           | signed, by input     | `msg.value`, or what arrived at the depository        |
/// | origin chain and currency             | signed, by input     | this chain's protocol name, fixed at deployment       |
/// | order id valid, not forged            | signed               | hashed here from the order                            |
/// | solver                                | signed               | the one solver, fixed at deployment                   |
/// | not paid twice                        | –                    | consumed ids, set before any external call            |
/// | not expired                           | signed deadlines     | the output's, and those of the paid input's refunds   |
/// | recipient                             | signed               | allow-list, where one was given at deployment         |
/// | destination currency, minimum output  | signed               | not checked                                           |
/// | calls on the destination              | signed               | not checked                                           |
/// | refund recipient and minimum          | signed               | not checked                                           |
/// | fees, settlement chain, version       | signed               | not checked                                           |
/// | this receiver and no other            | –                    | not enforced: an order names no contract              |
///
/// The allow-list is a Merkle root: no owner could maintain a mapping, one immutable word serves any number of
/// recipients without a storage read, and the payer can fetch the proof. A leaf is
/// `keccak256(keccak256(abi.encode(string chainId, bytes recipient)))`; sibling pairs are hashed in ascending order.
/// This is a standard tree of OpenZeppelin's `merkle-tree` with the types `string` and `bytes`. The leaf includes the
/// chain, because one address can have different owners on different chains. Leaves use protocol names and raw bytes,
/// as orders do; a list over chain ids and words is another tree.
///
/// Assumptions:
/// - The solver's key signs orders of this form, and no other 32 bytes that could be an orderId.
/// - The name given at deployment is the protocol's name of the chain the receiver is deployed on.
/// - The depository is the service's: it keeps the money and names the orderId in its event.
/// - Any account may pay for an order. The fill still goes to the order's recipients, and a refund to its refund
///   recipients, not to the payer: check both before paying.
/// - Of an order with several inputs on this chain, only one can be paid here, once. The first payer chooses it.
/// - An input without refunds has no refund deadline and is accepted.
/// - The allow-list covers paid recipients, not calls. Do not list a contract that makes calls for others, such as the
///   service's router.
/// - Two receivers on one chain that share a solver count consumed ids separately, and the depository accepts direct
///   payments. The service counts payments by orderId.
/// - Money sent here outside a deposit goes to `refundPayee`, see `IRefundForwarder`. A refund that names the orderId
///   goes to the depositor: the caller, or the owner of a payment by signature. The depository's event names the same
///   depositor. `refundPayee` cannot be zero, because an order binds no caller.
/// - A contract solver that verifies signatures itself (`usesErc1271`) signs in the third form of `ISolverSet`, over
///   the Ethereum signed message of the orderId.
interface IOrderReceiver is IRefundForwarder {
    /// @notice Emitted when a payment is accepted for an order, immediately before the money moves.
    /// @dev The same event serves native money and tokens. The depository's own event follows in the transaction, with
    /// the currency, the amount, the orderId and the depositor.
    /// @param orderId The paid order.
    /// @param depositor Account that paid.
    event OrderDeposited(bytes32 indexed orderId, address indexed depositor);

    /// @notice Thrown by the constructor when the depository has no code.
    /// @param depository The depository's address.
    error DepositoryHasNoCode(address depository);

    /// @notice Thrown by the constructor when this chain's protocol name is empty.
    error ChainNameIsEmpty();

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

    /// @notice Thrown unless there is one proof for each payment of the output; without an allow-list, none is allowed.
    /// @param count Number of proofs given.
    /// @param expected Number of proofs needed.
    error RecipientProofCountMismatch(uint256 count, uint256 expected);

    /// @notice Thrown when there is an allow-list and the output has no payments, so that only unchecked calls could
    /// move the money.
    error OutputPaysNobody();

    /// @notice Thrown when the proof does not lead from a recipient to the allow-list.
    /// @param paymentIndex Index among the output's payments.
    /// @param recipient Recipient of that payment.
    /// @param recipientRoot The allow-list's root.
    error OutputRecipientNotAllowed(uint256 paymentIndex, bytes recipient, bytes32 recipientRoot);

    /// @notice Thrown when the order was paid here before.
    /// @param orderId The order.
    error OrderAlreadyConsumed(bytes32 orderId);

    /// @notice Thrown when the solver did not sign exactly this order.
    /// @param recovered Signer recovered for the order as given. Arbitrary, unless another key signed this order.
    /// @param solver The required signer.
    error OrderNotSignedBySolver(address recovered, address solver);

    /// @notice Thrown when the depository reverts.
    /// @param depository The depository.
    /// @param reason Its revert data, cut to 1,024 bytes.
    error DepositoryRejected(address depository, bytes reason);

    /// @notice Pays one input of an order in the chain's native currency; `msg.value` is the input's amount in wei.
    /// @dev Checks in this order: `AmountIsZero`, `OrderSolverMismatch`, `InputIndexOutOfRange`,
    /// `InputChainMismatch`, `InputCurrencyMismatch`, `InputAmountMismatch`, `RefundDeadlinePassed`,
    /// `OutputDeadlinePassed`, `RecipientProofCountMismatch`, `OutputPaysNobody`, `OutputRecipientNotAllowed`,
    /// `OrderAlreadyConsumed`, an error of `SolverSignature`, `OrderNotSignedBySolver`, of a contract solver `SolverUsesErc1271` or
    /// `ContractSignatureRefused`, `DepositoryRejected`.
    /// @param order The whole order, as the quote carries it.
    /// @param inputIndex Index of the input to pay.
    /// @param recipientProofs A Merkle proof for each payment of the output; empty without an allow-list.
    /// @param orderSignature The solver's, as `protocol.v2.orderSignature` of the quote carries it.
    function deposit(
        Order.Data calldata order,
        uint256 inputIndex,
        bytes32[][] calldata recipientProofs,
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
    /// @param recipientProofs A Merkle proof for each payment of the output; empty without an allow-list.
    /// @param orderSignature The solver's, as `protocol.v2.orderSignature` of the quote carries it.
    function depositErc20(
        address token,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex,
        bytes32[][] calldata recipientProofs,
        bytes calldata orderSignature
    ) external;

    /// @notice The solver that orders must name and that must have signed them.
    /// @return The solver's address.
    function solver() external view returns (address);

    /// @notice The service's depository on this chain, which receives the money.
    /// @return The depository's address.
    function depository() external view returns (address);

    /// @notice The keccak256 of this chain's protocol name.
    /// @return The required keccak256 of a paid input's `chainId`.
    function chainNameHash() external view returns (bytes32);

    /// @notice The allow-list of the recipients on the destination chains.
    /// @return Its Merkle root; zero if every signed recipient is accepted.
    function recipientRoot() external view returns (bytes32);

    /// @notice Whether the solver is a contract that verifies signatures itself.
    /// @return If true, `orderSignature` is the solver's address followed by the signature for its ERC-1271
    /// `isValidSignature`.
    function usesErc1271() external view returns (bool);
}
