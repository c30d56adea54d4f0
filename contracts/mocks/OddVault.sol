// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title OddVault
/// @notice A vault that takes what it likes of a deposit, reports what it likes, and calls back whom it likes.
contract OddVault {
    using SafeERC20 for IERC20;

    /// @notice What it takes from its callers.
    IERC20 public immutable ASSET;

    /// @notice How much of a deposit it takes, in parts of 100.
    uint256 public percentTaken = 100;

    /// @notice How many shares it reports for a deposit.
    uint256 public shares = 1;

    /// @notice How many bytes its answer has.
    uint256 public answerBytes = 32;

    /// @notice What the next deposits call before they take anything.
    address public callbackTarget;

    /// @notice What they call it with.
    bytes public data;

    /// @notice Whether the last callback went through.
    bool public lastSuccess;

    /// @notice What the last callback returned or reverted with.
    bytes public lastReturnData;

    /// @notice Who deposited last.
    address public lastCaller;

    /// @notice What it could take of the last deposit.
    uint256 public lastAllowance;

    constructor(IERC20 asset_) {
        ASSET = asset_;
    }

    /// @notice Sets what deposits come to.
    /// @param percentTaken_ how much is taken, in parts of 100
    /// @param shares_ how many shares are reported
    /// @param answerBytes_ how many bytes the answer has
    function set(uint256 percentTaken_, uint256 shares_, uint256 answerBytes_) external {
        (percentTaken, shares, answerBytes) = (percentTaken_, shares_, answerBytes_);
    }

    /// @notice Sets whom deposits call back.
    /// @param target_ the account that is called
    /// @param data_ the calldata
    function arm(address target_, bytes calldata data_) external {
        callbackTarget = target_;
        data = data_;
    }

    /// @notice Takes a part of the assets and mints nothing.
    /// @param assets how much is offered
    function deposit(uint256 assets, address) external {
        lastCaller = msg.sender;
        lastAllowance = ASSET.allowance(msg.sender, address(this));
        if (callbackTarget != address(0)) (lastSuccess, lastReturnData) = callbackTarget.call(data);
        uint256 taken = (assets * percentTaken) / 100;
        if (taken != 0) ASSET.safeTransferFrom(msg.sender, address(this), taken);
        (uint256 reported, uint256 size) = (shares, answerBytes);
        assembly ("memory-safe") {
            mstore(0x00, reported)
            return(0x00, size)
        }
    }
}
