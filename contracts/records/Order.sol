// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ECDSA} from "solady/src/utils/ECDSA.sol";
import {EfficientHashLib} from "solady/src/utils/EfficientHashLib.sol";
import {SolverSignature} from "./SolverSignature.sol";

/// @title The solver's signed order: all terms of a cross-chain payment
/// @notice The `protocol.v2.orderData` of a quote. Its `orderId` is the EIP-712 `hashStruct` of the order, without a
/// domain. Its `orderSignature` is the solver's Ethereum signed message over the 32 bytes of that id. Unlike a record,
/// an order also fixes the deadlines, the destination currencies, the minimum outputs, the calls and the refunds.
/// @dev Chain ids are the protocol's names ("base"). Addresses are `bytes`: 20 on EVM chains, 32 on SVM. Without a
/// domain, the id does not name the contract that takes the payment, so every receiver counts ids separately.
library Order {
    /// @notice The whole order.
    /// @param version The version of the order's form, "v1".
    /// @param solverChainId The chain of the solver's settlement.
    /// @param solver Fills the order and signs its id.
    /// @param salt Makes the ids of two otherwise equal orders differ.
    /// @param inputs Payments and their refunds.
    /// @param output The solver's actions on the destination chain.
    /// @param fees Fees, paid out of the settlement.
    struct Data {
        string version;
        string solverChainId;
        address solver;
        uint256 salt;
        Input[] inputs;
        Output output;
        Fee[] fees;
    }

    /// @notice A payment into the service's depository on an origin chain.
    /// @param payment The payment.
    /// @param refunds The allowed refunds of this payment.
    struct Input {
        InputPayment payment;
        InputRefund[] refunds;
    }

    /// @notice Payment of one input.
    /// @param chainId The chain of the payment.
    /// @param currency The currency; as many zero bytes as an address has for the chain's native one.
    /// @param amount Amount in the currency's smallest unit.
    /// @param weight The input's share of the order.
    struct InputPayment {
        string chainId;
        bytes currency;
        uint256 amount;
        uint256 weight;
    }

    /// @notice An allowed refund of one input.
    /// @param chainId The chain of the refund.
    /// @param recipient Recipient of the refund.
    /// @param currency The currency of the refund.
    /// @param minimumAmount Minimum refund.
    /// @param deadline The last second, in Unix time.
    /// @param extraData Further data for the refund's chain.
    struct InputRefund {
        string chainId;
        bytes recipient;
        bytes currency;
        uint256 minimumAmount;
        uint32 deadline;
        bytes extraData;
    }

    /// @notice The solver's obligation on the destination chain.
    /// @param chainId The destination chain.
    /// @param payments Payments on that chain.
    /// @param deadline The last second, in Unix time. It follows the calls in the service's JSON and precedes them in
    /// the signed struct.
    /// @param calls Calls to make, as the destination's VM encodes them.
    /// @param extraData Further data for the fill: on EVM chains the encoded address of the fill contract.
    struct Output {
        string chainId;
        OutputPayment[] payments;
        uint32 deadline;
        bytes[] calls;
        bytes extraData;
    }

    /// @notice A payment on the destination chain.
    /// @param recipient Recipient.
    /// @param currency The currency.
    /// @param minimumAmount Minimum of a valid fill.
    /// @param expectedAmount The quote's amount.
    struct OutputPayment {
        bytes recipient;
        bytes currency;
        uint256 minimumAmount;
        uint256 expectedAmount;
    }

    /// @notice A fee, paid out of the settlement.
    /// @param recipientChainId The chain of the recipient's address.
    /// @param recipient Recipient of the fee.
    /// @param currencyChainId The chain of the currency.
    /// @param currency The currency.
    /// @param amount Amount in the currency's smallest unit.
    struct Fee {
        string recipientChainId;
        bytes recipient;
        string currencyChainId;
        bytes currency;
        uint256 amount;
    }

    /// @dev EIP-712: the struct itself, then every struct it refers to, by name.
    bytes32 internal constant ORDER_TYPEHASH = keccak256(
        "Order(string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees)"
        "Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount)"
        "Input(InputPayment payment,InputRefund[] refunds)"
        "InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)"
        "InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)"
        "Output(string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData)"
        "OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount)"
    );

    bytes32 internal constant INPUT_TYPEHASH = keccak256(
        "Input(InputPayment payment,InputRefund[] refunds)"
        "InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)"
        "InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)"
    );

    bytes32 internal constant INPUT_PAYMENT_TYPEHASH = keccak256(
        "InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)"
    );

    bytes32 internal constant INPUT_REFUND_TYPEHASH = keccak256(
        "InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)"
    );

    bytes32 internal constant OUTPUT_TYPEHASH = keccak256(
        "Output(string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData)"
        "OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount)"
    );

    bytes32 internal constant OUTPUT_PAYMENT_TYPEHASH = keccak256(
        "OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount)"
    );

    bytes32 internal constant FEE_TYPEHASH = keccak256(
        "Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount)"
    );

    /// @notice The `orderId`.
    /// @param order The order to hash.
    /// @return orderId The `id` for the depository.
    function hash(Data calldata order) internal pure returns (bytes32 orderId) {
        return
            keccak256(
                abi.encode(
                    ORDER_TYPEHASH,
                    _hash(bytes(order.version)),
                    _hash(bytes(order.solverChainId)),
                    order.solver,
                    order.salt,
                    _hash(order.inputs),
                    hash(order.output),
                    _hash(order.fees)
                )
            );
    }

    /// @notice The EIP-712 hash of an input.
    /// @param input The struct to hash.
    /// @return Its `hashStruct`.
    function hash(Input calldata input) internal pure returns (bytes32) {
        return keccak256(abi.encode(INPUT_TYPEHASH, hash(input.payment), _hash(input.refunds)));
    }

    /// @notice The EIP-712 hash of an input's payment.
    /// @param payment The struct to hash.
    /// @return Its `hashStruct`.
    function hash(InputPayment calldata payment) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    INPUT_PAYMENT_TYPEHASH,
                    _hash(bytes(payment.chainId)),
                    _hash(payment.currency),
                    payment.amount,
                    payment.weight
                )
            );
    }

    /// @notice The EIP-712 hash of a refund.
    /// @param refund The struct to hash.
    /// @return Its `hashStruct`.
    function hash(InputRefund calldata refund) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    INPUT_REFUND_TYPEHASH,
                    _hash(bytes(refund.chainId)),
                    _hash(refund.recipient),
                    _hash(refund.currency),
                    refund.minimumAmount,
                    refund.deadline,
                    _hash(refund.extraData)
                )
            );
    }

    /// @notice The EIP-712 hash of the output.
    /// @param output The struct to hash.
    /// @return Its `hashStruct`.
    function hash(Output calldata output) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    OUTPUT_TYPEHASH,
                    _hash(bytes(output.chainId)),
                    _hash(output.payments),
                    output.deadline,
                    _hash(output.calls),
                    _hash(output.extraData)
                )
            );
    }

    /// @notice The EIP-712 hash of a payment on the destination chain.
    /// @param payment The struct to hash.
    /// @return Its `hashStruct`.
    function hash(OutputPayment calldata payment) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    OUTPUT_PAYMENT_TYPEHASH,
                    _hash(payment.recipient),
                    _hash(payment.currency),
                    payment.minimumAmount,
                    payment.expectedAmount
                )
            );
    }

    /// @notice The EIP-712 hash of a fee.
    /// @param fee The struct to hash.
    /// @return Its `hashStruct`.
    function hash(Fee calldata fee) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    FEE_TYPEHASH,
                    _hash(bytes(fee.recipientChainId)),
                    _hash(fee.recipient),
                    _hash(bytes(fee.currencyChainId)),
                    _hash(fee.currency),
                    fee.amount
                )
            );
    }

    /// @notice Digest that the solver signs: the Ethereum-message hash of the 32 bytes of the id.
    /// @param orderId The order's id.
    /// @return The digest to recover from.
    function digest(bytes32 orderId) internal pure returns (bytes32) {
        return ECDSA.toEthSignedMessageHash(orderId);
    }

    /// @notice Recovers the signer of an order.
    /// @param orderId The id of the order as the verifier hashed it.
    /// @param orderSignature 65 or 64 bytes, low `s`; see `SolverSignature` for rejected forms.
    /// @return signer Never the zero address. Any change to any member yields another address, so the caller compares.
    function recover(bytes32 orderId, bytes calldata orderSignature) internal view returns (address signer) {
        return SolverSignature.recover(digest(orderId), orderSignature);
    }

    /// @dev A `string` or `bytes` is the hash of its content.
    function _hash(bytes calldata content) private pure returns (bytes32) {
        return EfficientHashLib.hashCalldata(content);
    }

    /// @dev An array is hashed as the concatenation of its members' hashes.
    function _hash(Input[] calldata inputs) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](inputs.length);
        for (uint256 i; i < inputs.length; ++i) hashes[i] = hash(inputs[i]);
        return EfficientHashLib.hash(hashes);
    }

    function _hash(InputRefund[] calldata refunds) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](refunds.length);
        for (uint256 i; i < refunds.length; ++i) hashes[i] = hash(refunds[i]);
        return EfficientHashLib.hash(hashes);
    }

    function _hash(OutputPayment[] calldata payments) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](payments.length);
        for (uint256 i; i < payments.length; ++i) hashes[i] = hash(payments[i]);
        return EfficientHashLib.hash(hashes);
    }

    function _hash(bytes[] calldata calls) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](calls.length);
        for (uint256 i; i < calls.length; ++i) hashes[i] = _hash(calls[i]);
        return EfficientHashLib.hash(hashes);
    }

    function _hash(Fee[] calldata fees) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](fees.length);
        for (uint256 i; i < fees.length; ++i) hashes[i] = hash(fees[i]);
        return EfficientHashLib.hash(hashes);
    }
}
