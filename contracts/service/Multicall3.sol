// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IMulticall3} from "./interfaces/IMulticall3.sol";

/// @title Multicall3
/// @notice Local stand-in for the call aggregator found on public chains. Never deploy it to a public chain.
/// @dev Assumption: the two reasons are strings, not custom errors, because callers of the deployed contract see
/// strings.
contract Multicall3 is IMulticall3 {
    /// @inheritdoc IMulticall3
    function aggregate(
        Call[] calldata calls
    ) external payable returns (uint256 blockNumber, bytes[] memory returnData) {
        blockNumber = block.number;
        returnData = new bytes[](calls.length);
        for (uint256 i; i < calls.length; ++i) {
            returnData[i] = _call(calls[i].target, 0, calls[i].callData, true).returnData;
        }
    }

    /// @inheritdoc IMulticall3
    function tryBlockAndAggregate(
        bool requireSuccess,
        Call[] calldata calls
    ) external payable returns (uint256 blockNumber, bytes32 blockHash, Result[] memory returnData) {
        return (block.number, blockhash(block.number), tryAggregate(requireSuccess, calls));
    }

    /// @inheritdoc IMulticall3
    function blockAndAggregate(
        Call[] calldata calls
    ) external payable returns (uint256 blockNumber, bytes32 blockHash, Result[] memory returnData) {
        return (block.number, blockhash(block.number), tryAggregate(true, calls));
    }

    /// @inheritdoc IMulticall3
    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory returnData) {
        returnData = new Result[](calls.length);
        for (uint256 i; i < calls.length; ++i) {
            returnData[i] = _call(calls[i].target, 0, calls[i].callData, !calls[i].allowFailure);
        }
    }

    /// @inheritdoc IMulticall3
    function aggregate3Value(
        Call3Value[] calldata calls
    ) external payable returns (Result[] memory returnData) {
        returnData = new Result[](calls.length);
        uint256 total;
        for (uint256 i; i < calls.length; ++i) {
            Call3Value calldata each = calls[i];
            // Wrapping is harmless: the sent values cannot exceed the balance.
            unchecked {
                total += each.value;
            }
            returnData[i] = _call(each.target, each.value, each.callData, !each.allowFailure);
        }
        require(total == msg.value, "Multicall3: value mismatch");
    }

    /// @inheritdoc IMulticall3
    function getBlockHash(uint256 blockNumber) external view returns (bytes32 blockHash) {
        return blockhash(blockNumber);
    }

    /// @inheritdoc IMulticall3
    function getBlockNumber() external view returns (uint256 blockNumber) {
        return block.number;
    }

    /// @inheritdoc IMulticall3
    function getCurrentBlockCoinbase() external view returns (address coinbase) {
        return block.coinbase;
    }

    /// @inheritdoc IMulticall3
    function getCurrentBlockDifficulty() external view returns (uint256 difficulty) {
        return block.prevrandao;
    }

    /// @inheritdoc IMulticall3
    function getCurrentBlockGasLimit() external view returns (uint256 gaslimit) {
        return block.gaslimit;
    }

    /// @inheritdoc IMulticall3
    function getCurrentBlockTimestamp() external view returns (uint256 timestamp) {
        return block.timestamp;
    }

    /// @inheritdoc IMulticall3
    function getEthBalance(address addr) external view returns (uint256 balance) {
        return addr.balance;
    }

    /// @inheritdoc IMulticall3
    function getLastBlockHash() external view returns (bytes32 blockHash) {
        return blockhash(block.number - 1);
    }

    /// @inheritdoc IMulticall3
    function getBasefee() external view returns (uint256 basefee) {
        return block.basefee;
    }

    /// @inheritdoc IMulticall3
    function getChainId() external view returns (uint256 chainid) {
        return block.chainid;
    }

    /// @inheritdoc IMulticall3
    function tryAggregate(
        bool requireSuccess,
        Call[] calldata calls
    ) public payable returns (Result[] memory returnData) {
        returnData = new Result[](calls.length);
        for (uint256 i; i < calls.length; ++i) {
            returnData[i] = _call(calls[i].target, 0, calls[i].callData, requireSuccess);
        }
    }

    function _call(
        address target,
        uint256 value,
        bytes calldata data,
        bool requireSuccess
    ) private returns (Result memory result) {
        (result.success, result.returnData) = target.call{value: value}(data);
        require(result.success || !requireSuccess, "Multicall3: call failed");
    }
}
