// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Refunds at a receiver
/// @notice Members shared by receivers that credit refunds (`IRefundLedger`) and receivers that forward them
/// (`IRefundForwarder`). A receiver of orders uses the orderId as `requestId`.
interface IRefundReceiver {
    /// @notice Emitted when native money arrives without calldata.
    /// @param from Sender.
    /// @param amount Wei.
    event UnattributedNativeReceived(address indexed from, uint256 amount);

    /// @notice Thrown when a refund names a request that was not paid here.
    /// @param requestId The request named.
    error RequestNotConsumed(bytes32 requestId);

    /// @notice Thrown when a recipient is the zero address or this contract.
    /// @param recipient The recipient named.
    error RecipientCannotHold(address recipient);

    /// @notice Thrown when more is requested than this contract holds without owing it to a depositor.
    /// @param currency The token; zero is the chain's native currency.
    /// @param amount Requested amount.
    /// @param uncredited Available amount.
    error ExceedsUncredited(address currency, uint256 amount, uint256 uncredited);

    /// @notice Thrown when the calldata is neither a function call nor a requestId.
    /// @param length Its length in bytes.
    error CalldataNotUnderstood(uint256 length);

    /// @notice Refunds a request in a token; needs an allowance for this contract.
    /// @param requestId The request.
    /// @param token The token.
    /// @param amount Amount in the token's smallest unit.
    function refundErc20(bytes32 requestId, address token, uint256 amount) external;

    /// @notice Depositor of a request that was paid here.
    /// @param requestId The request.
    /// @return Zero until its deposit is accepted; not zero from then on.
    function depositorOf(bytes32 requestId) external view returns (address);
}
