// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Order} from "../records/Order.sol";

/// @title OrderHash
/// @notice Hashes orders in memory, for tests. Shares no code with `Order.hash`, which it tests: the type strings are joined
/// from their parts, structs are hashed through `abi.encode` and arrays through `abi.encodePacked`.
library OrderHash {
    string internal constant FEE =
        "Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount)";
    string internal constant INPUT = "Input(InputPayment payment,InputRefund[] refunds)";
    string internal constant INPUT_PAYMENT =
        "InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)";
    string internal constant INPUT_REFUND =
        "InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)";
    string internal constant OUTPUT =
        "Output(string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData)";
    string internal constant OUTPUT_PAYMENT =
        "OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount)";
    string internal constant ORDER =
        "Order(string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees)";

    /// @notice The `orderId`.
    function hash(Order.Data memory order) internal pure returns (bytes32) {
        bytes32[] memory inputs = new bytes32[](order.inputs.length);
        for (uint256 i; i < inputs.length; ++i) inputs[i] = hash(order.inputs[i]);
        bytes32[] memory fees = new bytes32[](order.fees.length);
        for (uint256 i; i < fees.length; ++i) fees[i] = hash(order.fees[i]);
        return
            keccak256(
                abi.encode(
                    orderTypeHash(),
                    keccak256(bytes(order.version)),
                    keccak256(bytes(order.solverChainId)),
                    order.solver,
                    order.salt,
                    keccak256(abi.encodePacked(inputs)),
                    hash(order.output),
                    keccak256(abi.encodePacked(fees))
                )
            );
    }

    /// @notice The EIP-712 hash of an input.
    function hash(Order.Input memory input) internal pure returns (bytes32) {
        bytes32[] memory refunds = new bytes32[](input.refunds.length);
        for (uint256 i; i < refunds.length; ++i) refunds[i] = hash(input.refunds[i]);
        return
            keccak256(abi.encode(inputTypeHash(), hash(input.payment), keccak256(abi.encodePacked(refunds))));
    }

    /// @notice The EIP-712 hash of an input's payment.
    function hash(Order.InputPayment memory payment) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    keccak256(bytes(INPUT_PAYMENT)),
                    keccak256(bytes(payment.chainId)),
                    keccak256(payment.currency),
                    payment.amount,
                    payment.weight
                )
            );
    }

    /// @notice The EIP-712 hash of a refund.
    function hash(Order.InputRefund memory refund) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    keccak256(bytes(INPUT_REFUND)),
                    keccak256(bytes(refund.chainId)),
                    keccak256(refund.recipient),
                    keccak256(refund.currency),
                    refund.minimumAmount,
                    refund.deadline,
                    keccak256(refund.extraData)
                )
            );
    }

    /// @notice The EIP-712 hash of the output.
    function hash(Order.Output memory output) internal pure returns (bytes32) {
        bytes32[] memory payments = new bytes32[](output.payments.length);
        for (uint256 i; i < payments.length; ++i) payments[i] = hash(output.payments[i]);
        bytes32[] memory calls = new bytes32[](output.calls.length);
        for (uint256 i; i < calls.length; ++i) calls[i] = keccak256(output.calls[i]);
        return
            keccak256(
                abi.encode(
                    outputTypeHash(),
                    keccak256(bytes(output.chainId)),
                    keccak256(abi.encodePacked(payments)),
                    output.deadline,
                    keccak256(abi.encodePacked(calls)),
                    keccak256(output.extraData)
                )
            );
    }

    /// @notice The EIP-712 hash of a payment on the destination chain.
    function hash(Order.OutputPayment memory payment) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    keccak256(bytes(OUTPUT_PAYMENT)),
                    keccak256(payment.recipient),
                    keccak256(payment.currency),
                    payment.minimumAmount,
                    payment.expectedAmount
                )
            );
    }

    /// @notice The EIP-712 hash of a fee.
    function hash(Order.Fee memory fee) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    keccak256(bytes(FEE)),
                    keccak256(bytes(fee.recipientChainId)),
                    keccak256(fee.recipient),
                    keccak256(bytes(fee.currencyChainId)),
                    keccak256(fee.currency),
                    fee.amount
                )
            );
    }

    /// @notice The type hash of an order.
    function orderTypeHash() internal pure returns (bytes32) {
        return
            keccak256(
                bytes(string.concat(ORDER, FEE, INPUT, INPUT_PAYMENT, INPUT_REFUND, OUTPUT, OUTPUT_PAYMENT))
            );
    }

    /// @notice The type hash of an input.
    function inputTypeHash() internal pure returns (bytes32) {
        return keccak256(bytes(string.concat(INPUT, INPUT_PAYMENT, INPUT_REFUND)));
    }

    /// @notice The type hash of the output.
    function outputTypeHash() internal pure returns (bytes32) {
        return keccak256(bytes(string.concat(OUTPUT, OUTPUT_PAYMENT)));
    }
}
