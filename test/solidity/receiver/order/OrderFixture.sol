// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IOrderReceiver} from "../../../../contracts/interfaces/receiver/IOrderReceiver.sol";
import {ISignedPulls} from "../../../../contracts/interfaces/receiver/ISignedPulls.sol";
import {OrderReceiver} from "../../../../contracts/receiver/OrderReceiver.sol";
import {Order} from "../../../../contracts/records/Order.sol";
import {RelayDepository} from "../../../../contracts/service/RelayDepository.sol";
import {OrderMaking} from "../../support/OrderMaking.sol";
import {OwnerSigning} from "../../support/OwnerSigning.sol";

/// @title OrderFixture
/// @notice A receiver of orders with its depository, and orders that it accepts. The test is the refund payee.
abstract contract OrderFixture is OrderMaking, OwnerSigning {
    uint256 internal constant ORDER_KEY = uint256(keccak256("solver of orders"));

    string private constant ORDER_WITNESS = "OrderDepositWitness(bytes32 orderId,address receiver)";

    address internal immutable ORDER_SOLVER = VM.addr(ORDER_KEY);

    RelayDepository internal _depository;
    OrderReceiver internal _orders;

    function _deployOrders() internal {
        _placePermit2();
        _depository = new RelayDepository(address(this), address(this));
        _orders = _newOrders(address(_depository));
    }

    function _newOrders(address depository) internal virtual returns (OrderReceiver) {
        return new OrderReceiver(ORDER_SOLVER, depository, "base", block.chainid, address(this));
    }

    /// @dev Any order, made payable here: one of its inputs is due now, on this chain, in `currency`.
    function _payable(
        uint256 seed,
        address currency,
        uint256 amount
    ) internal view returns (Order.Data memory order, uint256 index) {
        order = _order(seed);
        order.solver = ORDER_SOLVER;
        order.output.deadline = type(uint32).max;
        _payAccount(order.output);
        if (order.inputs.length == 0) order.inputs = new Order.Input[](1);
        index = seed % order.inputs.length;
        Order.Input memory input = order.inputs[index];
        input.payment.chainId = "base";
        input.payment.currency = abi.encodePacked(currency);
        input.payment.amount = amount;
        for (uint256 i; i < input.refunds.length; ++i) input.refunds[i].deadline = uint32(block.timestamp);
    }

    function _signed(Order.Data memory order) internal pure returns (bytes memory) {
        return _signOrder(ORDER_KEY, _plainHash(order));
    }

    /// @dev A deposit of the owner's. Calls by signature use `_orders` as the spender.
    function _orderCall(
        Order.Data memory order,
        uint256 index,
        bytes memory signature,
        Way way
    ) internal returns (bytes memory) {
        address currency = address(bytes20(order.inputs[index].payment.currency));
        uint256 amount = order.inputs[index].payment.amount;
        if (way == Way.Batch) {
            IOrderReceiver.OrderPayment[] memory payments = new IOrderReceiver.OrderPayment[](1);
            payments[0] = IOrderReceiver.OrderPayment(order, index, signature);
            return abi.encodeCall(IOrderReceiver.depositAll, (payments));
        }
        if (currency == address(0)) return abi.encodeCall(IOrderReceiver.deposit, (order, index, signature));
        if (way == Way.Plain) {
            return abi.encodeCall(IOrderReceiver.depositErc20, (currency, amount, order, index, signature));
        }
        if (way == Way.Permit2) {
            return
                abi.encodeCall(
                    IOrderReceiver.depositErc20WithPermit2,
                    (currency, amount, order, index, signature, _orderTransfer(order, currency, amount))
                );
        }
        if (way == Way.Authorization) {
            return
                abi.encodeCall(
                    IOrderReceiver.depositErc20WithAuthorization,
                    (currency, amount, order, index, signature, _orderAuthorization(order, currency, amount))
                );
        }
        // No token accepts an empty permit; the allowance exists.
        ISignedPulls.Permit memory permit;
        return
            abi.encodeCall(
                IOrderReceiver.depositErc20WithPermit,
                (currency, amount, order, index, signature, permit)
            );
    }

    function _orderTransfer(
        Order.Data memory order,
        address currency,
        uint256 amount
    ) private returns (ISignedPulls.Permit2Transfer memory) {
        string memory types = string.concat(
            "OrderDepositWitness witness)",
            ORDER_WITNESS,
            "TokenPermissions(address token,uint256 amount)"
        );
        return _signTransfer(currency, amount, address(_orders), _orderWitness(order), types);
    }

    function _orderAuthorization(
        Order.Data memory order,
        address currency,
        uint256 amount
    ) private view returns (ISignedPulls.Authorization memory) {
        return _signAuthorization(currency, amount, address(_orders), _orderWitness(order));
    }

    function _orderWitness(Order.Data memory order) internal view returns (bytes32) {
        return keccak256(abi.encode(keccak256(bytes(ORDER_WITNESS)), _plainHash(order), address(_orders)));
    }
}
