// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title OddVault
/// @notice A vault whose taken amount, reported shares and call back are set by the test.
contract OddVault {
    using SafeERC20 for IERC20;

    /// @notice Asset that it takes from its callers.
    IERC20 public immutable ASSET;

    /// @notice Taken part of a deposit, in percent.
    uint256 public percentTaken = 100;

    /// @notice Shares that it reports for a deposit.
    uint256 public shares = 1;

    /// @notice Length of its return data in bytes.
    uint256 public answerBytes = 32;

    /// @notice Target of the callback before the next deposits.
    address public callbackTarget;

    /// @notice Calldata of that call.
    bytes public data;

    /// @notice Whether the last callback succeeded.
    bool public lastSuccess;

    /// @notice Return or revert data of the last callback.
    bytes public lastReturnData;

    /// @notice Last depositor.
    address public lastCaller;

    /// @notice Amount available from the last deposit.
    uint256 public lastAllowance;

    constructor(IERC20 asset_) {
        ASSET = asset_;
    }

    /// @notice Sets the result of deposits.
    /// @param percentTaken_ percentage taken
    /// @param shares_ reported shares
    /// @param answerBytes_ length of the return data in bytes
    function set(uint256 percentTaken_, uint256 shares_, uint256 answerBytes_) external {
        (percentTaken, shares, answerBytes) = (percentTaken_, shares_, answerBytes_);
    }

    /// @notice Sets the callback of deposits.
    /// @param target_ the account that is called
    /// @param data_ the calldata
    function arm(address target_, bytes calldata data_) external {
        callbackTarget = target_;
        data = data_;
    }

    /// @notice Takes a part of the assets and mints nothing.
    /// @param assets offered amount
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
