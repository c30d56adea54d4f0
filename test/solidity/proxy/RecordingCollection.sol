// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title RecordingCollection
/// @notice Reports tokens with given calldata, and records the answer and the requested transfer.
contract RecordingCollection {
    bytes public lastCall;

    bytes public lastAnswer;

    error ReportRefused(bytes reason);

    /// @dev Receives every transfer call.
    fallback() external {
        lastCall = msg.data;
    }

    /// @notice Reports tokens to an account.
    function report(address to, bytes calldata words) external {
        (bool success, bytes memory answer) = to.call(words);
        if (!success) revert ReportRefused(answer);
        lastAnswer = answer;
    }
}
