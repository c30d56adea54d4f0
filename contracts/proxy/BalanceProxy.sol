// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {IBalanceActions} from "../interfaces/IBalanceActions.sol";
import {IBalanceExecutor} from "../interfaces/IBalanceExecutor.sol";
import {IBalanceProxy} from "../interfaces/IBalanceProxy.sol";
import {TokenReads} from "../libraries/TokenReads.sol";
import {BalanceExecutor} from "./BalanceExecutor.sol";

/// @title BalanceProxy
/// @notice Pulls the caller's approved balance and has the executor act on it. Stateless and ownerless; it never holds
/// money and calls no target itself, so that an approval of it is safe from every other caller.
contract BalanceProxy is IBalanceProxy {
    using SafeTransferLib for address;

    /// @inheritdoc IBalanceProxy
    address public immutable override executor;

    constructor() {
        executor = address(new BalanceExecutor());
    }

    /// @inheritdoc IBalanceActions
    function spend(address token, uint256, address, uint256, bytes calldata, address) external override {
        IBalanceExecutor(executor).hold();
        _pull(token);
        _handOn();
    }

    /// @inheritdoc IBalanceActions
    function execute(Asset[] calldata assets, Step[] calldata) external payable override {
        IBalanceExecutor(executor).hold();
        for (uint256 i = 0; i < assets.length; ++i) {
            if (assets[i].token != address(0)) _pull(assets[i].token);
        }
        _handOn();
    }

    /// @inheritdoc IBalanceActions
    function executeWithNftRecipient(NftExecution calldata execution) external payable override {
        IBalanceExecutor(executor).hold();
        for (uint256 i = 0; i < execution.assets.length; ++i) {
            if (execution.assets[i].token != address(0)) _pull(execution.assets[i].token);
        }
        _handOn();
    }

    /// @dev From the caller only, ever.
    function _pull(address token) private {
        uint256 amount = TokenReads.balanceOf(token, msg.sender);
        uint256 allowed = TokenReads.allowance(token, msg.sender, address(this));
        if (allowed < amount) amount = allowed;
        if (amount != 0) token.safeTransferFrom(msg.sender, executor, amount);
    }

    /// @dev The executor has the same functions, so the calldata goes on as it came, and its errors come back as they are.
    function _handOn() private {
        address to = executor;
        assembly ("memory-safe") {
            let data := mload(0x40)
            calldatacopy(data, 0x00, calldatasize())
            let success := call(gas(), to, callvalue(), data, calldatasize(), 0x00, 0x00)
            if iszero(success) {
                returndatacopy(data, 0x00, returndatasize())
                revert(data, returndatasize())
            }
        }
    }
}
