// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {IRefundReceiver} from "../IRefundReceiver.sol";

/// @title Depositors of requests and their credited refunds
/// @notice A refund is credited to its request, and its depositor withdraws it. Refunds are never pushed. A depositor
/// that cannot receive, or that a token has blocked, delays no other depositor and can name another recipient.
///
/// How refunds arrive, and where they are credited:
///
/// | what arrives                               | credited to                                            |
/// |--------------------------------------------|--------------------------------------------------------|
/// | native, the requestId as the whole calldata | that request, at once; from any sender                |
/// | native without calldata                     | no request, until attributed                           |
/// | a token by `refundErc20`                    | that request, at once; the arrived amount              |
/// | a token by a plain transfer                 | no request, until attributed                           |
/// | ether by force                              | no request, until attributed                           |
///
/// A token transfer can carry the requestId after its arguments: readers of the chain see it, this contract does not.
/// If any account could attribute, a depositor could claim another depositor's refund. So only the owner and the
/// attributor can, and only uncredited funds. Either can take uncredited funds: the owner withdraws them, the attributor
/// credits them to a request of its own. Only its depositor can touch a credited refund, paused or not; the owner
/// cannot.
///
/// Assumptions:
/// - The depositor is the account that paid. A contract that deposits must be able to call `withdrawRefund`, and must
///   not make calls of other users' choice: any caller can make a shared contract, such as `BalanceExecutor`, a router
///   or a multicall, withdraw.
/// - Request ids are hashes. One in a hundred million begins with the selector of a function here; its native refund
///   reverts, or is accepted without attribution.
/// - A token's balances change by transfers only. If a token reduces balances by itself, this contract may hold less
///   than is credited; the last depositors then wait until the difference is paid in. Tokens added by a rebase are
///   uncredited.
/// - Only ERC-20 tokens come back: `refundErc20` of an ERC-721 collection accepts the NFT, and no function sends it
///   out.
/// - A token has one address. If a token answers at two, funds credited under one look uncredited under the other.
/// - Where the native currency is also a token (CELO on Celo), refund it as native money. Paying out the token cannot
///   touch credited native money: that reverts with `CreditsNotCovered`. Funds credited under the token's address are
///   not protected from a rescue of native money, nor from attribution as native money, because the contract cannot
///   identify the token. So do not use `refundErc20` and `creditRefund` for that token.
/// - A token that takes a fee takes it from the withdrawal as well. A fee that its sender pays on top comes out of
///   uncredited funds; a payout or a deposit that would take it from credited funds reverts with `CreditsNotCovered`.
interface IRefundLedger is IRefundReceiver {
    /// @notice Emitted when a refund is credited.
    /// @param requestId The refunded request.
    /// @param depositor Account that may withdraw it.
    /// @param currency The token; zero is the chain's native currency.
    /// @param amount Amount in the currency's smallest unit.
    event RefundCredited(
        bytes32 indexed requestId,
        address indexed depositor,
        address indexed currency,
        uint256 amount
    );

    /// @notice Emitted when the depositor withdraws a credited refund.
    /// @param requestId The refunded request.
    /// @param recipient The recipient.
    /// @param currency The token; zero is the chain's native currency.
    /// @param amount Amount in the currency's smallest unit.
    event RefundWithdrawn(
        bytes32 indexed requestId,
        address indexed recipient,
        address indexed currency,
        uint256 amount
    );

    /// @notice Emitted when the owner withdraws uncredited funds.
    /// @param currency The token; zero is the chain's native currency.
    /// @param recipient The recipient.
    /// @param amount Amount in the currency's smallest unit.
    event Rescued(address indexed currency, address indexed recipient, uint256 amount);

    /// @notice Emitted when the attributor changes.
    /// @param attributor The new attributor; zero for none.
    event AttributorChanged(address indexed attributor);

    /// @notice Thrown when the caller of an attribution is neither the owner nor the attributor.
    /// @param caller The rejected caller.
    /// @param attributor The attributor.
    error CallerNotAttributor(address caller, address attributor);

    /// @notice Thrown when the caller of a withdrawal is not the depositor.
    /// @param caller The rejected caller.
    /// @param depositor The depositor; zero when the request was not paid here.
    error CallerNotDepositor(address caller, address depositor);

    /// @notice Thrown when more is withdrawn than the request's credit in the currency.
    /// @param requestId The request.
    /// @param currency The token; zero is the chain's native currency.
    /// @param amount Requested amount.
    /// @param credit The credit.
    error ExceedsCredit(bytes32 requestId, address currency, uint256 amount, uint256 credit);

    /// @notice Thrown when a payment would leave less here than is credited to depositors.
    /// @param currency The token; zero where paying out a token moved native money.
    /// @param balance Balance after the payment.
    /// @param credited Sum of all credits.
    error CreditsNotCovered(address currency, uint256 balance, uint256 credited);

    /// @notice Withdraws credit of a request in a currency. Only its depositor may. Takes an amount, so that a token
    /// that lacks one unit here does not lock the rest.
    /// @dev Reverts with `CallerNotDepositor`, `AmountIsZero`, `ExceedsCredit`, `RecipientCannotHold`,
    /// `PayeeRejectedNative`, `TokenHasNoCode`, `TokenReadFailed`, `TokenTransferFailed`, `CreditsNotCovered` or `Reentrancy`.
    /// @param requestId The request.
    /// @param currency The token; zero is the chain's native currency.
    /// @param recipient The recipient.
    /// @param amount Amount in the currency's smallest unit, at most the credit.
    function withdrawRefund(bytes32 requestId, address currency, address recipient, uint256 amount) external;

    /// @notice Credits uncredited funds to a request. Only the owner and the attributor may.
    /// @dev Reverts with `CallerNotAttributor`, `ExceedsUncredited`, `AmountIsZero`, `RequestNotConsumed`, `TokenHasNoCode`,
    /// `TokenReadFailed` or `Reentrancy`.
    /// @param requestId The request.
    /// @param currency The token; zero is the chain's native currency.
    /// @param amount Amount in the currency's smallest unit.
    function creditRefund(bytes32 requestId, address currency, uint256 amount) external;

    /// @notice Withdraws uncredited funds. Only the owner may.
    /// @dev Reverts with `RecipientCannotHold`, `ExceedsUncredited`, `PayeeRejectedNative`, `TokenHasNoCode`,
    /// `TokenReadFailed`, `TokenTransferFailed`, `CreditsNotCovered` or `Reentrancy`.
    /// @param currency The token; zero is the chain's native currency.
    /// @param recipient The recipient.
    /// @param amount Amount in the currency's smallest unit.
    function rescue(address currency, address recipient, uint256 amount) external;

    /// @notice Replaces the attributor. Only the owner may.
    /// @param attributor_ The new attributor; zero for none.
    function setAttributor(address attributor_) external;

    /// @notice Account that may attribute besides the owner: a service of the integrator that reads the ids after token
    /// transfers.
    /// @return Zero for none.
    function attributor() external view returns (address);

    /// @notice Credit that the depositor of a request can withdraw.
    /// @param requestId The request.
    /// @param currency The token; zero is the chain's native currency.
    /// @return In the currency's smallest unit.
    function creditOf(bytes32 requestId, address currency) external view returns (uint256);

    /// @notice Sum of all depositors' credits.
    /// @param currency The token; zero is the chain's native currency.
    /// @return In the currency's smallest unit.
    function creditedTotal(address currency) external view returns (uint256);

    /// @notice Funds of this contract that are credited to no request.
    /// @param currency The token; zero is the chain's native currency.
    /// @return In the currency's smallest unit.
    function uncredited(address currency) external view returns (uint256);
}
