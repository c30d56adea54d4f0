// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {IRefundReceiver} from "./IRefundReceiver.sol";

/// @title Refunds that are forwarded at once
/// @notice A receiver without an owner holds no money for depositors. It forwards each refund to the depositor of the request
/// in the same transaction, and money that names no request to an account fixed at deployment.
///
/// | what arrives                                | goes to                                        |
/// |---------------------------------------------|------------------------------------------------|
/// | native, the requestId as the whole calldata | the depositor, at once                         |
/// | a token by `refundErc20`                    | the depositor, at once; exactly the amount     |
/// | native without calldata                     | `refundPayee`, by `sweep`                      |
/// | a token by a plain transfer                 | `refundPayee`, by `sweep`                      |
/// | ether by force                              | `refundPayee`, by `sweep`                      |
///
/// A refund that the depositor cannot receive reverts, and the refunder keeps its money: the depositor is a contract
/// that rejects native money, or the token has blocked the depositor. Such a refund does not fall back to
/// `refundPayee`: the caller sets the gas limit, so a caller could make the depositor's part fail and redirect the
/// money. The refunder can pay another account of the depositor instead; `depositorOf` names the depositor.
///
/// Why nothing can be diverted:
/// - A native refund forwards `msg.value` of its own call and changes no state, so a reentrant call can only forward more.
/// - `refundErc20` and `sweep` share the reentrancy guard of the deposits that measure balances or hold money of a batch.
///   A sweep during an unguarded native deposit finds no money of that deposit: it left with the only external call.
///
/// Assumptions:
/// - Request ids are hashes. One in three hundred million begins with the selector of a function here. Its native refund reverts,
///   because no function of this contract with such a selector accepts native money with 28 bytes of arguments. A contract that
///   adds an owner has two that do, `requestOwnershipHandover` and `cancelOwnershipHandover`; `refundErc20` works.
/// - The depositor is the account that paid. A refund of a payment that a shared contract made for its caller (`BalanceExecutor`,
///   a router, a multicall) returns to that contract, where anyone can take it: pay from an account of your own.
/// - Only ERC-20 tokens come back: no function sends an NFT on. A `refundPayee` that rejects money locks what names no request.
/// - A token that charges the account that calls `transferFrom` takes its fee from stray tokens of the refund payee here.
/// - With `refundPayee` zero, native money without calldata reverts; tokens sent by a plain transfer and ether sent by force
///   stay. Zero is possible only where records bind the caller, so that no quote names the receiver as its `refundTo`.
interface IRefundForwarder is IRefundReceiver {
    /// @notice Emitted before a refund is forwarded to the depositor.
    /// @param requestId The refunded request.
    /// @param depositor Recipient.
    /// @param currency The token; zero is the chain's native currency.
    /// @param amount Amount in the currency's smallest unit.
    event RefundForwarded(
        bytes32 indexed requestId,
        address indexed depositor,
        address indexed currency,
        uint256 amount
    );

    /// @notice Emitted before money that names no request is sent to `refundPayee`.
    /// @param currency The token; zero is the chain's native currency.
    /// @param amount Amount in the currency's smallest unit.
    event Swept(address indexed currency, uint256 amount);

    /// @notice Thrown when money names no request and there is no `refundPayee`.
    error NoRefundPayee();

    /// @notice Sends money that names no request to `refundPayee`. Any account may call.
    /// @dev Reverts with `NoRefundPayee`, `AmountIsZero`, `ExceedsUncredited` above the balance, `PayeeRejectedNative`,
    /// `TokenHasNoCode`, `TokenReadFailed`, `TokenTransferFailed` or `Reentrancy`. Takes an amount, because a token that charges
    /// its sender cannot move the whole balance.
    /// @param amount Amount in the currency's smallest unit.
    /// @param currency The token; zero is the chain's native currency.
    function sweep(uint256 amount, address currency) external;

    /// @notice Recipient of money that names no request, fixed at deployment.
    /// @return Zero if such money is refused.
    function refundPayee() external view returns (address);
}
