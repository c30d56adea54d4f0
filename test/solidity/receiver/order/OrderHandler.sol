// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IOrderReceiver} from "../../../../contracts/interfaces/receiver/IOrderReceiver.sol";
import {PlainToken} from "../../../../contracts/mocks/PlainToken.sol";
import {OrderReceiver} from "../../../../contracts/receiver/OrderReceiver.sol";
import {Order} from "../../../../contracts/records/Order.sol";
import {RelayDepository} from "../../../../contracts/service/RelayDepository.sol";
import {OrderMaking} from "../../support/OrderMaking.sol";
import {PaymentBook, SumBook} from "../PaymentBook.sol";

/// @title OrderHandler
/// @notice Payments to an order receiver in any order: an input as signed, altered, the same or another input again; and
/// stray money.
abstract contract OrderHandler is OrderMaking, SumBook {
    OrderReceiver public immutable receiver;
    RelayDepository public immutable depository;
    PlainToken public immutable token;

    /// @notice Few orders, so that runs repeat them.
    uint256 public constant ORDERS = 12;

    uint256 private constant SOLVER_KEY = uint256(keccak256("solver"));
    uint256 private constant FUNDS = type(uint128).max;

    mapping(bytes32 orderId => uint256 times) private _accepted;
    bytes[ORDERS] private _orders;
    bytes32[ORDERS] private _ids;

    constructor() {
        depository = new RelayDepository(address(this), address(this));
        receiver = new OrderReceiver(
            VM.addr(SOLVER_KEY),
            address(depository),
            "base",
            block.chainid,
            address(this)
        );
        token = new PlainToken();
        token.mint(address(this), FUNDS);
        token.approve(address(receiver), type(uint256).max);
        VM.deal(address(this), FUNDS);
        for (uint256 which; which < ORDERS; ++which) {
            Order.Data memory order = _made(which);
            _orders[which] = abi.encode(order);
            _ids[which] = _plainHash(order);
        }
    }

    /// @notice Pays an input as signed, the first native and the second a token; refused only if the order was paid by
    /// either input.
    function payAsSigned(uint256 which, uint256 index) external {
        which = which % ORDERS;
        index = index % 2;
        Order.Data memory order = _orderOf(which);
        bool isReplay = _accepted[_ids[which]] != 0;
        uint256 amount = order.inputs[index].payment.amount;
        bool isAccepted = _accepts(order, index, amount, _signOrder(SOLVER_KEY, _ids[which]));
        _require(isAccepted != isReplay);
        if (isAccepted) _accepted[_ids[which]] += 1;
    }

    /// @notice Pays with one term that the solver did not sign, or that it signed and is not payable; refused.
    function payAltered(uint256 which, uint256 index, uint256 term) external {
        which = which % ORDERS;
        index = index % 2;
        term = term % 8;
        Order.Data memory order = _orderOf(which);
        bytes memory signature = _signOrder(SOLVER_KEY, _ids[which]);
        uint256 amount = order.inputs[index].payment.amount;
        if (term == 0) amount += 1;
        else if (term == 1) amount -= 1;
        else if (term == 2) order.salt ^= 1;
        else if (term == 3) order.output.extraData = abi.encodePacked(order.output.extraData, uint8(0));
        else if (term == 4) signature = _signOrder(SOLVER_KEY ^ 1, _ids[which]);
        else if (term == 5) signature = _signOrder(SOLVER_KEY, _ids[(which + 1) % ORDERS]);
        else {
            if (term == 6) order.output.deadline = uint32(block.timestamp - 1);
            else order.inputs[index].payment.chainId = "optimism";
            signature = _signOrder(SOLVER_KEY, _plainHash(order));
        }
        _require(!_accepts(order, index, amount, signature));
    }

    /// @notice Sends money to the receiver outside any payment.
    function drop(bool isNative, uint64 amount) external {
        if (isNative) VM.deal(address(receiver), address(receiver).balance + amount);
        else token.mint(address(receiver), amount);
        stray[isNative ? address(0) : address(token)] += amount;
    }

    /// @inheritdoc PaymentBook
    function requests() external view override returns (Request[] memory all) {
        all = new Request[](ORDERS);
        for (uint256 i; i < ORDERS; ++i) {
            all[i] = Request({
                timesAccepted: _accepted[_ids[i]],
                isConsumed: receiver.depositorOf(_ids[i]) != address(0)
            });
        }
    }

    /// @inheritdoc SumBook
    function holdings(address currency) external view override returns (Holdings memory) {
        return
            Holdings({
                paid: _balanceOf(currency, address(depository)),
                spent: FUNDS - _balanceOf(currency, address(this)),
                kept: _balanceOf(currency, address(receiver))
            });
    }

    /// @inheritdoc SumBook
    function currencies() public view override returns (address[] memory all) {
        all = new address[](2);
        all[1] = address(token);
    }

    function _orderOf(uint256 which) private view returns (Order.Data memory) {
        return abi.decode(_orders[which], (Order.Data));
    }

    /// @dev An order with two inputs that are payable here, one native and one a token.
    function _made(uint256 which) private view returns (Order.Data memory order) {
        uint256 seed = uint256(keccak256(abi.encode("order", which)));
        order = _order(seed);
        order.solver = VM.addr(SOLVER_KEY);
        order.output.deadline = type(uint32).max;
        _payAccount(order.output);
        order.inputs = new Order.Input[](2);
        for (uint256 i; i < 2; ++i) {
            order.inputs[i].payment = Order.InputPayment({
                chainId: "base",
                currency: abi.encodePacked(i == 0 ? address(0) : address(token)),
                amount: _bound(seed >> (i * 64), 2, type(uint64).max),
                weight: 1
            });
        }
    }

    function _accepts(
        Order.Data memory order,
        uint256 index,
        uint256 amount,
        bytes memory signature
    ) private returns (bool success) {
        bytes memory data =
            index == 0
                ? abi.encodeCall(IOrderReceiver.deposit, (order, index, signature))
                : abi.encodeCall(
                    IOrderReceiver.depositErc20,
                    (address(token), amount, order, index, signature)
                );
        (success, ) = address(receiver).call{value: index == 0 ? amount : 0}(data);
        if (success) _noteAccepted(index == 0 ? address(0) : address(token), amount);
    }
}
