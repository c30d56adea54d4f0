// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice A call that the allocator signs for the depository to make.
/// @param to the account that is called
/// @param data the calldata
/// @param value the native value sent along
/// @param allowFailure whether the request continues after a failure of this call
struct Call {
    address to;
    bytes data;
    uint256 value;
    bool allowFailure;
}

/// @notice Calls that the allocator signed together.
/// @param calls the calls, made in order
/// @param nonce distinguishes two otherwise equal requests
/// @param expiration the last second, in Unix time, in which the request may be executed
struct CallRequest {
    Call[] calls;
    uint256 nonce;
    uint256 expiration;
}

/// @notice Result of a call.
/// @param success whether it succeeded
/// @param returnData return or revert data
struct CallResult {
    bool success;
    bytes returnData;
}

/// @title IRelayDepository
/// @notice Holds deposits until the allocator signs their release. A deposit is an event with an id; the money of all
/// depositors is one pool.
/// @dev Assumptions for callers:
/// - An id is not unique: the contract accepts any number of deposits under one id.
/// - The amount in `RelayErc20Deposit` is the argument. For a token that takes a fee it exceeds the received amount.
/// - `depositErc20` without an amount takes the caller's whole allowance.
/// - No event parameter is indexed.
interface IRelayDepository {
    /// @notice Emitted for a native deposit, even of zero value.
    /// @param from the depositor that is credited
    /// @param amount the sent native value
    /// @param id the id of the order
    event RelayNativeDeposit(address from, uint256 amount, bytes32 id);

    /// @notice Emitted for an ERC-20 deposit.
    /// @param from the depositor that is credited
    /// @param token the token
    /// @param amount the requested amount, not the received one
    /// @param id the id of the order
    event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id);

    /// @notice Emitted for every successful call of a request.
    /// @param id the EIP-712 struct hash of the request
    /// @param call the call
    event RelayCallExecuted(bytes32 id, Call call);

    /// @notice Thrown when the new allocator is the zero address.
    error AddressCannotBeZero();

    /// @notice Thrown when the allocator did not sign the request.
    error InvalidSignature();

    /// @notice Thrown when the request's expiration lies before this block's time.
    error CallRequestExpired();

    /// @notice Thrown when the request was executed before.
    error CallRequestAlreadyUsed();

    /// @notice Thrown when a call without `allowFailure` fails.
    /// @param returnData revert data of the call
    error CallFailed(bytes returnData);

    /// @notice Accepts native currency.
    /// @param depositor the account that is credited; zero credits the caller
    /// @param id the id of the order
    function depositNative(address depositor, bytes32 id) external payable;

    /// @notice Takes ERC-20 tokens from the caller.
    /// @param depositor the account that is credited; zero credits the caller
    /// @param token the token
    /// @param amount amount
    /// @param id the id of the order
    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) external;

    /// @notice Takes the caller's whole allowance of an ERC-20 token.
    /// @param depositor the account that is credited; zero credits the caller
    /// @param token the token
    /// @param id the id of the order
    function depositErc20(address depositor, address token, bytes32 id) external;

    /// @notice Makes the calls of a request that the allocator signed. Any account may submit it, once.
    /// @param request the request
    /// @param signature the allocator's EIP-712 signature, or the ERC-1271 one if it is a contract
    /// @return results return data of each call
    function execute(
        CallRequest calldata request,
        bytes calldata signature
    ) external returns (CallResult[] memory results);

    /// @notice Replaces the allocator. Owner only.
    /// @param newAllocator the new one, not zero
    function setAllocator(address newAllocator) external;

    /// @notice Account whose signature moves funds out.
    function allocator() external view returns (address);

    /// @notice Whether a request was executed.
    /// @param structHash the EIP-712 struct hash of the request
    function callRequests(bytes32 structHash) external view returns (bool);

    /// @notice The EIP-712 type hash of `Call`.
    function _CALL_TYPEHASH() external view returns (bytes32);

    /// @notice The EIP-712 type hash of `CallRequest`.
    function _CALL_REQUEST_TYPEHASH() external view returns (bytes32);
}
