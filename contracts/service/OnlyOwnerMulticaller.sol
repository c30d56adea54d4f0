// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable} from "solady/src/auth/Ownable.sol";

import {IMulticaller} from "./interfaces/IMulticaller.sol";
import {MulticallerBase} from "./MulticallerBase.sol";

/// @title OnlyOwnerMulticaller
/// @notice Local stand-in for the service's multicaller of one owner. Never deploy it to a public chain.
contract OnlyOwnerMulticaller is MulticallerBase, Ownable {
    /// @param owner_ the only account that may make calls
    constructor(address owner_) {
        _initializeOwner(owner_);
    }

    /// @inheritdoc IMulticaller
    function aggregate(
        address[] calldata targets,
        bytes[] calldata data,
        uint256[] calldata values,
        address refundTo
    ) external payable onlyOwner returns (bytes[] memory results) {
        return _aggregate(targets, data, values, refundTo);
    }
}
