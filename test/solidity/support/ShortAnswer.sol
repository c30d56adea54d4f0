// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title ShortAnswer
/// @notice Answers every call with a number of 0xff bytes.
contract ShortAnswer {
    uint256 private immutable LENGTH;

    constructor(uint256 length) {
        LENGTH = length;
    }

    fallback(bytes calldata) external returns (bytes memory answer) {
        answer = new bytes(LENGTH);
        for (uint256 i; i < LENGTH; ++i) answer[i] = 0xff;
    }
}
