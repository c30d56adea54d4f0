// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Order} from "../../../contracts/records/Order.sol";
import {Signing} from "./Signing.sol";

/// @title OrderMaking
/// @notice Makes orders from seeds, and hashes them without code of the contracts under test: type strings are assembled
/// from their parts, structs hashed through `abi.encode` and arrays through `abi.encodePacked`.
abstract contract OrderMaking is Signing {
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

    function _order(uint256 seed) internal pure returns (Order.Data memory order) {
        order.version = string(_bytes(_next(seed, 1), 8));
        order.solverChainId = string(_bytes(_next(seed, 2), 40));
        order.solver = address(uint160(_next(seed, 3)));
        order.salt = _next(seed, 4);
        order.inputs = new Order.Input[](_next(seed, 5) % 4);
        for (uint256 i; i < order.inputs.length; ++i) order.inputs[i] = _input(_next(seed, 100 + i));
        order.output = _output(_next(seed, 6));
        order.fees = new Order.Fee[](_next(seed, 7) % 4);
        for (uint256 i; i < order.fees.length; ++i) order.fees[i] = _fee(_next(seed, 200 + i));
    }

    /// @dev Makes the output payable: at least one payment, each with a minimum.
    function _payAccount(Order.Output memory output) internal pure {
        if (output.payments.length == 0) output.payments = new Order.OutputPayment[](1);
        for (uint256 i; i < output.payments.length; ++i) {
            if (output.payments[i].minimumAmount == 0) output.payments[i].minimumAmount = 1;
        }
    }

    function _plainHash(Order.Data memory order) internal pure returns (bytes32) {
        bytes32[] memory inputs = new bytes32[](order.inputs.length);
        for (uint256 i; i < inputs.length; ++i) inputs[i] = _plainHash(order.inputs[i]);
        bytes32[] memory fees = new bytes32[](order.fees.length);
        for (uint256 i; i < fees.length; ++i) fees[i] = _plainHash(order.fees[i]);
        return
            keccak256(
                abi.encode(
                    _orderTypeHash(),
                    keccak256(bytes(order.version)),
                    keccak256(bytes(order.solverChainId)),
                    order.solver,
                    order.salt,
                    keccak256(abi.encodePacked(inputs)),
                    _plainHash(order.output),
                    keccak256(abi.encodePacked(fees))
                )
            );
    }

    function _orderTypeHash() internal pure returns (bytes32) {
        return
            keccak256(
                bytes(string.concat(ORDER, FEE, INPUT, INPUT_PAYMENT, INPUT_REFUND, OUTPUT, OUTPUT_PAYMENT))
            );
    }

    function _inputTypeHash() internal pure returns (bytes32) {
        return keccak256(bytes(string.concat(INPUT, INPUT_PAYMENT, INPUT_REFUND)));
    }

    function _outputTypeHash() internal pure returns (bytes32) {
        return keccak256(bytes(string.concat(OUTPUT, OUTPUT_PAYMENT)));
    }

    function _signOrder(uint256 key, bytes32 orderId) internal pure returns (bytes memory) {
        return _signDigest(key, _ethereumMessage(orderId));
    }

    function _input(uint256 seed) private pure returns (Order.Input memory input) {
        input.payment = Order.InputPayment({
            chainId: string(_bytes(_next(seed, 1), 40)),
            currency: _bytes(_next(seed, 2), 40),
            amount: _next(seed, 3),
            weight: _next(seed, 4)
        });
        input.refunds = new Order.InputRefund[](_next(seed, 5) % 4);
        for (uint256 i; i < input.refunds.length; ++i) {
            uint256 own = _next(seed, 100 + i);
            input.refunds[i] = Order.InputRefund({
                chainId: string(_bytes(_next(own, 1), 40)),
                recipient: _bytes(_next(own, 2), 40),
                currency: _bytes(_next(own, 3), 40),
                minimumAmount: _next(own, 4),
                deadline: uint32(_next(own, 5)),
                extraData: _bytes(_next(own, 6), 200)
            });
        }
    }

    function _output(uint256 seed) private pure returns (Order.Output memory output) {
        output.chainId = string(_bytes(_next(seed, 1), 40));
        output.deadline = uint32(_next(seed, 2));
        output.extraData = _bytes(_next(seed, 3), 200);
        output.calls = new bytes[](_next(seed, 4) % 4);
        for (uint256 i; i < output.calls.length; ++i) output.calls[i] = _bytes(_next(seed, 100 + i), 500);
        output.payments = new Order.OutputPayment[](_next(seed, 5) % 4);
        for (uint256 i; i < output.payments.length; ++i) {
            uint256 own = _next(seed, 200 + i);
            output.payments[i] = Order.OutputPayment({
                recipient: _bytes(_next(own, 1), 40),
                currency: _bytes(_next(own, 2), 40),
                minimumAmount: _next(own, 3),
                expectedAmount: _next(own, 4)
            });
        }
    }

    function _fee(uint256 seed) private pure returns (Order.Fee memory) {
        return
            Order.Fee({
                recipientChainId: string(_bytes(_next(seed, 1), 40)),
                recipient: _bytes(_next(seed, 2), 40),
                currencyChainId: string(_bytes(_next(seed, 3), 40)),
                currency: _bytes(_next(seed, 4), 40),
                amount: _next(seed, 5)
            });
    }

    function _plainHash(Order.Input memory input) private pure returns (bytes32) {
        Order.InputPayment memory payment = input.payment;
        bytes32[] memory refunds = new bytes32[](input.refunds.length);
        for (uint256 i; i < refunds.length; ++i) {
            Order.InputRefund memory refund = input.refunds[i];
            refunds[i] = keccak256(
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
        bytes32 paymentHash = keccak256(
            abi.encode(
                keccak256(bytes(INPUT_PAYMENT)),
                keccak256(bytes(payment.chainId)),
                keccak256(payment.currency),
                payment.amount,
                payment.weight
            )
        );
        return keccak256(abi.encode(_inputTypeHash(), paymentHash, keccak256(abi.encodePacked(refunds))));
    }

    function _plainHash(Order.Output memory output) private pure returns (bytes32) {
        bytes32[] memory payments = new bytes32[](output.payments.length);
        for (uint256 i; i < payments.length; ++i) {
            Order.OutputPayment memory payment = output.payments[i];
            payments[i] = keccak256(
                abi.encode(
                    keccak256(bytes(OUTPUT_PAYMENT)),
                    keccak256(payment.recipient),
                    keccak256(payment.currency),
                    payment.minimumAmount,
                    payment.expectedAmount
                )
            );
        }
        bytes32[] memory calls = new bytes32[](output.calls.length);
        for (uint256 i; i < calls.length; ++i) calls[i] = keccak256(output.calls[i]);
        return
            keccak256(
                abi.encode(
                    _outputTypeHash(),
                    keccak256(bytes(output.chainId)),
                    keccak256(abi.encodePacked(payments)),
                    output.deadline,
                    keccak256(abi.encodePacked(calls)),
                    keccak256(output.extraData)
                )
            );
    }

    function _plainHash(Order.Fee memory fee) private pure returns (bytes32) {
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

    function _next(uint256 seed, uint256 number) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed, number)));
    }

    /// @dev Bytes of a random length below `limit`, often zero and often an address's.
    function _bytes(uint256 seed, uint256 limit) private pure returns (bytes memory content) {
        uint256 kind = seed % 4;
        uint256 length =
            kind == 0
                ? 0
                : kind == 1
                    ? 20 % limit
                    : (seed >> 8) % limit;
        content = new bytes(length);
        for (uint256 i; i < length; ++i) content[i] = bytes1(uint8(_next(seed, i)));
    }
}
