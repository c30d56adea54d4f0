// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Order} from "../../contracts/records/Order.sol";
import {OrderHash} from "../../contracts/testing/OrderHash.sol";
import {Proof} from "./Proof.sol";

/// @title OrderProofs
/// @notice An order and its parts hash like `OrderHash`, which joins the type strings and encodes by the ABI, and orders with one
/// hash are equal.
contract OrderProofs is Proof {
    /// @custom:halmos --default-bytes-lengths 0,20,33
    /// @custom:mutant contracts/records/Order.sol: fee.amount -> uint256(uint128(fee.amount))
    function check_FeeHash(Order.Fee calldata fee) external pure {
        assert(Order.hash(fee) == OrderHash.hash(fee));
    }

    /// @custom:halmos --default-bytes-lengths 0,20,33
    /// @custom:mutant contracts/records/Order.sol: payment.weight -> payment.amount
    function check_InputPaymentHash(Order.InputPayment calldata payment) external pure {
        assert(Order.hash(payment) == OrderHash.hash(payment));
    }

    /// @custom:halmos --default-bytes-lengths 0,20,33
    /// @custom:mutant contracts/records/Order.sol: payment.expectedAmount -> payment.minimumAmount
    function check_OutputPaymentHash(Order.OutputPayment calldata payment) external pure {
        assert(Order.hash(payment) == OrderHash.hash(payment));
    }

    /// @custom:halmos --default-bytes-lengths 20,33
    /// @custom:mutant contracts/records/Order.sol: _hash(refund.extraData) -> _hash(refund.currency)
    function check_InputRefundHash(Order.InputRefund calldata refund) external pure {
        assert(Order.hash(refund) == OrderHash.hash(refund));
    }

    /// @custom:halmos --default-bytes-lengths 20 --default-array-lengths 0,1,2
    /// @custom:mutant contracts/records/Order.sol: _hash(output.calls) -> _hash(output.extraData)
    function check_OutputHash(Order.Output calldata output) external pure {
        assert(Order.hash(output) == OrderHash.hash(output));
    }

    /// @custom:halmos --default-bytes-lengths 20 --default-array-lengths 0,1,2
    /// @custom:mutant contracts/records/Order.sol: i < refunds.length; ++i) hashes[i] = hash(refunds[i]) -> i < refunds.length; ++i) hashes[i] = hash(refunds[0])
    function check_InputHash(Order.Input calldata input) external pure {
        assert(Order.hash(input) == OrderHash.hash(input));
    }

    /// @custom:halmos --default-bytes-lengths 20 --default-array-lengths 1
    /// @custom:mutant contracts/records/Order.sol: order.salt, -> 0,
    function check_OrderHash(Order.Data calldata order) external pure {
        assert(Order.hash(order) == OrderHash.hash(order));
    }

    /// @custom:halmos --default-bytes-lengths 20 --default-array-lengths 1
    /// @custom:mutant contracts/records/Order.sol: order.solver, -> address(1),
    function check_OrdersWithOneHashAreEqual(
        Order.Data calldata one,
        Order.Data calldata other
    ) external pure {
        if (Order.hash(one) != Order.hash(other)) return;
        assert(keccak256(abi.encode(one)) == keccak256(abi.encode(other)));
    }
}
