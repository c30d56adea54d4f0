// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

import {IRefundReceiver} from "./IRefundReceiver.sol";

/// @title Who paid for a request, and what came back for it
/// @notice Money that comes back is credited to its request and pulled by whoever deposited. Nothing is pushed, so a depositor
/// that cannot receive, or that a token has blocked, holds up nobody and names another recipient himself.
///
/// How money comes back, and whose it is:
///
/// | what arrives                               | credited to                                            |
/// |--------------------------------------------|--------------------------------------------------------|
/// | native, the requestId as the whole calldata | that request, at once; from whoever sends it           |
/// | native without calldata                     | nobody, until it is attributed                         |
/// | a token by `refundErc20`                    | that request, at once; what arrived counts             |
/// | a token by a plain transfer                 | nobody, until it is attributed                         |
/// | ether by force                              | nobody, until it is attributed                         |
///
/// A token transfer that carries the requestId behind its arguments shows it to whoever reads the chain, but not to this
/// contract. If anybody could attribute, a depositor could claim another one's refund; so only the owner and the attributor can,
/// and only of what is credited to nobody. The owner can also take that out. Nobody but its depositor can touch what is
/// credited, the owner included, paused or not.
///
/// Assumptions:
/// - The depositor is the account that called. A contract that deposits must be able to call `withdrawRefund`, and must not call
/// what strangers choose: anyone can make a shared contract, such as `BalanceExecutor`, a router or a multicall, withdraw.
/// - Request ids are hashes. One in a hundred million begins with the selector of a function here; its native refund is turned
/// away, or taken without attribution.
/// - A token's balances change by transfers only. Of a token that shrinks balances by itself less may be here than is credited;
///   then the last to withdraw wait until somebody makes up for it. What a token adds by itself is credited to nobody.
/// - Only ERC-20 tokens come back: `refundErc20` of an ERC-721 collection takes the NFT in, and no function sends it out.
/// - A token has one address. Of one that answers at two, what is credited at the one would look credited to nobody at the other.
/// - Where the native currency is also a token (CELO on Celo), refunds of it come as native money. Paying out the token cannot
/// touch credited native money: that reverts with `CreditsNotCovered`. What is credited under the token's address is not
/// protected from a rescue of native money, nor from attribution as native money, because the contract cannot identify the
/// token. So `refundErc20` and `creditRefund` are not used for that token.
/// - A token that takes a fee takes it from the withdrawal as well. A fee that its sender pays on top comes out of money that is
/// credited to nobody; a payout or a deposit that would take it from credited money reverts with `CreditsNotCovered`.
interface IRefundLedger is IRefundReceiver {
    /// @notice Emitted when money that came back is credited.
    /// @param requestId The request it came back for.
    /// @param depositor Who may withdraw it.
    /// @param currency The token; zero is the chain's native currency.
    /// @param amount In the currency's smallest unit.
    event RefundCredited(
        bytes32 indexed requestId,
        address indexed depositor,
        address indexed currency,
        uint256 amount
    );

    /// @notice Emitted when the depositor has withdrawn what was credited.
    /// @param requestId The request it came back for.
    /// @param recipient Who got it.
    /// @param currency The token; zero is the chain's native currency.
    /// @param amount In the currency's smallest unit.
    event RefundWithdrawn(
        bytes32 indexed requestId,
        address indexed recipient,
        address indexed currency,
        uint256 amount
    );

    /// @notice Emitted when the owner has taken out money that is credited to nobody.
    /// @param currency The token; zero is the chain's native currency.
    /// @param recipient Who got it.
    /// @param amount In the currency's smallest unit.
    event Rescued(address indexed currency, address indexed recipient, uint256 amount);

    /// @notice Emitted when somebody else becomes the attributor.
    /// @param attributor Who; zero leaves it to the owner alone.
    event AttributorChanged(address indexed attributor);

    /// @notice Thrown when somebody attributes who is neither the owner nor the attributor.
    /// @param caller Who tried.
    /// @param attributor Who may beside the owner.
    error CallerNotAttributor(address caller, address attributor);

    /// @notice Thrown when somebody withdraws who did not deposit.
    /// @param caller Who tried.
    /// @param depositor Who may; zero when the request was not paid here.
    error CallerNotDepositor(address caller, address depositor);

    /// @notice Thrown when there is nothing to withdraw.
    /// @param requestId The request in question.
    /// @param currency The currency in question.
    error NothingCredited(bytes32 requestId, address currency);

    /// @notice Thrown when a payout would leave less here than is credited to depositors.
    /// @param currency The token paid out; zero where paying out a token moved native money.
    /// @param balance What would be left.
    /// @param credited What all depositors together can withdraw.
    error CreditsNotCovered(address currency, uint256 balance, uint256 credited);

    /// @notice Withdraws all that is credited to a request in a currency. Only its depositor may.
    /// @dev Reverts with `CallerNotDepositor`, `RecipientCannotHold`, `NothingCredited`, `PayeeRejectedNative`,
    /// `TokenHasNoCode`, `TokenReadFailed`, `TokenTransferFailed`, `CreditsNotCovered` or `Reentrancy`.
    /// @param requestId The request.
    /// @param currency The token; zero is the chain's native currency.
    /// @param recipient Who gets it.
    function withdrawRefund(bytes32 requestId, address currency, address recipient) external;

    /// @notice Credits money that is here already, and credited to nobody, to a request. Only the owner and the attributor may.
    /// @dev Reverts with `CallerNotAttributor`, `ExceedsUncredited`, `AmountIsZero`, `RequestNotConsumed`, `TokenHasNoCode`,
    /// `TokenReadFailed` or `Reentrancy`.
    /// @param requestId The request.
    /// @param currency The token; zero is the chain's native currency.
    /// @param amount How much, in the currency's smallest unit.
    function creditRefund(bytes32 requestId, address currency, uint256 amount) external;

    /// @notice Takes out money that is credited to nobody. Only the owner may.
    /// @dev Reverts with `RecipientCannotHold`, `ExceedsUncredited`, `PayeeRejectedNative`, `TokenHasNoCode`,
    /// `TokenReadFailed`, `TokenTransferFailed`, `CreditsNotCovered` or `Reentrancy`.
    /// @param currency The token; zero is the chain's native currency.
    /// @param recipient Who gets it.
    /// @param amount How much, in the currency's smallest unit.
    function rescue(address currency, address recipient, uint256 amount) external;

    /// @notice Makes somebody else the attributor. Only the owner may.
    /// @param attributor_ Who; zero leaves it to the owner alone.
    function setAttributor(address attributor_) external;

    /// @notice Who may attribute beside the owner: a service of the integrator that reads the ids behind token transfers.
    /// @return Zero when nobody.
    function attributor() external view returns (address);

    /// @notice What the depositor of a request can withdraw.
    /// @param requestId The request.
    /// @param currency The token; zero is the chain's native currency.
    /// @return In the currency's smallest unit.
    function creditOf(bytes32 requestId, address currency) external view returns (uint256);

    /// @notice What all depositors together can withdraw.
    /// @param currency The token; zero is the chain's native currency.
    /// @return In the currency's smallest unit.
    function creditedTotal(address currency) external view returns (uint256);

    /// @notice What is here and credited to nobody.
    /// @param currency The token; zero is the chain's native currency.
    /// @return In the currency's smallest unit.
    function uncredited(address currency) external view returns (uint256);

    /// @notice Reverts with `RequestAlreadyConsumed` when the request was paid here before.
    /// @param requestId The request.
    function checkNotConsumed(bytes32 requestId) external view;
}
