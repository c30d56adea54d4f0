// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title IMulticall3
/// @notice Aggregates calls. Wallets and libraries expect this contract on every chain.
/// @dev Assumptions for callers: it has no access control, so anyone can take funds left on it; a call to a target
/// without code succeeds with no data.
interface IMulticall3 {
    /// @notice A call without a flag of its own for failure.
    /// @param target the account that is called
    /// @param callData the calldata
    struct Call {
        address target;
        bytes callData;
    }

    /// @notice A call with its own flag for failure.
    /// @param target the account that is called
    /// @param allowFailure whether the batch continues after a failure of this call
    /// @param callData the calldata
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    /// @notice A call with value and its own flag for failure.
    /// @param target the account that is called
    /// @param allowFailure whether the batch continues after a failure of this call
    /// @param value the native value sent along
    /// @param callData the calldata
    struct Call3Value {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }

    /// @notice Result of a call.
    /// @param success whether it succeeded
    /// @param returnData return or revert data
    struct Result {
        bool success;
        bytes returnData;
    }

    /// @notice Makes calls; any failure reverts the batch.
    /// @param calls the calls
    /// @return blockNumber this block's number
    /// @return returnData return data of each call
    function aggregate(
        Call[] calldata calls
    ) external payable returns (uint256 blockNumber, bytes[] memory returnData);

    /// @notice Makes calls under one flag for failure.
    /// @param requireSuccess whether a failure reverts
    /// @param calls the calls
    /// @return returnData return data of each call
    function tryAggregate(
        bool requireSuccess,
        Call[] calldata calls
    ) external payable returns (Result[] memory returnData);

    /// @notice Same as `tryAggregate`, and returns the block.
    /// @param requireSuccess whether a failure reverts
    /// @param calls the calls
    /// @return blockNumber this block's number
    /// @return blockHash this block's hash: always zero, because the block is not complete yet
    /// @return returnData return data of each call
    function tryBlockAndAggregate(
        bool requireSuccess,
        Call[] calldata calls
    ) external payable returns (uint256 blockNumber, bytes32 blockHash, Result[] memory returnData);

    /// @notice Same as `tryAggregate` with failures reverting, and returns the block.
    /// @param calls the calls
    /// @return blockNumber this block's number
    /// @return blockHash this block's hash: always zero, because the block is not complete yet
    /// @return returnData return data of each call
    function blockAndAggregate(
        Call[] calldata calls
    ) external payable returns (uint256 blockNumber, bytes32 blockHash, Result[] memory returnData);

    /// @notice Makes calls, each with its own flag for failure.
    /// @param calls the calls
    /// @return returnData return data of each call
    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory returnData);

    /// @notice Makes calls with value; the values must sum to `msg.value`.
    /// @param calls the calls
    /// @return returnData return data of each call
    function aggregate3Value(
        Call3Value[] calldata calls
    ) external payable returns (Result[] memory returnData);

    /// @notice The hash of one of the last 256 blocks.
    /// @param blockNumber number of the block
    /// @return blockHash its hash, zero outside the window
    function getBlockHash(uint256 blockNumber) external view returns (bytes32 blockHash);

    /// @notice This block's number.
    function getBlockNumber() external view returns (uint256 blockNumber);

    /// @notice This block's fee recipient.
    function getCurrentBlockCoinbase() external view returns (address coinbase);

    /// @notice Difficulty of this block; since the Merge, its randomness.
    function getCurrentBlockDifficulty() external view returns (uint256 difficulty);

    /// @notice This block's gas limit.
    function getCurrentBlockGasLimit() external view returns (uint256 gaslimit);

    /// @notice This block's time, in Unix seconds.
    function getCurrentBlockTimestamp() external view returns (uint256 timestamp);

    /// @notice The native balance of an account.
    /// @param addr the account
    /// @return balance its balance
    function getEthBalance(address addr) external view returns (uint256 balance);

    /// @notice The hash of the block before this one.
    function getLastBlockHash() external view returns (bytes32 blockHash);

    /// @notice This block's base fee.
    function getBasefee() external view returns (uint256 basefee);

    /// @notice This chain's id.
    function getChainId() external view returns (uint256 chainid);
}
