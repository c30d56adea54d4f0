// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {LibCall} from "solady/src/utils/LibCall.sol";
import {LibZip} from "solady/src/utils/LibZip.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";

import {IMulticaller} from "./interfaces/IMulticaller.sol";

/// @title MulticallerBase
/// @notice What the two multicallers share: the calls, the refund, and compressed calldata.
abstract contract MulticallerBase is IMulticaller {
    /// @dev Value of `refundTo` that stands for the caller.
    address private constant CALLER = address(1);
    /// @dev Gas of the refund's recipient. Without success the refund is forced by `SELFDESTRUCT`.
    uint256 private constant REFUND_GAS = 100_000;

    /// @notice Accepts native currency.
    receive() external payable {}

    /// @notice Makes the call of a calldata that `LibZip.cdCompress` compressed, and refuses any other calldata.
    /// @dev Compressed calldata begins with the inverted selector of `aggregate`.
    fallback() external payable {
        if (msg.sig == ~IMulticaller.aggregate.selector) LibZip.cdFallback();
        // Production reverts without data.
        assembly ("memory-safe") {
            revert(0, 0)
        }
    }

    function _aggregate(
        address[] calldata targets,
        bytes[] calldata data,
        uint256[] calldata values,
        address refundTo
    ) internal returns (bytes[] memory results) {
        if (targets.length != data.length || data.length != values.length) revert ArrayLengthsMismatch();
        results = new bytes[](data.length);
        for (uint256 i; i < data.length; ++i) {
            (bool success, bytes memory result) = targets[i].call{value: values[i]}(data[i]);
            if (!success) LibCall.bubbleUpRevert(result);
            results[i] = result;
        }
        uint256 rest = address(this).balance;
        if (refundTo == address(0) || rest == 0) return results;
        SafeTransferLib.forceSafeTransferETH(refundTo == CALLER ? msg.sender : refundTo, rest, REFUND_GAS);
    }
}
