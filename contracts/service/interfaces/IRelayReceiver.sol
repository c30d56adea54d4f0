// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title IRelayReceiver
/// @notice The service's deposit address for native currency: forwards each payment to the solver and logs its calldata, from
/// which the solver finds the paid request.
/// @dev Assumptions for callers:
/// - The receiver checks neither the amount, nor the request, nor the caller.
/// - Calldata without a known selector counts as data, so a mistyped call is a deposit.
/// - The solver's account receives 100,000 gas; a solver contract that needs more makes every deposit revert.
interface IRelayReceiver {
    /// @notice A call the solver makes through the receiver.
    /// @param to the account that is called
    /// @param data the calldata
    /// @param value the native value sent along
    struct Call {
        address to;
        bytes data;
        uint256 value;
    }

    /// @notice Emitted for every deposit, even of zero value. The parameter is not indexed.
    /// @param data the raw calldata of the fallback, or the argument of `forward`
    event FundsForwardedWithData(bytes data);

    /// @notice Thrown when a call of `makeCalls` fails; the reason is lost.
    error CallFailed();

    /// @notice Thrown when the solver's account refuses the value or needs more than 100,000 gas.
    error NativeTransferFailed();

    /// @notice Thrown when an account other than the solver calls `makeCalls`.
    error Unauthorized();

    /// @notice Forwards the value to the solver and logs `data`.
    /// @param data data for the solver, usually the 32-byte id of the request
    function forward(bytes calldata data) external payable;

    /// @notice Makes calls from the receiver, e.g. to withdraw stuck funds. Solver only.
    /// @param calls the calls, made in order; the first that fails reverts all
    function makeCalls(Call[] calldata calls) external payable;
}
