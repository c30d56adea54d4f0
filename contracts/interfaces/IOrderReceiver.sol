// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {Order} from "../records/Order.sol";
import {IRefundForwarder} from "./IRefundForwarder.sol";

/// @title A receiver that accepts exactly the payment of an order the solver signed
/// @notice The whole order comes in the calldata. The receiver checks what is paid against one of its inputs, its deadlines
/// against the clock and its recipients against an allow-list, hashes it, checks the solver's signature over the hash, and
/// hands the money to the service's depository under the orderId. Everything about it is immutable; it has no owner and
/// holds no money.
///
/// What is signed, and what is not:
///
/// | check                                 | order                | this receiver                                         |
/// |---------------------------------------|----------------------|-------------------------------------------------------|
/// | amount sent                           | signed, by input     | `msg.value`, or what arrived at the depository        |
/// | origin chain and currency             | signed, by input     | this chain's protocol name, fixed at deployment       |
/// | order id valid, not forged            | signed               | hashed here from the order                            |
/// | solver                                | signed               | the one solver, fixed at deployment                   |
/// | not paid twice                        | –                    | consumed ids, set before any outside call             |
/// | not expired                           | signed deadlines     | the output's, and those of the paid input's refunds   |
/// | recipient                             | signed               | allow-list, where one was given at deployment         |
/// | destination currency, minimum output  | signed               | not looked at                                         |
/// | calls on the destination              | signed               | not looked at                                         |
/// | refund recipient and minimum          | signed               | not looked at                                         |
/// | fees, settlement chain, version       | signed               | not looked at                                         |
/// | this receiver and no other            | –                    | not enforced: an order names no contract              |
///
/// The allow-list is a Merkle root because the receiver has no owner who could keep a mapping, because one immutable word
/// serves any number of recipients without a storage read, and because whoever pays can fetch the proof. A leaf is
/// `keccak256(keccak256(abi.encode(string chainId, bytes recipient)))`, sibling pairs are hashed in ascending order: a
/// standard tree of OpenZeppelin's `merkle-tree` with the types `string` and `bytes`. The chain belongs to the leaf because
/// the same address can be somebody else's on another chain. Orders speak of protocol names and raw bytes, and so do the leaves:
/// a list over chain ids and words is another tree.
///
/// Assumptions:
/// - The solver's key signs orders of this form, and no other 32 bytes that could be taken for an orderId.
/// - The name given at deployment is the protocol's name of the chain the receiver is deployed on.
/// - The depository is the service's: it keeps what it is given and names the orderId in its event.
/// - Anybody may pay for an order. The fill still goes to its recipients, and a refund to its refund recipients, not to who
///   paid here: whoever pays looks at both.
/// - An order with several inputs on this chain can have one of them paid here, once: whoever pays first chooses which.
/// - An input without refunds has no refund deadline and is accepted.
/// - An allow-list speaks of who is paid, not of the calls: a contract that makes calls for others, as the service's router
///   does, has no place in it.
/// - Two receivers on one chain that share a solver consume ids on their own, and the depository can be paid directly. The
///   service counts payments by orderId.
/// - No deposit takes along what was sent here without one: it goes to `refundPayee`, see `IRefundForwarder`. A refund that names
/// the orderId goes to the depositor, whom the depository names as well: the caller or, where an owner pays by signature, that
/// owner. `refundPayee` cannot be zero, because an order binds no caller.
/// - A contract solver that verifies signatures itself (`usesErc1271`) signs in the third form of `ISolverSet`, over the Ethereum
/// signed message of the orderId.
interface IOrderReceiver is IRefundForwarder {
    /// @notice Emitted when a payment was accepted for an order, immediately before the money moves.
    /// @dev One event for native money and tokens: the depository's own event, which follows in the transaction, has the
    /// currency, the amount, the orderId and the depositor.
    /// @param orderId The order that is paid for.
    /// @param depositor Who paid.
    event OrderDeposited(bytes32 indexed orderId, address indexed depositor);

    /// @notice Thrown by the constructor when nothing is deployed where the depository should be.
    /// @param depository The address in question.
    error DepositoryHasNoCode(address depository);

    /// @notice Thrown by the constructor when this chain's protocol name is empty.
    error ChainNameIsEmpty();

    /// @notice Thrown when the order names another solver.
    /// @param actual Whom the order names.
    /// @param expected Whom this receiver accepts.
    error OrderSolverMismatch(address actual, address expected);

    /// @notice Thrown when the order has no such input.
    /// @param inputIndex The index that was given.
    /// @param inputCount How many inputs the order has.
    error InputIndexOutOfRange(uint256 inputIndex, uint256 inputCount);

    /// @notice Thrown when the input is to be paid on another chain.
    /// @param chainId The chain's protocol name in the input.
    /// @param expectedHash The keccak256 of this chain's name.
    error InputChainMismatch(string chainId, bytes32 expectedHash);

    /// @notice Thrown when the input is to be paid in another currency.
    /// @param currency The currency in the input.
    /// @param expected What is paid in; the zero address for native money. Only its 20 bytes match.
    error InputCurrencyMismatch(bytes currency, address expected);

    /// @notice Thrown when another amount is paid than the input asks for.
    /// @param amount What is paid.
    /// @param expected The input's amount.
    error InputAmountMismatch(uint256 amount, uint256 expected);

    /// @notice Thrown when a refund of the paid input could not be made any more.
    /// @param refundIndex Which of the input's refunds.
    /// @param deadline The last second it can be made in.
    /// @param timestamp The block's.
    error RefundDeadlinePassed(uint256 refundIndex, uint256 deadline, uint256 timestamp);

    /// @notice Thrown when the fill would come too late.
    /// @param deadline The last second it can be made in.
    /// @param timestamp The block's.
    error OutputDeadlinePassed(uint256 deadline, uint256 timestamp);

    /// @notice Thrown when there is not one proof for each payment of the output; without an allow-list there must be none.
    /// @param count How many proofs were given.
    /// @param expected How many are needed.
    error RecipientProofCountMismatch(uint256 count, uint256 expected);

    /// @notice Thrown when there is an allow-list and the output pays nobody, so that only calls could move the money.
    error OutputPaysNobody();

    /// @notice Thrown when the proof does not lead from a recipient to the allow-list.
    /// @param paymentIndex Which of the output's payments.
    /// @param recipient Whom it pays.
    /// @param recipientRoot The allow-list's root.
    error OutputRecipientNotAllowed(uint256 paymentIndex, bytes recipient, bytes32 recipientRoot);

    /// @notice Thrown when the order has been paid here before.
    /// @param orderId The order in question.
    error OrderAlreadyConsumed(bytes32 orderId);

    /// @notice Thrown when the solver did not sign exactly this order.
    /// @param recovered Who the signature recovers to for the order as it was given; meaningless but for a forger's key.
    /// @param solver Whose signature is needed.
    error OrderNotSignedBySolver(address recovered, address solver);

    /// @notice Thrown when the depository does not take the money.
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
    /// @param inputIndex Which of its inputs is paid.
    /// @param recipientProofs For each payment of the output the Merkle proof of its recipient; empty without an allow-list.
    /// @param orderSignature The solver's, as `protocol.v2.orderSignature` of the quote carries it.
    function deposit(
        Order.Data calldata order,
        uint256 inputIndex,
        bytes32[][] calldata recipientProofs,
        bytes calldata orderSignature
    ) external payable;

    /// @notice Pays one input of an order in a token; needs an allowance for this contract.
    /// @dev The tokens come here and go on to the depository within the call, both measured. The orderId follows the standard
    /// calldata of the first `transferFrom`. Reverts as `deposit` does, and with `ArrivedAmountMismatch`,
    /// `TokenBalanceChanged`, `TokenHasNoCode`, `TokenReadFailed`, `TokenTransferFailed`, `ApproveFailed` or `Reentrancy`.
    /// @param token The input's currency.
    /// @param amount The input's amount, in the token's smallest unit.
    /// @param order The whole order, as the quote carries it.
    /// @param inputIndex Which of its inputs is paid.
    /// @param recipientProofs For each payment of the output the Merkle proof of its recipient; empty without an allow-list.
    /// @param orderSignature The solver's, as `protocol.v2.orderSignature` of the quote carries it.
    function depositErc20(
        address token,
        uint256 amount,
        Order.Data calldata order,
        uint256 inputIndex,
        bytes32[][] calldata recipientProofs,
        bytes calldata orderSignature
    ) external;

    /// @notice Who must be named as the order's solver and must have signed it.
    /// @return The solver's address.
    function solver() external view returns (address);

    /// @notice Where the money goes.
    /// @return The address of the service's depository on this chain.
    function depository() external view returns (address);

    /// @notice The keccak256 of this chain's protocol name.
    /// @return What the hash of a paid input's `chainId` must be.
    function chainNameHash() external view returns (bytes32);

    /// @notice The allow-list of the recipients on the destination chains.
    /// @return Its Merkle root; zero if every signed recipient is accepted.
    function recipientRoot() external view returns (bytes32);

    /// @notice Whether the solver is a contract that verifies signatures itself.
    /// @return If true, `orderSignature` is the solver's address followed by what its ERC-1271 `isValidSignature` takes.
    function usesErc1271() external view returns (bool);
}
