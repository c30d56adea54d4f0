// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IRelayReceiver} from "./interfaces/IRelayReceiver.sol";

/// @title RelayReceiver
/// @notice Local stand-in for the service's receiver of native deposits. Never deploy it to a public chain.
/// @dev Assumption: production has only a fallback. This stand-in adds `receive`, because the compiler warns without it; the
/// behaviour is the same for all calldata, including none.
contract RelayReceiver is IRelayReceiver {
    /// @dev Enough for a smart wallet's receive hook; too little for a solver contract that makes calls or stores
    /// much.
    uint256 private constant FORWARD_GAS = 100_000;

    address private immutable SOLVER;

    /// @param solver recipient of every deposit
    constructor(address solver) {
        SOLVER = solver;
    }

    /// @notice Accepts a deposit without data.
    receive() external payable {
        _deposit("");
    }

    /// @notice Accepts a deposit; the whole calldata, selector included, is the data.
    fallback() external payable {
        _deposit(msg.data);
    }

    /// @inheritdoc IRelayReceiver
    function forward(bytes calldata data) external payable {
        _deposit(data);
    }

    /// @inheritdoc IRelayReceiver
    function makeCalls(Call[] calldata calls) external payable {
        if (msg.sender != SOLVER) revert Unauthorized();
        for (uint256 i; i < calls.length; ++i) {
            Call calldata each = calls[i];
            (bool success, ) = each.to.call{value: each.value}(each.data);
            if (!success) revert CallFailed();
        }
    }

    function _deposit(bytes memory data) private {
        _pushToSolver(msg.value);
        emit FundsForwardedWithData(data);
    }

    function _pushToSolver(uint256 value) private {
        address solver = SOLVER;
        bool success;
        // Assembly, so that a solver contract cannot make the depositor pay for copying its returndata.
        assembly ("memory-safe") {
            success := call(FORWARD_GAS, solver, value, 0, 0, 0, 0)
        }
        if (!success) revert NativeTransferFailed();
    }
}
