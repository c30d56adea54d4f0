// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title RecordingCollection
/// @notice Reports tokens in whatever words it is given, and keeps what it is asked to do about them.
contract RecordingCollection {
    /// @notice What it was asked last.
    bytes public lastCall;

    /// @notice What its report was answered with.
    bytes public lastAnswer;

    /// @notice Thrown when a report is refused.
    /// @param reason why
    error ReportRefused(bytes reason);

    /// @dev Every transfer it is asked for.
    fallback() external {
        lastCall = msg.data;
    }

    /// @notice Reports tokens.
    /// @param to to whom
    /// @param words the report, encoded
    function report(address to, bytes calldata words) external {
        (bool success, bytes memory answer) = to.call(words);
        if (!success) revert ReportRefused(answer);
        lastAnswer = answer;
    }
}
